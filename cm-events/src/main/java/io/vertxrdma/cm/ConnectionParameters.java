package io.vertxrdma.cm;

import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.Objects;
import java.util.TreeSet;

/**
 * What an application wants of a connection; immutable, and one set may serve any number of
 * connections on either side. The constants are presets for the usual scenarios, with their
 * reasons; {@link ConnectionPreset} has their names.
 *
 * <p>These are the wishes. What a connection gets is worked out by {@link Negotiation} from the
 * wishes, the device's limits and what the peer asked for. Values that are unsigned bytes in {@code
 * struct rdma_conn_param} (rdma_connect(3)) are {@code int} 0..255 here, so that 255 stays 255.
 *
 * <p>The struct's other fields take care of themselves: private data belongs to the call, the SRQ
 * flag says what the queue pair is made of, and the queue pair number is left 0, because the CM
 * takes it from the queue pair. (Only a datagram id without a queue pair of its own would say it.)
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

  /**
   * The RNR retry count that means "for ever": drivers don't count it down (rxe_comp.c in Linux).
   */
  public static final int RNR_RETRY_FOREVER = 7;

  /**
   * Write with immediate, the case this library is made for: depths 1/1, because depths limit READs
   * and ATOMICs only; retry count 7, the highest; RNR retry count 7, so that a slow subscriber
   * makes the sender wait instead of failing it; RNR timer code 12, 0.64 ms, because the CM's own
   * (code 0) makes each missed receive cost 655 ms.
   */
  public static final ConnectionParameters WRITE_WITH_IMMEDIATE =
      new ConnectionParameters(1, 7, 7, 12);

  /** What is used when nothing else is said: {@link #WRITE_WITH_IMMEDIATE}. */
  public static final ConnectionParameters DEFAULT = WRITE_WITH_IMMEDIATE;

  /**
   * Sends and receives only: depths 1/1 as rping and most samples have them, leaving room for one
   * control READ; counts and timer as in {@link #WRITE_WITH_IMMEDIATE}.
   */
  public static final ConnectionParameters SEND_RECEIVE = new ConnectionParameters(1, 7, 7, 12);

  /**
   * Many READs or ATOMICs at once: depths 16/16, what common adapters serve per queue pair and what
   * most applications ask for. A device with less is no error, the value is clamped; who can't do
   * with fewer than 4 sets {@link #minInitiatorDepth()} to 4.
   */
  public static final ConnectionParameters READ_HEAVY = new ConnectionParameters(16, 7, 7, 12);

  /**
   * RoCE on a network that drops packets: retry count 7, the highest, because every loss costs one;
   * depths 4/4, because a lost packet makes everything outstanding go again; RNR timer code 14,
   * 1.28 ms, so that "receiver not ready" does not add packets to a network that is short of room.
   */
  public static final ConnectionParameters LOSSY_ROCE = new ConnectionParameters(4, 7, 7, 14);

  /**
   * For development: notice a dead or stuck peer soon rather than wait for it. Retry count 2 (about
   * three local ACK timeouts, on RoCE 1.6 s with Linux 6.12 and 6.4 s with 6.1) and RNR retry count
   * 3 (with timer code 12 about 25 ms), so that a forgotten receive is an error and not a pause.
   */
  public static final ConnectionParameters FAIL_FAST = new ConnectionParameters(1, 2, 3, 12);

  private static final String PRESET = "preset";
  private static final String NEGOTIATION = "negotiation";

  /** The numbers, in the order in which they are told. */
  private enum Field {
    RESPONDER_RESOURCES("responderResources", DEVICE_MAXIMUM),
    INITIATOR_DEPTH("initiatorDepth", DEVICE_MAXIMUM),
    MIN_RESPONDER_RESOURCES("minResponderResources", DEVICE_MAXIMUM),
    MIN_INITIATOR_DEPTH("minInitiatorDepth", DEVICE_MAXIMUM),
    FLOW_CONTROL("flowControl", 255),
    RETRY_COUNT("retryCount", MAX_RETRY_COUNT),
    RNR_RETRY_COUNT("rnrRetryCount", RNR_RETRY_FOREVER),
    MIN_RNR_TIMER("minRnrTimer", RnrTimer.MAX_CODE);

    private final String key;
    private final int limit;

    Field(String key, int limit) {
      this.key = key;
      this.limit = limit;
    }

    int check(int value) {
      if (value < 0 || value > limit) {
        throw new IllegalArgumentException(key + " must be 0.." + limit + ", was " + value);
      }
      return value;
    }
  }

  private final int[] values;
  private final NegotiationMode negotiation;

  private ConnectionParameters(int[] values, NegotiationMode negotiation) {
    this.values = values;
    this.negotiation = Objects.requireNonNull(negotiation, NEGOTIATION);
    for (Field field : Field.values()) {
      field.check(get(field));
    }
    checkMinimum(Field.MIN_RESPONDER_RESOURCES, Field.RESPONDER_RESOURCES);
    checkMinimum(Field.MIN_INITIATOR_DEPTH, Field.INITIATOR_DEPTH);
  }

  /** A preset: no minimums, flow control 0, clamping. */
  private ConnectionParameters(int depths, int retryCount, int rnrRetryCount, int minRnrTimer) {
    this(
        new int[] {depths, depths, 0, 0, 0, retryCount, rnrRetryCount, minRnrTimer},
        NegotiationMode.CLAMP);
  }

  /**
   * Reads parameters from JSON: the values of a preset with some of them replaced, for example
   * {@code {"preset": "lossy-roce", "retryCount": 5}}.
   *
   * @param json {@code preset} being a name of {@link ConnectionPreset}, without it {@link
   *     #DEFAULT}; the other keys named as the properties here, {@code negotiation} being clamp or
   *     strict
   * @throws IllegalArgumentException naming the key, for an unknown key or preset, a value that is
   *     no whole number, or one out of range
   */
  public ConnectionParameters(JsonObject json) {
    this(numbers(json), mode(json));
    TreeSet<String> known = new TreeSet<>();
    known.add(PRESET);
    known.add(NEGOTIATION);
    for (Field field : Field.values()) {
      known.add(field.key);
    }
    for (String key : json.fieldNames()) {
      if (!known.contains(key)) {
        throw new IllegalArgumentException(
            "unknown connection parameter \"" + key + "\"; known are " + known);
      }
    }
  }

  /** Same as {@link #ConnectionParameters(JsonObject)}. */
  public static ConnectionParameters fromJson(JsonObject json) {
    return new ConnectionParameters(json);
  }

  /** Every property, whether it differs from the default or not. */
  public JsonObject toJson() {
    JsonObject json = new JsonObject();
    for (Field field : Field.values()) {
      json.put(field.key, get(field));
    }
    return json.put(NEGOTIATION, negotiation.jsonName());
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
    return get(Field.RESPONDER_RESOURCES);
  }

  /**
   * READ and ATOMIC requests this side may have outstanding, 0..255; 255 means the device's
   * maximum.
   */
  public int initiatorDepth() {
    return get(Field.INITIATOR_DEPTH);
  }

  /**
   * The low watermark of {@link #responderResources()}, 0..255: with a device that can't serve so
   * many at once, connect and accept are refused instead of clamped. A peer that needs fewer is no
   * reason to refuse.
   */
  public int minResponderResources() {
    return get(Field.MIN_RESPONDER_RESOURCES);
  }

  /**
   * The low watermark of {@link #initiatorDepth()}, 0..255: when device or peer allow fewer,
   * connect and accept are refused instead of clamped.
   */
  public int minInitiatorDepth() {
    return get(Field.MIN_INITIATOR_DEPTH);
  }

  /** Carried to the peer, 0..255; 0 in every preset, because no kernel driver acts on it. */
  public int flowControl() {
    return get(Field.FLOW_CONTROL);
  }

  /**
   * How often either end repeats an unacknowledged packet before it gives up, 0..7. Given to
   * connect it holds for both ends; accept ignores it.
   */
  public int retryCount() {
    return get(Field.RETRY_COUNT);
  }

  /** How often the <em>peer</em> repeats after "receiver not ready", 0..7; 7 means for ever. */
  public int rnrRetryCount() {
    return get(Field.RNR_RETRY_COUNT);
  }

  /**
   * How long this side asks senders to wait after "receiver not ready": a code 0..31, see {@link
   * RnrTimer}; 12 is 0.64 ms and 0 is 655.36 ms. Set on the queue pair once connected, because the
   * CM has no field for it.
   */
  public int minRnrTimer() {
    return get(Field.MIN_RNR_TIMER);
  }

  /** Whether values that are not allowed are clamped or refused. */
  public NegotiationMode negotiation() {
    return negotiation;
  }

  /**
   * Same with another {@link #responderResources()}.
   *
   * @throws IllegalArgumentException unless 0..255 and not below the minimum
   */
  public ConnectionParameters withResponderResources(int value) {
    return with(Field.RESPONDER_RESOURCES, value);
  }

  /** Same with another {@link #responderResources()} from an unsigned byte: -1 is 255. */
  public ConnectionParameters withResponderResources(byte value) {
    return withResponderResources(octet(value));
  }

  /**
   * Same with another {@link #initiatorDepth()}.
   *
   * @throws IllegalArgumentException unless 0..255 and not below the minimum
   */
  public ConnectionParameters withInitiatorDepth(int value) {
    return with(Field.INITIATOR_DEPTH, value);
  }

  /** Same with another {@link #initiatorDepth()} from an unsigned byte: -1 is 255. */
  public ConnectionParameters withInitiatorDepth(byte value) {
    return withInitiatorDepth(octet(value));
  }

  /**
   * Same with another {@link #minResponderResources()}.
   *
   * @throws IllegalArgumentException unless 0..255 and at most {@link #responderResources()}
   */
  public ConnectionParameters withMinResponderResources(int value) {
    return with(Field.MIN_RESPONDER_RESOURCES, value);
  }

  /**
   * Same with another {@link #minInitiatorDepth()}.
   *
   * @throws IllegalArgumentException unless 0..255 and at most {@link #initiatorDepth()}
   */
  public ConnectionParameters withMinInitiatorDepth(int value) {
    return with(Field.MIN_INITIATOR_DEPTH, value);
  }

  /**
   * Same with another {@link #flowControl()}.
   *
   * @throws IllegalArgumentException unless 0..255
   */
  public ConnectionParameters withFlowControl(int value) {
    return with(Field.FLOW_CONTROL, value);
  }

  /**
   * Same with another {@link #retryCount()}.
   *
   * @throws IllegalArgumentException unless 0..7
   */
  public ConnectionParameters withRetryCount(int value) {
    return with(Field.RETRY_COUNT, value);
  }

  /**
   * Same with another {@link #rnrRetryCount()}.
   *
   * @throws IllegalArgumentException unless 0..7
   */
  public ConnectionParameters withRnrRetryCount(int value) {
    return with(Field.RNR_RETRY_COUNT, value);
  }

  /**
   * Same with another {@link #minRnrTimer()}.
   *
   * @throws IllegalArgumentException unless 0..31
   */
  public ConnectionParameters withMinRnrTimer(int value) {
    return with(Field.MIN_RNR_TIMER, value);
  }

  /** Same with another {@link #negotiation()}. */
  public ConnectionParameters withNegotiation(NegotiationMode value) {
    return new ConnectionParameters(values, value);
  }

  private ConnectionParameters with(Field field, int value) {
    int[] changed = values.clone();
    changed[field.ordinal()] = value;
    return new ConnectionParameters(changed, negotiation);
  }

  private int get(Field field) {
    return values[field.ordinal()];
  }

  private void checkMinimum(Field minimum, Field wish) {
    if (get(minimum) > get(wish)) {
      throw new IllegalArgumentException(
          minimum.key
              + " must be at most "
              + wish.key
              + ", "
              + get(wish)
              + ", was "
              + get(minimum));
    }
  }

  private static ConnectionParameters base(JsonObject json) {
    return json.containsKey(PRESET)
        ? ConnectionPreset.ofJsonName(String.valueOf(json.getValue(PRESET))).parameters()
        : DEFAULT;
  }

  private static int[] numbers(JsonObject json) {
    int[] numbers = base(json).values.clone();
    for (Field field : Field.values()) {
      if (json.containsKey(field.key)) {
        Object value = json.getValue(field.key);
        if (!(value instanceof Number number) || number.doubleValue() != number.intValue()) {
          throw new IllegalArgumentException(field.key + " must be a whole number, was " + value);
        }
        numbers[field.ordinal()] = field.check(number.intValue());
      }
    }
    return numbers;
  }

  private static NegotiationMode mode(JsonObject json) {
    return json.containsKey(NEGOTIATION)
        ? NegotiationMode.ofJsonName(String.valueOf(json.getValue(NEGOTIATION)))
        : base(json).negotiation;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ConnectionParameters that
        && Arrays.equals(values, that.values)
        && negotiation == that.negotiation;
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(values) + negotiation.ordinal();
  }

  /** One line with every value; the minimums only when they are set. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Field field : Field.values()) {
      boolean minimum =
          field == Field.MIN_RESPONDER_RESOURCES || field == Field.MIN_INITIATOR_DEPTH;
      if (!minimum || get(field) > 0) {
        text.append(field.key).append('=').append(get(field)).append(' ');
      }
    }
    return text + "(" + RnrTimer.text(minRnrTimer()) + ") negotiation=" + negotiation.jsonName();
  }
}
