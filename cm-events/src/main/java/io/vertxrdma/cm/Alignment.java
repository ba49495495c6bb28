package io.vertxrdma.cm;

import io.vertxrdma.cm.AlignmentFinding.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds what a peer announced against what this side has, and tells what is likely to go wrong.
 * Pure: nothing is logged and nothing called.
 */
public final class Alignment {

  private Alignment() {}

  /**
   * The findings of a connection request.
   *
   * @param offer what the peer announced
   * @param responderResources READs and ATOMICs this side is going to serve at once, 0..255
   * @param quirks this side's driver's
   */
  public static List<AlignmentFinding> ofRequest(
      PeerOffer offer, int responderResources, DriverQuirks quirks) {
    List<AlignmentFinding> found = new ArrayList<>();
    depth(found, offer, responderResources);
    retryCount(found, offer.retryCount(), quirks);
    rnrRetryCount(found, offer.rnrRetryCount());
    privateData(found, offer.privateDataLength());
    return List.copyOf(found);
  }

  /**
   * The findings of a connection request that would be accepted with these parameters.
   *
   * @param wanted what this side is going to accept with
   * @param limits its device's limits
   */
  public static List<AlignmentFinding> ofRequest(
      PeerOffer offer, ConnectionParameters wanted, DeviceLimits limits, DriverQuirks quirks) {
    int resources = Math.min(wanted.responderResources(), limits.usableResponderResources());
    return ofRequest(offer, resources, quirks);
  }

  /**
   * The findings of a reply, at the side that connected. The reply has no retry count: the
   * request's rules both ends.
   *
   * @param reply what the peer granted
   * @param responderResources READs and ATOMICs this side serves at once, 0..255
   */
  public static List<AlignmentFinding> ofReply(PeerOffer reply, int responderResources) {
    List<AlignmentFinding> found = new ArrayList<>();
    depth(found, reply, responderResources);
    rnrRetryCount(found, reply.rnrRetryCount());
    privateData(found, reply.privateDataLength());
    return List.copyOf(found);
  }

  private static void depth(List<AlignmentFinding> found, PeerOffer offer, int resources) {
    int depth = offer.peerInitiatorDepth();
    if (depth > resources) {
      found.add(
          new AlignmentFinding(
              Kind.INITIATOR_DEPTH_EXCEEDS_RESPONDER_RESOURCES,
              resources,
              depth,
              "the peer's initiator depth "
                  + depth
                  + " exceeds our responder resources "
                  + resources
                  + ": READs and ATOMICs beyond that may fail there with remote invalid request"
                  + " error"));
    }
  }

  private static void retryCount(List<AlignmentFinding> found, int count, DriverQuirks quirks) {
    if (count == 0) {
      found.add(
          new AlignmentFinding(
              Kind.RETRY_COUNT_ZERO,
              quirks.maxRetryCount(),
              count,
              "the peer chose retry count 0 for both ends: one lost packet ends the connection"));
    } else if (count == ConnectionParameters.MAX_RETRY_COUNT) {
      found.add(
          new AlignmentFinding(
              Kind.RETRY_COUNT_HIGHEST,
              quirks.maxRetryCount(),
              count,
              count > quirks.maxRetryCount()
                  ? "the peer chose retry count 7, with which driver "
                      + quirks.driver()
                      + " never gives up: a dead peer goes unnoticed"
                  : "the peer chose retry count 7, the highest: a dead peer is noticed late"));
    }
  }

  private static void rnrRetryCount(List<AlignmentFinding> found, int count) {
    if (count == 0) {
      found.add(
          new AlignmentFinding(
              Kind.RNR_RETRY_COUNT_ZERO,
              ConnectionParameters.RNR_RETRY_FOREVER,
              count,
              "the peer chose RNR retry count 0 for our sends: the first that finds no receive"
                  + " posted there fails with RNR retry counter exceeded"));
    } else if (count == ConnectionParameters.RNR_RETRY_FOREVER) {
      found.add(
          new AlignmentFinding(
              Kind.RNR_RETRY_COUNT_FOREVER,
              ConnectionParameters.RNR_RETRY_FOREVER,
              count,
              "the peer chose RNR retry count 7: our sends wait for its receives without an end"));
    }
  }

  private static void privateData(List<AlignmentFinding> found, int length) {
    PrivateDataLimits.Advice advice = PrivateDataLimits.advice(length);
    if (advice != PrivateDataLimits.Advice.NONE) {
      boolean tooLarge = advice == PrivateDataLimits.Advice.TOO_LARGE;
      found.add(
          new AlignmentFinding(
              tooLarge ? Kind.PRIVATE_DATA_TOO_LARGE : Kind.PRIVATE_DATA_LARGE,
              tooLarge ? PrivateDataLimits.WARNED : PrivateDataLimits.ADVISED,
              length,
              "the peer's private data has " + length + " bytes: " + advice.text()));
    }
  }
}
