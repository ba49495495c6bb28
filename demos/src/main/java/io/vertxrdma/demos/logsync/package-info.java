/**
 * Log files over RDMA: {@code vertx-rdma logsync}. Clients write segments into slots in the
 * server's memory, the immediate is the segment's sequence number; the server puts them on disk in
 * order and tells, by immediate too, up to which one all are durable.
 *
 * <p>{@link io.vertxrdma.demos.logsync.SendWindow}, {@link
 * io.vertxrdma.demos.logsync.ReceiveWindow} and {@link io.vertxrdma.demos.logsync.StoredLog} are
 * the rules, without RDMA; {@link io.vertxrdma.demos.logsync.Shipping} and {@link
 * io.vertxrdma.demos.logsync.LogSession} put them on a connection.
 */
package io.vertxrdma.demos.logsync;
