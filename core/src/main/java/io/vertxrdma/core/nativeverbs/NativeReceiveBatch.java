package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.ReceiveBatch;

/** A chain of {@code ibv_recv_wr} for a queue pair or a shared receive queue. */
final class NativeReceiveBatch extends WorkRequestBatch implements ReceiveBatch {

  /** Where receives are posted. */
  interface Target {
    int postReceive(long first, long badOut);
  }

  private final Target target;

  NativeReceiveBatch(NativeCalls calls, Target target, int capacity, int scatterGather) {
    super(calls, Layout.RECV_WR_SIZE, capacity, scatterGather);
    this.target = target;
  }

  @Override
  public void add(long workRequestId) {
    addRequest(workRequestId);
  }

  @Override
  int submit(long first, long badOut) {
    return target.postReceive(first, badOut);
  }
}
