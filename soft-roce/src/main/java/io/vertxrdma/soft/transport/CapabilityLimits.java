package io.vertxrdma.soft.transport;

import io.vertxrdma.core.Errno;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.soft.SoftDeviceOptions;

/** Refuses queue pairs that a device can't make. */
final class CapabilityLimits {

  /** As in rxe. */
  static final int MAX_INLINE_DATA = 512;

  private CapabilityLimits() {}

  static void check(Engine engine, QueuePairInit init) {
    SoftDeviceOptions limits = engine.options();
    QueuePairCapabilities asked = init.capabilities();
    boolean ownReceives = init.sharedReceiveQueue() == null;
    if (asked.maxSendWorkRequests() > limits.maxQueuePairWorkRequests()
        || ownReceives && asked.maxReceiveWorkRequests() > limits.maxQueuePairWorkRequests()
        || asked.maxSendScatterGather() > limits.maxScatterGather()
        || ownReceives && asked.maxReceiveScatterGather() > limits.maxScatterGather()
        || asked.maxInlineData() > MAX_INLINE_DATA) {
      throw refused(engine, Errno.EINVAL, asked);
    }
    if (engine.queuePairCount() >= limits.maxQueuePairs()) {
      throw refused(engine, Errno.ENOMEM, asked);
    }
  }

  private static RdmaException refused(Engine engine, Errno errno, QueuePairCapabilities asked) {
    SoftDeviceOptions limits = engine.options();
    return RdmaException.ofErrno(
        "rdma_create_qp",
        errno.number(),
        "asked for "
            + asked
            + "; device "
            + engine.name()
            + " allows "
            + limits.maxQueuePairWorkRequests()
            + " work requests, "
            + limits.maxScatterGather()
            + " scatter/gather entries, "
            + MAX_INLINE_DATA
            + " bytes inline, "
            + limits.maxQueuePairs()
            + " queue pairs");
  }
}
