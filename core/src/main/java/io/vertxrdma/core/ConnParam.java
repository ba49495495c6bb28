package io.vertxrdma.core;

import java.util.Arrays;

/**
 * The values of {@code struct rdma_conn_param}, as handed to connect and accept and as found in
 * events. Unsigned bytes are kept as {@code int} 0..255.
 *
 * <p>This is the bare struct. Applications use the connection parameters of the layer above, which
 * are negotiated against the device first.
 */
public final class ConnParam {

  /** No data, every field 0. */
  public static final ConnParam ZERO = new ConnParam(new byte[0], 0, 0, 0, 0, 0, false, 0);

  private final byte[] privateData;
  private final int responderResources;
  private final int initiatorDepth;
  private final int flowControl;
  private final int retryCount;
  private final int rnrRetryCount;
  private final boolean sharedReceiveQueue;
  private final int queuePairNumber;

  /**
   * Copies and checks the values.
   *
   * @param privateData up to 255 bytes (the length is a byte in the struct); null means none
   * @param responderResources READ and ATOMIC requests served at once, 0..255
   * @param initiatorDepth READ and ATOMIC requests outstanding, 0..255
   * @param flowControl 0..255, carried for the peer
   * @param retryCount 0..255; the kernel uses 7 at most
   * @param rnrRetryCount 0..255; the kernel uses 7 at most, which means no end
   * @param sharedReceiveQueue whether the sender uses a shared receive queue
   * @param queuePairNumber 24 bits; ignored when the id has a queue pair of its own
   * @throws IllegalArgumentException naming the field, the limit and the value
   */
  public ConnParam(
      byte[] privateData,
      int responderResources,
      int initiatorDepth,
      int flowControl,
      int retryCount,
      int rnrRetryCount,
      boolean sharedReceiveQueue,
      int queuePairNumber) {
    this.privateData = privateData == null ? new byte[0] : privateData.clone();
    if (this.privateData.length > 255) {
      throw new IllegalArgumentException(
          "private data of " + this.privateData.length + " bytes; the length field holds 0..255");
    }
    this.responderResources = octet("responderResources", responderResources);
    this.initiatorDepth = octet("initiatorDepth", initiatorDepth);
    this.flowControl = octet("flowControl", flowControl);
    this.retryCount = octet("retryCount", retryCount);
    this.rnrRetryCount = octet("rnrRetryCount", rnrRetryCount);
    this.sharedReceiveQueue = sharedReceiveQueue;
    this.queuePairNumber = queuePairNumber;
  }

  private static int octet(String name, int value) {
    if (value < 0 || value > 255) {
      throw new IllegalArgumentException(name + " must be 0..255, was " + value);
    }
    return value;
  }

  /** A copy of the private data, empty for none. */
  public byte[] privateData() {
    return privateData.length == 0 ? privateData : privateData.clone();
  }

  /** The length of the private data, 0..255. */
  public int privateDataLength() {
    return privateData.length;
  }

  /** READ and ATOMIC requests served at once, 0..255. */
  public int responderResources() {
    return responderResources;
  }

  /** READ and ATOMIC requests outstanding at once, 0..255. */
  public int initiatorDepth() {
    return initiatorDepth;
  }

  /** Carried for the peer, 0..255. */
  public int flowControl() {
    return flowControl;
  }

  /** How often both sides repeat an unacknowledged packet, 0..7; 0 in events at the active side. */
  public int retryCount() {
    return retryCount;
  }

  /** How often the <em>peer</em> repeats towards us after "receiver not ready", 0..7. */
  public int rnrRetryCount() {
    return rnrRetryCount;
  }

  /** Whether the one who sent this uses a shared receive queue. */
  public boolean sharedReceiveQueue() {
    return sharedReceiveQueue;
  }

  /** The queue pair number of the one who sent this, 24 bits. */
  public int queuePairNumber() {
    return queuePairNumber;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ConnParam that
        && Arrays.equals(privateData, that.privateData)
        && responderResources == that.responderResources
        && initiatorDepth == that.initiatorDepth
        && flowControl == that.flowControl
        && retryCount == that.retryCount
        && rnrRetryCount == that.rnrRetryCount
        && sharedReceiveQueue == that.sharedReceiveQueue
        && queuePairNumber == that.queuePairNumber;
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(privateData) * 31 + responderResources * 257 + initiatorDepth;
  }

  @Override
  public String toString() {
    return "responderResources="
        + responderResources
        + " initiatorDepth="
        + initiatorDepth
        + " flowControl="
        + flowControl
        + " retryCount="
        + retryCount
        + " rnrRetryCount="
        + rnrRetryCount
        + " srq="
        + sharedReceiveQueue
        + " qpNum=0x"
        + Integer.toHexString(queuePairNumber)
        + " privateData="
        + privateData.length
        + "B";
  }
}
