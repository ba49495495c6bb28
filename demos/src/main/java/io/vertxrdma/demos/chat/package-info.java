/**
 * Chat over RDMA: {@code vertx-rdma chat}. A hub and its members write lines into each other's
 * memory.
 *
 * <p>Each side owns a ring of slots that the other may write to, and tells where it lies in the
 * private data of the handshake. A line is one write with immediate: the data is the line, the
 * immediate says which slot. The reader gives slots back with an immediate of its own, so that no
 * writer overtakes its reader, however slow that is.
 *
 * <p>{@link io.vertxrdma.demos.chat.RingWriter}, {@link io.vertxrdma.demos.chat.RingReader}, {@link
 * io.vertxrdma.demos.chat.Outbox} and {@link io.vertxrdma.demos.chat.Hub} are the rules, without
 * RDMA; {@link io.vertxrdma.demos.chat.RingLink} puts them on a connection.
 */
package io.vertxrdma.demos.chat;
