/**
 * Chat over RDMA: {@code vertx-rdma chat}. A hub and its members write lines into each other's
 * memory.
 *
 * <p>Each side owns a {@link io.vertxrdma.reactive.InboxRing} that the other may write to, and
 * tells where it lies in the private data of the handshake. A line is one write with immediate over
 * a {@link io.vertxrdma.reactive.RingChannel}: no writer overtakes its reader, however slow that
 * is.
 *
 * <p>Who comes into a room READs its last lines from memory that the hub has registered for that, a
 * checksum with each.
 *
 * <p>The rules are in the package {@code room}, without RDMA; {@link
 * io.vertxrdma.demos.chat.ChatLink} puts them on a connection.
 */
package io.vertxrdma.demos.chat;
