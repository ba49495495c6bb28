package io.vertxrdma.core;

/**
 * Capacities of a queue pair ({@code struct ibv_qp_cap}).
 *
 * @param maxSendWorkRequests send work requests outstanding, 0 or more
 * @param maxReceiveWorkRequests receives posted, 0 or more; ignored with a shared receive queue
 * @param maxSendScatterGather entries in one send request
 * @param maxReceiveScatterGather entries in one receive request
 * @param maxInlineData bytes that can be copied into a send request
 */
public record QueuePairCapabilities(
    int maxSendWorkRequests,
    int maxReceiveWorkRequests,
    int maxSendScatterGather,
    int maxReceiveScatterGather,
    int maxInlineData) {

  /** Checks that nothing is negative. */
  public QueuePairCapabilities {
    check("maxSendWorkRequests", maxSendWorkRequests);
    check("maxReceiveWorkRequests", maxReceiveWorkRequests);
    check("maxSendScatterGather", maxSendScatterGather);
    check("maxReceiveScatterGather", maxReceiveScatterGather);
    check("maxInlineData", maxInlineData);
  }

  private static void check(String name, int value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " must be 0 or more, was " + value);
    }
  }
}
