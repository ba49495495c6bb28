package io.vertxrdma.cm;

import io.vertxrdma.cm.Adjustment.Severity;
import java.util.ArrayList;
import java.util.List;

/**
 * Works out the parameters of a connection from what is wanted, what the device allows and what the
 * peer asked for. Pure: same input, same outcome, nothing is logged and nothing called.
 *
 * <p>Why it is needed: librdmacm does not clamp depths, it refuses them with EINVAL and names no
 * field (librdmacm/cma.c, ucma_valid_param). Each depth is the smallest of all that bounds it; a
 * higher wish or limit never makes an outcome smaller. 255 means the device's maximum and is met by
 * whatever that is, without an adjustment.
 *
 * <p>With {@link NegotiationMode#STRICT} a depth above the device's maximum, or an initiator depth
 * above what the peer serves, throws {@link NegotiationException} instead; so does, in either mode,
 * a depth below its minimum. Trimming responder resources to what the peer asked for loses nothing,
 * and neither does a driver quirk: these never throw.
 */
public final class Negotiation {

  private static final String CONNECT = "rdma_connect";
  private static final String ACCEPT = "rdma_accept";
  private static final String RESPONDER_RESOURCES = "responderResources";
  private static final String INITIATOR_DEPTH = "initiatorDepth";
  private static final String RETRY_COUNT = "retryCount";

  private final String operation;
  private final ConnectionParameters wanted;
  private final DeviceLimits limits;
  private final List<Adjustment> adjustments = new ArrayList<>();
  private final List<String> refusals = new ArrayList<>();

  private Negotiation(String operation, ConnectionParameters wanted, DeviceLimits limits) {
    this.operation = operation;
    this.wanted = wanted;
    this.limits = limits;
  }

  /** As {@link #forConnect(ConnectionParameters, DeviceLimits, DriverQuirks)}, without quirks. */
  public static NegotiatedParameters forConnect(ConnectionParameters wanted, DeviceLimits limits) {
    return forConnect(wanted, limits, DriverQuirks.NONE);
  }

  /**
   * What to ask for as the active side.
   *
   * @param wanted the application's wishes
   * @param limits the device's limits
   * @param quirks the driver's quirks; on rxe a retry count of 7 becomes 6
   * @throws NegotiationException when strict and above a limit
   */
  public static NegotiatedParameters forConnect(
      ConnectionParameters wanted, DeviceLimits limits, DriverQuirks quirks) {
    Negotiation run = new Negotiation(CONNECT, wanted, limits);
    int resources = run.responderResources(null);
    int depth = run.initiatorDepth(null);
    int retries = Math.min(wanted.retryCount(), quirks.maxRetryCount());
    if (retries < wanted.retryCount()) {
      run.adjust(
          RETRY_COUNT,
          wanted.retryCount(),
          retries,
          "driver " + quirks.driver() + " never gives up with a higher one",
          Severity.INFO);
    }
    return run.outcome(resources, depth, retries, List.of());
  }

  /** As the one with {@link DriverQuirks}, without quirks. */
  public static NegotiatedParameters forAccept(
      ConnectionParameters wanted, DeviceLimits limits, PeerOffer offer) {
    return forAccept(wanted, limits, offer, DriverQuirks.NONE);
  }

  /**
   * What to grant as the passive side.
   *
   * <p>The initiator depth is held to what the peer serves; a peer answers READs beyond that with
   * "remote invalid request error". Responder resources are held to what the peer asked for: the
   * active CM writes the reply's depths into its queue pair unseen, and more than its device has
   * ends the attempt there with CONNECT_ERROR. (With 255 librdmacm does the same by itself.)
   *
   * @param wanted the application's wishes; nothing is copied from the request
   * @param limits the device's limits
   * @param offer the request, as its event shows it
   * @param quirks the driver's quirks; the retry count is the peer's to choose, so a quirk there is
   *     only told of in the findings
   * @throws NegotiationException when strict and above a limit
   */
  public static NegotiatedParameters forAccept(
      ConnectionParameters wanted, DeviceLimits limits, PeerOffer offer, DriverQuirks quirks) {
    Negotiation run = new Negotiation(ACCEPT, wanted, limits);
    int resources = run.responderResources(offer);
    int depth = run.initiatorDepth(offer);
    if (offer.retryCount() != wanted.retryCount()) {
      run.adjust(
          RETRY_COUNT,
          wanted.retryCount(),
          offer.retryCount(),
          "the request's rules both ends",
          Severity.INFO);
    }
    return run.outcome(
        resources, depth, offer.retryCount(), Alignment.ofRequest(offer, resources, quirks));
  }

  /**
   * What the active side has in the end, from what it asked for and what the reply says.
   *
   * @param asked what {@link #forConnect} gave
   * @param reply the ESTABLISHED event's values, as the event shows them
   * @throws NegotiationException when the peer serves fewer than asked for and that is not allowed
   */
  public static NegotiatedParameters forReply(NegotiatedParameters asked, PeerOffer reply) {
    Negotiation run = new Negotiation(CONNECT, asked.wanted(), null);
    run.adjustments.addAll(asked.adjustments());
    int depth = Math.min(asked.initiatorDepth(), reply.initiatorDepth());
    int want = asked.wanted().initiatorDepth();
    if (depth < asked.initiatorDepth() && want != ConnectionParameters.DEVICE_MAXIMUM) {
      String reason = peerServes(reply);
      run.refuseIfStrict(INITIATOR_DEPTH, want, depth, reason);
      run.adjust(
          INITIATOR_DEPTH, asked.initiatorDepth(), depth, reason, lossOf(asked.initiatorDepth()));
    }
    run.checkMinimum(
        "minInitiatorDepth", asked.wanted().minInitiatorDepth(), depth, peerServes(reply));
    return new NegotiatedParameters(
        asked.wanted(),
        Math.min(asked.responderResources(), reply.responderResources()),
        depth,
        asked.nativeResponderResources(),
        asked.nativeInitiatorDepth(),
        asked.flowControl(),
        asked.retryCount(),
        asked.rnrRetryCount(),
        asked.minRnrTimer(),
        run.adjustments,
        Alignment.ofReply(reply, asked.responderResources()),
        asked.refusals());
  }

  private int responderResources(PeerOffer offer) {
    int want = wanted.responderResources();
    int device = limits.usableResponderResources();
    int asked = offer == null ? ConnectionParameters.DEVICE_MAXIMUM : offer.responderResources();
    int used = Math.min(Math.min(want, device), asked);
    checkMinimum(
        "minResponderResources",
        wanted.minResponderResources(),
        Math.min(want, device),
        deviceMaximum("max_qp_rd_atom", limits.maxResponderResources()));
    if (want == ConnectionParameters.DEVICE_MAXIMUM || used == want) {
      return used;
    }
    if (want > device) {
      String reason = deviceMaximum("max_qp_rd_atom", limits.maxResponderResources());
      refuseIfStrict(RESPONDER_RESOURCES, want, limits.maxResponderResources(), reason);
      adjust(RESPONDER_RESOURCES, want, used, reason + needs(used, device), Severity.WARN);
    } else {
      adjust(RESPONDER_RESOURCES, want, used, "the peer needs " + asked, Severity.INFO);
    }
    return used;
  }

  private int initiatorDepth(PeerOffer offer) {
    int want = wanted.initiatorDepth();
    int device = limits.usableInitiatorDepth();
    int served = offer == null ? ConnectionParameters.DEVICE_MAXIMUM : offer.initiatorDepth();
    int used = Math.min(Math.min(want, device), served);
    checkMinimum(
        "minInitiatorDepth",
        wanted.minInitiatorDepth(),
        used,
        device <= served
            ? deviceMaximum("max_qp_init_rd_atom", limits.maxInitiatorDepth())
            : peerServes(offer));
    if (want == ConnectionParameters.DEVICE_MAXIMUM || used == want) {
      return used;
    }
    if (device <= served) {
      String reason = deviceMaximum("max_qp_init_rd_atom", limits.maxInitiatorDepth());
      refuseIfStrict(INITIATOR_DEPTH, want, limits.maxInitiatorDepth(), reason);
      adjust(INITIATOR_DEPTH, want, used, reason, Severity.WARN);
    } else {
      String reason = peerServes(offer);
      refuseIfStrict(INITIATOR_DEPTH, want, served, reason);
      adjust(INITIATOR_DEPTH, want, used, reason, lossOf(want));
    }
    return used;
  }

  private NegotiatedParameters outcome(
      int resources, int depth, int retries, List<AlignmentFinding> findings) {
    return new NegotiatedParameters(
        wanted,
        resources,
        depth,
        forNative(
            RESPONDER_RESOURCES,
            wanted.responderResources(),
            resources,
            limits.maxResponderResources(),
            limits.librdmacmResponderResources()),
        forNative(
            INITIATOR_DEPTH,
            wanted.initiatorDepth(),
            depth,
            limits.maxInitiatorDepth(),
            limits.librdmacmInitiatorDepth()),
        wanted.flowControl(),
        retries,
        wanted.rnrRetryCount(),
        wanted.minRnrTimer(),
        adjustments,
        findings,
        refusals);
  }

  /** The number itself, unless librdmacm narrowed the device's limit below it. */
  private int forNative(String field, int want, int used, long device, int believed) {
    if (used <= believed) {
      return used;
    }
    if (want == ConnectionParameters.DEVICE_MAXIMUM) {
      return ConnectionParameters.DEVICE_MAXIMUM;
    }
    refusals.add(
        field
            + " "
            + used
            + " may be what is refused: the device offers "
            + device
            + ", of which librdmacm keeps the low byte, "
            + believed
            + "; ask for 255 (device maximum) or at most "
            + believed);
    return used;
  }

  private void adjust(String field, int want, int used, String reason, Severity severity) {
    adjustments.add(new Adjustment(field, want, used, reason, severity));
  }

  private void refuseIfStrict(String field, int want, long limit, String reason) {
    if (wanted.negotiation() == NegotiationMode.STRICT) {
      throw new NegotiationException(operation, field, want, limit, reason);
    }
  }

  private void checkMinimum(String field, int least, int possible, String reason) {
    if (possible < least) {
      throw new NegotiationException(operation, field, least, possible, reason);
    }
  }

  private static String deviceMaximum(String attribute, long value) {
    return "device maximum " + attribute + " is " + value;
  }

  private static String needs(int used, int device) {
    return used < device ? ", and the peer needs " + used : "";
  }

  private static String peerServes(PeerOffer offer) {
    return "the peer's responder resources are " + offer.peerResponderResources();
  }

  /** Losing no more than the default depth is no news: most peers that never READ say 0. */
  private static Severity lossOf(int want) {
    return want > ConnectionParameters.DEFAULT.initiatorDepth() ? Severity.WARN : Severity.INFO;
  }
}
