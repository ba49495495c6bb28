package io.vertxrdma.reactive;

import io.vertx.core.json.JsonObject;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.ConnectionPreset;
import io.vertxrdma.core.ProviderSelection;
import io.vertxrdma.reactive.metrics.RdmaMetrics;
import java.util.Objects;

/**
 * What servers and clients have in common.
 *
 * @param <T> the options type itself, for chaining
 */
public abstract class RdmaOptions<T extends RdmaOptions<T>> {

  /** The default provider selection: see {@link ProviderSelection}. */
  public static final String DEFAULT_PROVIDER = ProviderSelection.AUTO;

  /** The default number of receives posted, and of immediates that can wait. */
  public static final int DEFAULT_RECEIVE_DEPTH = 256;

  /** The default number of send operations the queue pair holds. */
  public static final int DEFAULT_SEND_DEPTH = 256;

  /** The default time a close waits for the peer and for flushed work, milliseconds. */
  public static final int DEFAULT_CLOSE_TIMEOUT = 2_000;

  /** The value of an option that follows from others, see its getter. */
  public static final int DERIVED = -1;

  /** The most milliseconds between heartbeats: an hour. */
  public static final int MAX_HEARTBEAT_INTERVAL = 3_600_000;

  private static final int MAX_DEPTH = 1 << 20;
  private static final int MAX_REFILL = 64;

  private String provider = DEFAULT_PROVIDER;
  private ConnectionParameters parameters = ConnectionParameters.DEFAULT;
  private int receiveDepth = DEFAULT_RECEIVE_DEPTH;
  private int receiveLowWatermark = DERIVED;
  private int receiveRefillBatch = DERIVED;
  private int sendDepth = DEFAULT_SEND_DEPTH;
  private int writeQueueMaxSize = DERIVED;
  private int writeQueueLowWatermark = DERIVED;
  private int pollSpinMicros;
  private int closeTimeout = DEFAULT_CLOSE_TIMEOUT;
  private boolean reuseAddress;
  private int typeOfService = -1;
  private int ackTimeout = -1;
  private RdmaMetrics metrics = RdmaMetrics.NONE;
  private int heartbeatInterval;
  private int maxScatterGather = DERIVED;
  private int maxInlineData;
  private int receiveBufferSize;
  private SharedReceiveOptions sharedReceives;

  RdmaOptions() {}

  RdmaOptions(RdmaOptions<?> other) {
    this.provider = other.provider;
    this.parameters = other.parameters;
    this.receiveDepth = other.receiveDepth;
    this.receiveLowWatermark = other.receiveLowWatermark;
    this.receiveRefillBatch = other.receiveRefillBatch;
    this.sendDepth = other.sendDepth;
    this.writeQueueMaxSize = other.writeQueueMaxSize;
    this.writeQueueLowWatermark = other.writeQueueLowWatermark;
    this.pollSpinMicros = other.pollSpinMicros;
    this.closeTimeout = other.closeTimeout;
    this.reuseAddress = other.reuseAddress;
    this.typeOfService = other.typeOfService;
    this.ackTimeout = other.ackTimeout;
    this.metrics = other.metrics;
    this.heartbeatInterval = other.heartbeatInterval;
    this.maxScatterGather = other.maxScatterGather;
    this.maxInlineData = other.maxInlineData;
    this.receiveBufferSize = other.receiveBufferSize;
    this.sharedReceives =
        other.sharedReceives == null ? null : new SharedReceiveOptions(other.sharedReceives);
  }

  abstract T self();

  /** Reads the common keys; returns whether the key was one of them. */
  boolean read(String key, JsonObject json) {
    switch (key) {
      case "provider" -> setProvider(JsonValues.text(key, json));
      case "parameters" -> setParameters(parameters(key, json));
      case "receiveDepth" -> setReceiveDepth(JsonValues.number(key, json));
      case "receiveLowWatermark" -> setReceiveLowWatermark(JsonValues.number(key, json));
      case "receiveRefillBatch" -> setReceiveRefillBatch(JsonValues.number(key, json));
      case "sendDepth" -> setSendDepth(JsonValues.number(key, json));
      case "writeQueueMaxSize" -> setWriteQueueMaxSize(JsonValues.number(key, json));
      case "writeQueueLowWatermark" -> setWriteQueueLowWatermark(JsonValues.number(key, json));
      case "pollSpinMicros" -> setPollSpinMicros(JsonValues.number(key, json));
      case "closeTimeout" -> setCloseTimeout(JsonValues.number(key, json));
      case "reuseAddress" -> setReuseAddress(JsonValues.truth(key, json));
      case "typeOfService" -> setTypeOfService(JsonValues.number(key, json));
      case "ackTimeout" -> setAckTimeout(JsonValues.number(key, json));
      case "maxScatterGather" -> setMaxScatterGather(JsonValues.number(key, json));
      case "maxInlineData" -> setMaxInlineData(JsonValues.number(key, json));
      case "receiveBufferSize" -> setReceiveBufferSize(JsonValues.number(key, json));
      case "sharedReceives" -> setSharedReceives(sharedReceives(key, json));
      case "heartbeatInterval" -> setHeartbeatInterval(JsonValues.number(key, json));
      default -> {
        return false;
      }
    }
    return true;
  }

  private static SharedReceiveOptions sharedReceives(String key, JsonObject json) {
    return json.getValue(key) == null
        ? null
        : new SharedReceiveOptions(JsonValues.value(key, json, JsonObject.class, "an object"));
  }

  /** A preset by its name, or an object of values. */
  private static ConnectionParameters parameters(String key, JsonObject json) {
    return json.getValue(key) instanceof String preset
        ? ConnectionPreset.ofJsonName(preset).parameters()
        : new ConnectionParameters(
            JsonValues.value(key, json, JsonObject.class, "the name of a preset, or an object"));
  }

  /**
   * Checks what no single setter can: watermarks against their queues.
   *
   * @throws IllegalArgumentException naming both options and their values
   */
  T checked() {
    if (sharedReceives != null) {
      sharedReceives.checked();
    }
    below("receiveLowWatermark", receiveLowWatermark, "receiveDepth", receiveDepth);
    if (writeQueueMaxSize != DERIVED) {
      below(
          "writeQueueLowWatermark", writeQueueLowWatermark, "writeQueueMaxSize", writeQueueMaxSize);
    } else {
      below("writeQueueLowWatermark", writeQueueLowWatermark, "twice the sendDepth", 2 * sendDepth);
    }
    return self();
  }

  private static void below(String name, int value, String limitName, int limit) {
    if (value >= limit) {
      throw new IllegalArgumentException(
          name + " must be below " + limitName + ", " + limit + ", was " + value);
    }
  }

  /** All values as JSON. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("provider", provider)
        .put("parameters", parameters.toJson())
        .put("receiveDepth", receiveDepth)
        .put("receiveLowWatermark", receiveLowWatermark)
        .put("receiveRefillBatch", receiveRefillBatch)
        .put("sendDepth", sendDepth)
        .put("writeQueueMaxSize", writeQueueMaxSize)
        .put("writeQueueLowWatermark", writeQueueLowWatermark)
        .put("pollSpinMicros", pollSpinMicros)
        .put("closeTimeout", closeTimeout)
        .put("reuseAddress", reuseAddress)
        .put("typeOfService", typeOfService)
        .put("ackTimeout", ackTimeout)
        .put("heartbeatInterval", heartbeatInterval)
        .put("maxScatterGather", maxScatterGather)
        .put("maxInlineData", maxInlineData)
        .put("receiveBufferSize", receiveBufferSize)
        .put("sharedReceives", sharedReceives == null ? null : sharedReceives.toJson());
  }

  /** Which provider: {@code auto}, {@code native}, {@code soft}, or another one's name. */
  public String getProvider() {
    return provider;
  }

  /**
   * Sets which provider. {@code auto} leaves it to the system property {@value
   * ProviderSelection#PROPERTY}, the environment variable {@value ProviderSelection#VARIABLE}, or,
   * where these say nothing, to the local address: see {@link ProviderSelection}.
   */
  public T setProvider(String provider) {
    this.provider = Objects.requireNonNull(provider, "provider");
    return self();
  }

  /** The connection parameters wanted. */
  public ConnectionParameters getParameters() {
    return parameters;
  }

  /** Sets the connection parameters wanted; they are clamped to the device and the peer. */
  public T setParameters(ConnectionParameters parameters) {
    this.parameters = Objects.requireNonNull(parameters, "parameters");
    return self();
  }

  /** Receives posted for a connection, the high watermark: how many immediates can be under way. */
  public int getReceiveDepth() {
    return receiveDepth;
  }

  /** Sets the receives of a connection, 1..1048576; the device may have less. */
  public T setReceiveDepth(int receiveDepth) {
    this.receiveDepth = JsonValues.range("receiveDepth", receiveDepth, 1, MAX_DEPTH);
    return self();
  }

  /**
   * The low watermark of posted receives: at or below it each one handed over is posted again at
   * once; above it they are collected, see {@link #getReceiveRefillBatch()}. {@link #DERIVED} means
   * half the {@link #getReceiveDepth()}.
   */
  public int getReceiveLowWatermark() {
    return receiveLowWatermark;
  }

  /**
   * Sets the low watermark of posted receives, 0 up to one below the receive depth, or {@link
   * #DERIVED}. Higher means more calls and a later "receiver not ready" for the peer.
   */
  public T setReceiveLowWatermark(int receiveLowWatermark) {
    this.receiveLowWatermark =
        JsonValues.range("receiveLowWatermark", receiveLowWatermark, DERIVED, MAX_DEPTH);
    return self();
  }

  /**
   * Receives collected to be posted again with one call while more are posted than the low
   * watermark. {@link #DERIVED} means a quarter of the receive depth, at most 64.
   */
  public int getReceiveRefillBatch() {
    return receiveRefillBatch;
  }

  /** Sets the receives posted again with one call, 1..64, or {@link #DERIVED}. */
  public T setReceiveRefillBatch(int receiveRefillBatch) {
    if (receiveRefillBatch != DERIVED) {
      JsonValues.range("receiveRefillBatch", receiveRefillBatch, 1, MAX_REFILL);
    }
    this.receiveRefillBatch = receiveRefillBatch;
    return self();
  }

  /** Send operations the queue pair holds; more wait in memory. */
  public int getSendDepth() {
    return sendDepth;
  }

  /** Sets the send operations of a connection, 1..1048576; the device may have less. */
  public T setSendDepth(int sendDepth) {
    this.sendDepth = JsonValues.range("sendDepth", sendDepth, 1, MAX_DEPTH);
    return self();
  }

  /**
   * The high watermark of send operations under way: from there on a connection's write queue
   * counts as full. {@link #DERIVED} means twice the {@link #getSendDepth()}.
   */
  public int getWriteQueueMaxSize() {
    return writeQueueMaxSize;
  }

  /**
   * Sets from how many operations on a write queue counts as full, 1..1048576, or {@link #DERIVED};
   * {@link RdmaConnection#setWriteQueueMaxSize} changes it for one connection.
   */
  public T setWriteQueueMaxSize(int writeQueueMaxSize) {
    if (writeQueueMaxSize != DERIVED) {
      JsonValues.range("writeQueueMaxSize", writeQueueMaxSize, 1, MAX_DEPTH);
    }
    this.writeQueueMaxSize = writeQueueMaxSize;
    return self();
  }

  /**
   * The low watermark of send operations under way: there a full write queue counts as drained and
   * the drain handler is called. {@link #DERIVED} means half the maximum.
   */
  public int getWriteQueueLowWatermark() {
    return writeQueueLowWatermark;
  }

  /** Sets the low watermark of the write queue, 0 up to one below its maximum, or derived. */
  public T setWriteQueueLowWatermark(int writeQueueLowWatermark) {
    this.writeQueueLowWatermark =
        JsonValues.range("writeQueueLowWatermark", writeQueueLowWatermark, DERIVED, MAX_DEPTH);
    return self();
  }

  /** Microseconds of polling after the last completion before waiting for an event. */
  public int getPollSpinMicros() {
    return pollSpinMicros;
  }

  /**
   * Sets how long to keep polling, 0..10000 microseconds; 0 is off. Spinning occupies the event
   * loop, for users who pay with a core for latency.
   */
  public T setPollSpinMicros(int pollSpinMicros) {
    this.pollSpinMicros = JsonValues.range("pollSpinMicros", pollSpinMicros, 0, 10_000);
    return self();
  }

  /** Milliseconds a close waits for the peer and for flushed work. */
  public int getCloseTimeout() {
    return closeTimeout;
  }

  /** Sets how long a close waits, 1..600000 milliseconds. */
  public T setCloseTimeout(int closeTimeout) {
    this.closeTimeout = JsonValues.range("closeTimeout", closeTimeout, 1, 600_000);
    return self();
  }

  /** Whether a bind may share an address in timewait. */
  public boolean isReuseAddress() {
    return reuseAddress;
  }

  /** Sets whether a bind may share an address in timewait. */
  public T setReuseAddress(boolean reuseAddress) {
    this.reuseAddress = reuseAddress;
    return self();
  }

  /** Type of service, -1 for the system's. */
  public int getTypeOfService() {
    return typeOfService;
  }

  /** Sets the type of service, 0..255, or -1 for the system's. */
  public T setTypeOfService(int typeOfService) {
    this.typeOfService = JsonValues.range("typeOfService", typeOfService, -1, 255);
    return self();
  }

  /** Local ACK timeout code, -1 for the system's. */
  public int getAckTimeout() {
    return ackTimeout;
  }

  /** Sets the local ACK timeout to 4.096 µs × 2^code, code 0..31 (0: none), or -1: the system's. */
  public T setAckTimeout(int ackTimeout) {
    this.ackTimeout = JsonValues.range("ackTimeout", ackTimeout, -1, 31);
    return self();
  }

  /** Who counts and times; {@link RdmaMetrics#NONE} unless set. */
  public RdmaMetrics getMetrics() {
    return metrics;
  }

  /** Sets who counts and times. An object of the program, so it is no part of the JSON form. */
  public T setMetrics(RdmaMetrics metrics) {
    this.metrics = Objects.requireNonNull(metrics, "metrics");
    return self();
  }

  /** Milliseconds without a send after which a heartbeat goes out; 0 for none. */
  public int getHeartbeatInterval() {
    return heartbeatInterval;
  }

  /**
   * Sets after how many milliseconds without a send a connection sends a heartbeat, 1..3600000, or
   * 0 for none, the default.
   *
   * <p>A peer whose process ends is noticed at once. One whose host died, or lost its network, is
   * noticed only by sending: its device's silence fails the send once the retries are used up
   * ("transport retry counter exceeded (12)"), and that ends the connection. The heartbeat is such
   * a send: a write of no bytes, which takes no receive of the peer's and which its application
   * does not see. It is noticed after this interval and the time of the retries, which {@link
   * ConnectionParameters#retryCount()} and {@link #setAckTimeout} say. Set it on the end that has
   * to know; the other end sees nothing of it.
   */
  public T setHeartbeatInterval(int heartbeatInterval) {
    this.heartbeatInterval =
        JsonValues.range("heartbeatInterval", heartbeatInterval, 0, MAX_HEARTBEAT_INTERVAL);
    return self();
  }

  /** Slices one request may have; derived: 4, or what the device allows if that is less. */
  public int getMaxScatterGather() {
    return maxScatterGather;
  }

  /** Sets the slices of a request, 1..1024, or {@link #DERIVED}; the device may allow less. */
  public T setMaxScatterGather(int maxScatterGather) {
    this.maxScatterGather =
        maxScatterGather == DERIVED
            ? DERIVED
            : JsonValues.range("maxScatterGather", maxScatterGather, 1, 1_024);
    return self();
  }

  /** Bytes up to which writes and sends travel with the request itself; at least this many do. */
  public int getMaxInlineData() {
    return maxInlineData;
  }

  /**
   * Sets it, 0..4096. Saves the device a read of memory, for larger work requests. A device that
   * can't do as much refuses the connection; most can do 64, soft devices up to 400.
   */
  public T setMaxInlineData(int maxInlineData) {
    this.maxInlineData = JsonValues.range("maxInlineData", maxInlineData, 0, 4_096);
    return self();
  }

  /** Bytes of memory each receive has for a message; 0 when none are expected. */
  public int getReceiveBufferSize() {
    return receiveBufferSize;
  }

  /**
   * Sets the memory of receives, 0..1073741824 bytes each; see {@link RdmaConnection#messages()}. A
   * message that is longer breaks the connection (LOC_LEN_ERR here, REM_INV_REQ_ERR at the peer).
   */
  public T setReceiveBufferSize(int receiveBufferSize) {
    this.receiveBufferSize = JsonValues.range("receiveBufferSize", receiveBufferSize, 0, 1 << 30);
    return self();
  }

  /** The pool of receives that connections share; null when each has its own. */
  public SharedReceiveOptions getSharedReceives() {
    return sharedReceives;
  }

  /** Sets the pool of receives that connections share; null for none. */
  public T setSharedReceives(SharedReceiveOptions sharedReceives) {
    this.sharedReceives = sharedReceives;
    return self();
  }
}
