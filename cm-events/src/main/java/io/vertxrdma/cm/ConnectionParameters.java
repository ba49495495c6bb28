package io.vertxrdma.cm;

import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.Set;

/**
 * What an application wants of a connection; immutable, and one set may serve any number of
 * connections on either side.
 *
 * <p>These are the wishes. What a connection gets is worked out by {@link Negotiation} from the
 * wishes, the device's limits and what the peer asked for. Values that are unsigned bytes in {@code
 * struct rdma_conn_param} (rdma_connect(3)) are {@code int} 0..255 here, so that 255 stays 255.
 *
 * <p>Two rules surprise most people:
 *
 * <ul>
 *   <li>The RNR retry count is crossed: the value given to connect governs how often the
 *       <em>server</em> repeats its sends, the value given to accept how often the <em>client</em>
 *       does (rdma_connect(3), rdma_accept(3)).
 *   <li>The retry count given to connect is used by both ends; accept ignores its own.
 * </ul>
 */
public final class ConnectionParameters {

  /** A depth that means "as many as the device can" ({@code RDMA_MAX_RESP_RES}). */
  public static final int DEVICE_MAXIMUM = 255;

  /** The highest retry count: the wire has 3 bits for it. */
  public static final int MAX_RETRY_COUNT = 7;

  /** The RNR retry count that means "for ever" (ibv_modify_qp(3)). */
  public static final int RNR_RETRY_FOREVER = 7;

  /**
   * Write with immediate, the case this library is made for: depths 1/1, because depths limit READs
   * and ATOMICs only; retry count 7, the highest; RNR retry count 7, so that a slow subscriber
   * makes the sender wait instead of failing it; RNR timer code 12, 0.64 ms, because the CM's own
   * (code 0) makes each missed receive cost 655 ms.
   */
  public static final ConnectionParameters WRITE_WITH_IMMEDIATE =
      new ConnectionParameters(1, 1, 0, 7, 7, 12, NegotiationMode.CLAMP);

  /** What is used when nothing else is said: {@link #WRITE_WITH_IMMEDIATE}. */
  public static final ConnectionParameters DEFAULT = WRITE_WITH_IMMEDIATE;

  /**
   * Sends and receives: depths 1/1 as rping and most samples have them, leaving room for one
   * control READ; counts and timer as in {@link #WRITE_WITH_IMMEDIATE}.
   */
  public static final ConnectionParameters SEND_RECEIVE =
      new ConnectionParameters(1, 1, 0, 7, 7, 12, NegotiationMode.CLAMP);

  /**
   * Many READs or ATOMICs at once: depths 16/16, what common adapters serve per queue pair and what
   * most applications ask for. A device with less is no error, the value is clamped.
   */
  public static final ConnectionParameters READ_HEAVY =
      new ConnectionParameters(16, 16, 0, 7, 7, 12, NegotiationMode.CLAMP);

  /**
   * RoCE on a network that drops packets: retry count 7, the highest, because every loss costs one;
   * depths 4/4, because a lost packet makes everything outstanding go again; RNR timer code 14,
   * 1.28 ms, so that "receiver not ready" does not add packets to a network that is short of room.
   */
  public static final ConnectionParameters LOSSY_ROCE =
      new ConnectionParameters(4, 4, 0, 7, 7, 14, NegotiationMode.CLAMP);

  /**
   * Notice a dead or stuck peer soon rather than wait for it: retry count 2 (about three local ACK
   * timeouts, on RoCE 1.6 s with Linux 6.12 and 6.4 s with 6.1) and RNR retry count 3 (with timer
   * code 12 about 25 ms). For peers that are known to have receives posted.
   */
  public static final ConnectionParameters FAIL_FAST =
      new ConnectionParameters(1, 1, 0, 2, 3, 12, NegotiationMode.CLAMP);

  private static final String RESPONDER_RESOURCES = "responderResources";
  private static final String INITIATOR_DEPTH = "initiatorDepth";
  private static final String FLOW_CONTROL = "flowControl";
  private static final String RETRY_COUNT = "retryCount";
  private static final String RNR_RETRY_COUNT = "rnrRetryCount";
  private static final String MIN_RNR_TIMER = "minRnrTimer";
  private static final String NEGOTIATION = "negotiation";
  private static final Set<String> KEYS =
      Set.of(
          RESPONDER_RESOURCES,
          INITIATOR_DEPTH,
          FLOW_CONTROL,
          RETRY_COUNT,
          RNR_RETRY_COUNT,
          MIN_RNR_TIMER,
          NEGOTIATION);

  private final int responderResources;
  private final int initiatorDepth;
  private final int flowControl;
  private final int retryCount;
  private final int rnrRetryCount;
  private final int minRnrTimer;
  private final NegotiationMode negotiation;

  private ConnectionParameters(
      int responderResources,
      int initiatorDepth,
      int flowControl,
      int retryCount,
      int rnrRetryCount,
      int minRnrTimer,
      NegotiationMode negotiation) {
    this.responderResources = within(RESPONDER_RESOURCES, responderResources, 255);
    this.initiatorDepth = within(INITIATOR_DEPTH, initiatorDepth, 255);
    this.flowControl = within(FLOW_CONTROL, flowControl, 255);
    this.retryCount = within(RETRY_COUNT, retryCount, MAX_RETRY_COUNT);
    this.rnrRetryCount = within(RNR_RETRY_COUNT, rnrRetryCount, RNR_RETRY_FOREVER);
    this.minRnrTimer = within(MIN_RNR_TIMER, minRnrTimer, RnrTimer.MAX_CODE);
    this.negotiation = Objects.requireNonNull(negotiation, NEGOTIATION);
  }

  /**
   * Reads parameters from JSON; what is absent is as in {@link #DEFAULT}.
   *
   * @param json keys named as the properties here, {@code negotiation} being clamp or strict
   * @throws IllegalArgumentException naming the key, for an unknown key, a value that is no whole
   *     number, or one out of range
   */
  public ConnectionParameters(JsonObject json) {
    this(
        number(json, RESPONDER_RESOURCES, DEFAULT.responderResources),
        number(json, INITIATOR_DEPTH, DEFAULT.initiatorDepth),
        number(json, FLOW_CONTROL, DEFAULT.flowControl),
        number(json, RETRY_COUNT, DEFAULT.retryCount),
        number(json, RNR_RETRY_COUNT, DEFAULT.rnrRetryCount),
        number(json, MIN_RNR_TIMER, DEFAULT.minRnrTimer),
        mode(json));
    for (String key : json.fieldNames()) {
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException(
            "unknown connection parameter \""
                + key
                + "\"; known are "
                + KEYS.stream().sorted().toList());
      }
    }
  }

  /** Same as {@link #ConnectionParameters(JsonObject)}. */
  public static ConnectionParameters fromJson(JsonObject json) {
    return new ConnectionParameters(json);
  }

  /** Every property, whether it differs from the default or not. */
  public JsonObject toJson() {
    return new JsonObject()
        .put(RESPONDER_RESOURCES, responderResources)
        .put(INITIATOR_DEPTH, initiatorDepth)
        .put(FLOW_CONTROL, flowControl)
        .put(RETRY_COUNT, retryCount)
        .put(RNR_RETRY_COUNT, rnrRetryCount)
        .put(MIN_RNR_TIMER, minRnrTimer)
        .put(NEGOTIATION, negotiation.jsonName());
  }

  /** An unsigned byte that Java shows as a signed one: {@code octet((byte) -1)} is 255. */
  public static int octet(byte value) {
    return Byte.toUnsignedInt(value);
  }

  /**
   * READ and ATOMIC requests this side serves at once, 0..255; 255 means the device's maximum. With
   * 0 the peer can't READ at all; writes and sends don't care.
   */
  public int responderResources() {
    return responderResources;
  }

  /**
   * READ and ATOMIC requests this side may have outstanding, 0..255; 255 means the device's
   * maximum.
   */
  public int initiatorDepth() {
    return initiatorDepth;
  }

  /** Carried to the peer, 0..255; no kernel driver acts on it. */
  public int flowControl() {
    return flowControl;
  }

  /**
   * How often either end repeats an unacknowledged packet before it gives up, 0..7. Given to
   * connect it holds for both ends; accept ignores it.
   */
  public int retryCount() {
    return retryCount;
  }

  /** How often the <em>peer</em> repeats after "receiver not ready", 0..7; 7 means for ever. */
  public int rnrRetryCount() {
    return rnrRetryCount;
  }

  /**
   * How long this side asks senders to wait after "receiver not ready": a code 0..31, see {@link
   * RnrTimer}; 12 is 0.64 ms and 0 is 655.36 ms. Set on the queue pair once connected, because the
   * CM has no field for it.
   */
  public int minRnrTimer() {
    return minRnrTimer;
  }

  /** Whether values that are not allowed are clamped or refused. */
  public NegotiationMode negotiation() {
    return negotiation;
  }

  /**
   * Same with another {@link #responderResources()}.
   *
   * @throws IllegalArgumentException unless 0..255
   */
  public ConnectionParameters withResponderResources(int value) {
    return new ConnectionParameters(
        value, initiatorDepth, flowControl, retryCount, rnrRetryCount, minRnrTimer, negotiation);
  }

  /** Same with another {@link #responderResources()} from an unsigned byte: -1 is 255. */
  public ConnectionParameters withResponderResources(byte value) {
    return withResponderResources(octet(value));
  }

  /**
   * Same with another {@link #initiatorDepth()}.
   *
   * @throws IllegalArgumentException unless 0..255
   */
  public ConnectionParameters withInitiatorDepth(int value) {
    return new ConnectionParameters(
        responderResources,
        value,
        flowControl,
        retryCount,
        rnrRetryCount,
        minRnrTimer,
        negotiation);
  }

  /** Same with another {@link #initiatorDepth()} from an unsigned byte: -1 is 255. */
  public ConnectionParameters withInitiatorDepth(byte value) {
    return withInitiatorDepth(octet(value));
  }

  /**
   * Same with another {@link #flowControl()}.
   *
   * @throws IllegalArgumentException unless 0..255
   */
  public ConnectionParameters withFlowControl(int value) {
    return new ConnectionParameters(
        responderResources,
        initiatorDepth,
        value,
        retryCount,
        rnrRetryCount,
        minRnrTimer,
        negotiation);
  }

  /**
   * Same with another {@link #retryCount()}.
   *
   * @throws IllegalArgumentException unless 0..7
   */
  public ConnectionParameters withRetryCount(int value) {
    return new ConnectionParameters(
        responderResources,
        initiatorDepth,
        flowControl,
        value,
        rnrRetryCount,
        minRnrTimer,
        negotiation);
  }

  /**
   * Same with another {@link #rnrRetryCount()}.
   *
   * @throws IllegalArgumentException unless 0..7
   */
  public ConnectionParameters withRnrRetryCount(int value) {
    return new ConnectionParameters(
        responderResources,
        initiatorDepth,
        flowControl,
        retryCount,
        value,
        minRnrTimer,
        negotiation);
  }

  /**
   * Same with another {@link #minRnrTimer()}.
   *
   * @throws IllegalArgumentException unless 0..31
   */
  public ConnectionParameters withMinRnrTimer(int value) {
    return new ConnectionParameters(
        responderResources,
        initiatorDepth,
        flowControl,
        retryCount,
        rnrRetryCount,
        value,
        negotiation);
  }

  /** Same with another {@link #negotiation()}. */
  public ConnectionParameters withNegotiation(NegotiationMode value) {
    return new ConnectionParameters(
        responderResources,
        initiatorDepth,
        flowControl,
        retryCount,
        rnrRetryCount,
        minRnrTimer,
        value);
  }

  private static int within(String name, long value, int limit) {
    if (value < 0 || value > limit) {
      throw new IllegalArgumentException(name + " must be 0.." + limit + ", was " + value);
    }
    return (int) value;
  }

  private static int number(JsonObject json, String key, int otherwise) {
    if (!json.containsKey(key)) {
      return otherwise;
    }
    Object value = json.getValue(key);
    if (value instanceof Number number && number.doubleValue() == number.intValue()) {
      return number.intValue();
    }
    throw new IllegalArgumentException(key + " must be a whole number, was " + value);
  }

  private static NegotiationMode mode(JsonObject json) {
    if (!json.containsKey(NEGOTIATION)) {
      return DEFAULT.negotiation;
    }
    return NegotiationMode.ofJsonName(String.valueOf(json.getValue(NEGOTIATION)));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ConnectionParameters that
        && responderResources == that.responderResources
        && initiatorDepth == that.initiatorDepth
        && flowControl == that.flowControl
        && retryCount == that.retryCount
        && rnrRetryCount == that.rnrRetryCount
        && minRnrTimer == that.minRnrTimer
        && negotiation == that.negotiation;
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        responderResources,
        initiatorDepth,
        flowControl,
        retryCount,
        rnrRetryCount,
        minRnrTimer,
        negotiation);
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
        + " minRnrTimer="
        + minRnrTimer
        + " ("
        + RnrTimer.text(minRnrTimer)
        + ") negotiation="
        + negotiation.jsonName();
  }
}
