package io.vertxrdma.core;

/** The peer, or its connection manager, said no (RDMA_CM_EVENT_REJECTED). */
public class ConnectionRejectedException extends RdmaException {

  private final byte[] privateData;

  /**
   * Makes the exception from an event's status and private data.
   *
   * @param status the positive reject reason on InfiniBand and RoCE, a negative errno on iWARP
   * @param privateData what the peer sent along; the whole padded field on InfiniBand and RoCE
   */
  public ConnectionRejectedException(int status, byte[] privateData) {
    this(status, privateData, "");
  }

  /**
   * Makes the exception, with what the private data says.
   *
   * @param status as in the other constructor
   * @param privateData likewise
   * @param more what follows the message
   */
  protected ConnectionRejectedException(int status, byte[] privateData, String more) {
    super("rdma_connect", status, symbol(status), message(status) + more);
    this.privateData = privateData.clone();
  }

  private static String symbol(int status) {
    return status < 0 ? Errno.nameOf(-status) : "IB_CM_REJ " + status;
  }

  private static String message(int status) {
    return "RDMA_CM_EVENT_REJECTED (8), status "
        + status
        + " ("
        + (status < 0 ? Errno.describe(-status) : RejectReason.text(status))
        + ")";
  }

  /** The reject reason, see {@link RejectReason}; negative errno on iWARP. */
  public int reason() {
    return code();
  }

  /** A copy of the peer's private data; empty for none. */
  public byte[] privateData() {
    return privateData.clone();
  }
}
