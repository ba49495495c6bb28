package io.vertxrdma.core;

/**
 * The peer's connection manager has no queue pair for who looked for a datagram service
 * (RDMA_CM_EVENT_UNREACHABLE with the status of the peer's answer).
 */
public class LookupRejectedException extends RdmaException {

  /** Nobody listens there. */
  public static final int NO_SERVICE = 1;

  /** The service said no. */
  public static final int REJECTED = 2;

  private final byte[] privateData;

  /**
   * Makes the exception from an event's status and private data.
   *
   * @param status the positive status of the answer (IBTA volume 1, 12.11.2.2)
   * @param privateData what the peer sent along; the whole padded field on InfiniBand and RoCE
   */
  public LookupRejectedException(int status, byte[] privateData) {
    super(
        "rdma_connect",
        status,
        "IB_SIDR " + status,
        "RDMA_CM_EVENT_UNREACHABLE (7), status " + status + " (" + text(status) + ")");
    this.privateData = privateData.clone();
  }

  private static String text(int status) {
    return switch (status) {
      case NO_SERVICE -> "service not supported: no listener";
      case REJECTED -> "rejected by the service";
      case 3 -> "no queue pair";
      case 4 -> "redirected";
      case 5 -> "version not supported";
      default -> "unknown status";
    };
  }

  /** The status of the answer: {@link #NO_SERVICE}, {@link #REJECTED}, or another one. */
  public int status() {
    return code();
  }

  /** A copy of the peer's private data; empty for none. */
  public byte[] privateData() {
    return privateData.clone();
  }
}
