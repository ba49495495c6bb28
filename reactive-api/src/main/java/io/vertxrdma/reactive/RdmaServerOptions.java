package io.vertxrdma.reactive;

import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.TreeSet;

/** Options of an {@link RdmaServer}. */
public class RdmaServerOptions extends RdmaOptions<RdmaServerOptions> {

  /** The default host: all RDMA devices. */
  public static final String DEFAULT_HOST = "0.0.0.0";

  /** The default backlog. */
  public static final int DEFAULT_BACKLOG = 128;

  /** The default number of requests that may wait for an answer. */
  public static final int DEFAULT_MAX_PENDING_REQUESTS = 1024;

  /** The most the kernel takes as a backlog unless its sysctl says otherwise. */
  public static final int MAX_BACKLOG = 1024;

  /** The default time before a listener that lost its device is bound again, milliseconds. */
  public static final int DEFAULT_REARM_DELAY = 200;

  private int port;
  private String host = DEFAULT_HOST;
  private int backlog = DEFAULT_BACKLOG;
  private int maxPendingRequests = DEFAULT_MAX_PENDING_REQUESTS;
  private int acceptTimeout = 10_000;
  private int eventLoops = 1;
  private int rearmDelay = DEFAULT_REARM_DELAY;
  private boolean addressFamilyOnly;

  /** Defaults. */
  public RdmaServerOptions() {}

  /** A copy. */
  public RdmaServerOptions(RdmaServerOptions other) {
    super(other);
    this.port = other.port;
    this.host = other.host;
    this.backlog = other.backlog;
    this.maxPendingRequests = other.maxPendingRequests;
    this.acceptTimeout = other.acceptTimeout;
    this.eventLoops = other.eventLoops;
    this.rearmDelay = other.rearmDelay;
    this.addressFamilyOnly = other.addressFamilyOnly;
  }

  /**
   * From JSON, as {@link #toJson()} makes it; absent keys keep their defaults.
   *
   * @throws IllegalArgumentException for an unknown key, or a value of the wrong type or out of
   *     range
   */
  public RdmaServerOptions(JsonObject json) {
    TreeSet<String> unknown = new TreeSet<>(json.fieldNames());
    unknown.removeIf(key -> read(key, json));
    JsonValues.unknown(unknown);
    checked();
  }

  @Override
  boolean read(String key, JsonObject json) {
    switch (key) {
      case "port" -> setPort(JsonValues.number(key, json));
      case "host" -> setHost(JsonValues.text(key, json));
      case "backlog" -> setBacklog(JsonValues.number(key, json));
      case "maxPendingRequests" -> setMaxPendingRequests(JsonValues.number(key, json));
      case "acceptTimeout" -> setAcceptTimeout(JsonValues.number(key, json));
      case "eventLoops" -> setEventLoops(JsonValues.number(key, json));
      case "rearmDelay" -> setRearmDelay(JsonValues.number(key, json));
      case "addressFamilyOnly" -> setAddressFamilyOnly(JsonValues.truth(key, json));
      default -> {
        return super.read(key, json);
      }
    }
    return true;
  }

  @Override
  public JsonObject toJson() {
    return super.toJson()
        .put("port", port)
        .put("host", host)
        .put("backlog", backlog)
        .put("maxPendingRequests", maxPendingRequests)
        .put("acceptTimeout", acceptTimeout)
        .put("eventLoops", eventLoops)
        .put("rearmDelay", rearmDelay)
        .put("addressFamilyOnly", addressFamilyOnly);
  }

  @Override
  RdmaServerOptions self() {
    return this;
  }

  /** The port, 0 for one the system chooses. */
  public int getPort() {
    return port;
  }

  /** Sets the port, 0..65535. */
  public RdmaServerOptions setPort(int port) {
    this.port = JsonValues.range("port", port, 0, 65_535);
    return this;
  }

  /** The host. */
  public String getHost() {
    return host;
  }

  /** Sets the host: an address of an RDMA device, or 0.0.0.0. */
  public RdmaServerOptions setHost(String host) {
    this.host = Objects.requireNonNull(host, "host");
    return this;
  }

  /** Requests the kernel keeps that were not read yet. */
  public int getBacklog() {
    return backlog;
  }

  /**
   * Sets the backlog: requests the kernel keeps that the event loop has not read yet. When it is
   * full the kernel drops requests in silence, and the peers' connection managers ask again after
   * about five seconds: an event loop that is held up looks like a slow connect, never like a
   * refusal. 0 or less means the kernel's maximum, more than 1024 is capped with a warning.
   *
   * <p>The backlog does not limit requests that wait for an answer: the loop reads them whether
   * anybody asks for them or not. Those are {@link #setMaxPendingRequests}'s.
   */
  public RdmaServerOptions setBacklog(int backlog) {
    this.backlog = backlog;
    return this;
  }

  /** Requests that may wait for an answer. */
  public int getMaxPendingRequests() {
    return maxPendingRequests;
  }

  /**
   * Sets how many requests may wait for an answer, 1..1048576. They are those that a subscriber of
   * {@link RdmaServer#connectRequests()} has not asked for yet and those it has and did not answer.
   * Further ones are rejected, and told that the server is busy, which a {@link ReconnectPolicy}
   * takes as a reason to try again.
   */
  public RdmaServerOptions setMaxPendingRequests(int maxPendingRequests) {
    this.maxPendingRequests =
        JsonValues.range("maxPendingRequests", maxPendingRequests, 1, 1 << 20);
    return this;
  }

  /** Event loops that connections are spread over. */
  public int getEventLoops() {
    return eventLoops;
  }

  /**
   * Sets over how many event loops connections are spread, 1..256, one after the other; 1 is the
   * server's own. Requests are still announced on the server's context, but everything about a
   * connection, its memory and completions included, is on the connection's loop. Servers of one
   * Vert.x instance that listen on the same address and port, as the instances of a verticle do,
   * share the listener in the same way; backlog, type of service and address reuse are those of the
   * first.
   */
  public RdmaServerOptions setEventLoops(int eventLoops) {
    this.eventLoops = JsonValues.range("eventLoops", eventLoops, 1, 256);
    return this;
  }

  /** Milliseconds from accept to an established connection. */
  public int getAcceptTimeout() {
    return acceptTimeout;
  }

  /** Sets how long an accept waits for the peer, 1..600000 milliseconds. */
  public RdmaServerOptions setAcceptTimeout(int acceptTimeout) {
    this.acceptTimeout = JsonValues.range("acceptTimeout", acceptTimeout, 1, 600_000);
    return this;
  }

  /** Milliseconds before a listener that lost its device is bound again; 0 when it is not. */
  public int getRearmDelay() {
    return rearmDelay;
  }

  /**
   * Sets how long to wait before binding a listener again whose device was removed or whose address
   * moved to another device, 1..5000 milliseconds; the time doubles with each try that fails, up to
   * 5 seconds. 0 closes the server instead, and its streams fail with the reason.
   */
  public RdmaServerOptions setRearmDelay(int rearmDelay) {
    this.rearmDelay = JsonValues.range("rearmDelay", rearmDelay, 0, 5_000);
    return this;
  }

  /** Whether a listener on the IPv6 wildcard takes IPv6 only. */
  public boolean isAddressFamilyOnly() {
    return addressFamilyOnly;
  }

  /**
   * Sets whether a listener on {@code ::} takes IPv6 only (RDMA_OPTION_ID_AFONLY), so that another
   * one can have the port of {@code 0.0.0.0}; otherwise it takes both.
   */
  public RdmaServerOptions setAddressFamilyOnly(boolean addressFamilyOnly) {
    this.addressFamilyOnly = addressFamilyOnly;
    return this;
  }
}
