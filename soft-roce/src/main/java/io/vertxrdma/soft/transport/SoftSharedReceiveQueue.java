package io.vertxrdma.soft.transport;

import io.vertxrdma.core.AsyncEventType;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SharedReceiveQueue;

/** Receives for several queue pairs, with an event when they run low. */
final class SoftSharedReceiveQueue extends SoftObject implements SharedReceiveQueue {

  static final String KIND = "shared receive queues";

  private final SoftProtectionDomain domain;
  private final int maxWorkRequests;
  private final int maxScatterGather;
  final ReceiveQueue queue;
  private int limit;

  SoftSharedReceiveQueue(SoftProtectionDomain domain, int maxWorkRequests, int maxScatterGather) {
    super(domain.engine, "shared receive queue");
    this.domain = domain;
    this.maxWorkRequests = maxWorkRequests;
    this.maxScatterGather = maxScatterGather;
    this.queue = new ReceiveQueue(maxWorkRequests);
  }

  /** A receive was taken: tells when fewer than the limit are left, once. */
  void taken() {
    if (queue.size() < limit) {
      limit = 0;
      engine.asyncQueue().add(AsyncEventType.SRQ_LIMIT_REACHED, this);
    }
  }

  private int post(SoftReceiveBatch batch, int index) {
    return batch.copyInto(queue, index, maxScatterGather);
  }

  @Override
  public int maxWorkRequests() {
    requireOpen();
    return maxWorkRequests;
  }

  @Override
  public void setLimit(int limit) {
    if (limit < 0 || limit > maxWorkRequests) {
      throw new IllegalArgumentException("limit must be 0.." + maxWorkRequests + ", was " + limit);
    }
    engine.enter();
    try {
      requireOpen();
      this.limit = limit;
    } finally {
      engine.leave();
    }
  }

  @Override
  public int queryLimit() {
    engine.enter();
    try {
      requireOpen();
      return limit;
    } finally {
      engine.leave();
    }
  }

  @Override
  public ReceiveBatch allocateReceiveBatch(int capacity, int scatterGather) {
    requireOpen();
    return new SoftReceiveBatch(this, this::post, capacity, scatterGather);
  }

  @Override
  void destroy() {
    engine.asyncQueue().forget(this);
    domain.users.release(KIND);
  }
}
