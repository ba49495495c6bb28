package io.vertxrdma.soft.transport;

import io.vertxrdma.core.Errno;
import io.vertxrdma.core.ReceiveBatch;

/** A chain of receives for a queue pair or a shared receive queue. */
final class SoftReceiveBatch extends WorkRequestBatch implements ReceiveBatch {

  private final SoftObject owner;
  private final ReceiveTarget target;

  SoftReceiveBatch(SoftObject owner, ReceiveTarget target, int capacity, int scatterGather) {
    super(owner.engine, capacity, scatterGather);
    this.owner = owner;
    this.target = target;
  }

  @Override
  public void add(long workRequestId) {
    addRequest(workRequestId);
  }

  @Override
  void requireTargetOpen() {
    owner.requireOpen();
  }

  @Override
  int submit(int index) {
    return target.post(this, index);
  }

  /** Appends one of the receives to a queue; returns 0 or the errno of the refusal. */
  int copyInto(ReceiveQueue queue, int index, int maxScatterGather) {
    if (elementCounts[index] > maxScatterGather) {
      return Errno.EINVAL.number();
    }
    if (queue.isFull()) {
      return Errno.ENOMEM.number();
    }
    ReceiveRequest request = queue.append();
    request.workRequestId = ids[index];
    request.memory.set(addresses, lengths, keys, index * scatterGather, elementCounts[index]);
    return 0;
  }
}
