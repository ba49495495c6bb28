/**
 * The rules of the chat, without RDMA and without a page: rooms, their history, who hears what, and
 * what becomes of those who do not keep up.
 *
 * <p>{@link io.vertxrdma.demos.chat.room.Hub} is the whole; members of any kind take a {@link
 * io.vertxrdma.demos.chat.room.Seat}. Everything runs on one event loop.
 */
package io.vertxrdma.demos.chat.room;
