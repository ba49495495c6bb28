package io.vertxrdma.cm;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.ConnParam;

/**
 * What a peer announced in its request or its reply, <em>as the event shows it</em>: librdmacm has
 * already swapped the depths for the reader (rdma_get_cm_event(3)). The event's {@code
 * responderResources} is the peer's initiator depth, its {@code initiatorDepth} the peer's
 * responder resources; a peer that asked 5/3 is seen as 3/5. The values are in the reader's terms
 * and must not be swapped again.
 *
 * @param responderResources READ and ATOMIC requests the peer means to have outstanding, so what it
 *     needs of ours; 0..255
 * @param initiatorDepth READ and ATOMIC requests the peer serves at once, so the most we may have
 *     outstanding; 0..255
 * @param flowControl 0..255
 * @param retryCount in a request 0..7, for both ends; in a reply always 0
 * @param rnrRetryCount how often <em>we</em> repeat after "receiver not ready", 0..7
 * @param sharedReceiveQueue whether the peer uses a shared receive queue
 * @param queuePairNumber the peer's, 24 bits
 * @param privateDataLength bytes of private data up to the last that is not 0. The field arrives
 *     whole and zero-padded on InfiniBand and RoCE, so the sender's own length is at least this
 */
public record PeerOffer(
    int responderResources,
    int initiatorDepth,
    int flowControl,
    int retryCount,
    int rnrRetryCount,
    boolean sharedReceiveQueue,
    int queuePairNumber,
    int privateDataLength) {

  /** The offer in a CONNECT_REQUEST, or the answer in an ESTABLISHED at the active side. */
  public static PeerOffer of(CmEvent event) {
    return of(event.parameters());
  }

  /** The offer in the parameters of an event. */
  public static PeerOffer of(ConnParam seen) {
    return new PeerOffer(
        seen.responderResources(),
        seen.initiatorDepth(),
        seen.flowControl(),
        Math.min(seen.retryCount(), ConnectionParameters.MAX_RETRY_COUNT),
        Math.min(seen.rnrRetryCount(), ConnectionParameters.RNR_RETRY_FOREVER),
        seen.sharedReceiveQueue(),
        seen.queuePairNumber(),
        lengthWithoutPadding(seen.privateData()));
  }

  private static int lengthWithoutPadding(byte[] data) {
    int length = data.length;
    while (length > 0 && data[length - 1] == 0) {
      length--;
    }
    return length;
  }

  /** The initiator depth as the peer itself set it: {@link #responderResources()}. */
  public int peerInitiatorDepth() {
    return responderResources;
  }

  /** The responder resources as the peer itself set them: {@link #initiatorDepth()}. */
  public int peerResponderResources() {
    return initiatorDepth;
  }

  /** One line with every value, the depths as the peer itself set them. */
  @Override
  public String toString() {
    return "initiatorDepth="
        + peerInitiatorDepth()
        + " responderResources="
        + peerResponderResources()
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
        + privateDataLength
        + "B";
  }
}
