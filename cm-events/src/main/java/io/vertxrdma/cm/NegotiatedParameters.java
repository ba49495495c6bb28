package io.vertxrdma.cm;

import io.vertxrdma.core.ConnParam;
import java.util.List;

/**
 * What a connection gets: the outcome of {@link Negotiation}.
 *
 * @param wanted what the application wanted
 * @param responderResources READ and ATOMIC requests served at once, 0..255
 * @param initiatorDepth READ and ATOMIC requests outstanding at once, 0..255
 * @param nativeResponderResources what to hand to the CM for it: the same number, or 255 ("device
 *     maximum") where librdmacm would refuse the number, see {@link DeviceLimits}
 * @param nativeInitiatorDepth likewise for the initiator depth
 * @param flowControl 0..255
 * @param retryCount 0..7; at the passive side the one of the request, which rules both ends
 * @param rnrRetryCount 0..7, how often the peer repeats towards us
 * @param minRnrTimer code 0..31, to be set on the queue pair once connected
 * @param adjustments where this differs from what was wanted
 * @param findings what both ends' values together make likely to go wrong
 * @param refusals why the CM may refuse these values with EINVAL all the same; told only if it does
 */
public record NegotiatedParameters(
    ConnectionParameters wanted,
    int responderResources,
    int initiatorDepth,
    int nativeResponderResources,
    int nativeInitiatorDepth,
    int flowControl,
    int retryCount,
    int rnrRetryCount,
    int minRnrTimer,
    List<Adjustment> adjustments,
    List<AlignmentFinding> findings,
    List<String> refusals) {

  /** Copies the lists. */
  public NegotiatedParameters {
    adjustments = List.copyOf(adjustments);
    findings = List.copyOf(findings);
    refusals = List.copyOf(refusals);
  }

  /**
   * Refuses a READ or ATOMIC that this connection has no room for at all. Needed before posting
   * one: a device refuses it at best, and on rxe it never completes ({@link
   * DriverQuirks#readWithDepthZeroHangs()}).
   *
   * @throws IllegalStateException when the initiator depth is 0
   */
  public void checkRead() {
    if (initiatorDepth == 0) {
      throw new IllegalStateException(
          "this connection can't READ: its initiator depth is 0 (wanted "
              + wanted.initiatorDepth()
              + "; the peer's responder resources or the device allow no more)");
    }
  }

  /** Those findings that deserve a warning. */
  public List<AlignmentFinding> warnings() {
    return findings.stream()
        .filter(found -> found.kind().severity() == AlignmentFinding.Severity.WARN)
        .toList();
  }

  /** Whether the application gets less than it asked for on purpose. */
  public boolean clamped() {
    return adjustments.stream().anyMatch(a -> a.severity() == Adjustment.Severity.WARN);
  }

  /**
   * The struct for connect or accept, every field written.
   *
   * @param privateData checked with {@link PrivateDataLimits}; null means none
   * @param sharedReceiveQueue whether the queue pair takes receives from a shared queue; the peer
   *     is told, so it has to be true
   */
  public ConnParam toConnParam(byte[] privateData, boolean sharedReceiveQueue) {
    return new ConnParam(
        privateData,
        nativeResponderResources,
        nativeInitiatorDepth,
        flowControl,
        retryCount,
        rnrRetryCount,
        sharedReceiveQueue,
        0);
  }

  /** One line with every value and adjustment. */
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
        + " minRnrTimer="
        + minRnrTimer
        + " ("
        + RnrTimer.text(minRnrTimer)
        + ")"
        + (adjustments.isEmpty() ? "" : " adjusted=" + adjustments)
        + (warnings().isEmpty() ? "" : " warnings=" + warnings());
  }
}
