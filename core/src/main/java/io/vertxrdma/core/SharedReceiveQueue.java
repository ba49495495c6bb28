package io.vertxrdma.core;

/** Receives shared by several queue pairs ({@code struct ibv_srq}). */
public interface SharedReceiveQueue extends AutoCloseable {

  /** Receives it can hold. */
  int maxWorkRequests();

  /** Arms the limit event: it fires once when fewer than {@code limit} receives are left. */
  void setLimit(int limit);

  /** The armed limit, 0 when none is. Blocking: a system call. */
  int queryLimit();

  /** Makes a chain of up to {@code capacity} receives for this queue. */
  ReceiveBatch allocateReceiveBatch(int capacity, int scatterGather);

  /** Destroys the queue, after its queue pairs. Blocking. Idempotent. */
  @Override
  void close();
}
