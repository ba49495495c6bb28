package io.vertxrdma.reactive;

import io.netty.util.NetUtil;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.cm.ConnectionParameters;
import java.util.Set;
import java.util.TreeSet;

/**
 * Options of an {@link RdmaDatagramSocket}.
 *
 * <p>Of the common ones those of connections mean nothing here and are refused: connection
 * parameters, shared receives, heartbeat and ACK timeout. {@link #getReceiveBufferSize()} is the
 * payload that a receive has room for; 0, the default, is the largest MTU of the port, which no
 * datagram of its network exceeds. A longer one would end the socket on most devices.
 */
public class RdmaDatagramOptions extends RdmaOptions<RdmaDatagramOptions> {

  /** The default time for all of a lookup, milliseconds; the kernel's own is about a minute. */
  public static final int DEFAULT_LOOKUP_TIMEOUT = 10_000;

  /** The default number of ways back to senders that are kept. */
  public static final int DEFAULT_MAX_SENDERS = 1024;

  private static final Set<String> OF_CONNECTIONS =
      Set.of("parameters", "sharedReceives", "heartbeatInterval", "ackTimeout");

  private int lookupTimeout = DEFAULT_LOOKUP_TIMEOUT;
  private int resolveTimeout = RdmaClientOptions.DEFAULT_RESOLVE_TIMEOUT;
  private String localHost;
  private int backlog = RdmaServerOptions.DEFAULT_BACKLOG;
  private int maxPendingRequests = RdmaServerOptions.DEFAULT_MAX_PENDING_REQUESTS;
  private int maxSenders = DEFAULT_MAX_SENDERS;

  /** Defaults. */
  public RdmaDatagramOptions() {}

  /** A copy. */
  public RdmaDatagramOptions(RdmaDatagramOptions other) {
    super(other);
    this.lookupTimeout = other.lookupTimeout;
    this.resolveTimeout = other.resolveTimeout;
    this.localHost = other.localHost;
    this.backlog = other.backlog;
    this.maxPendingRequests = other.maxPendingRequests;
    this.maxSenders = other.maxSenders;
  }

  /**
   * From JSON, as {@link #toJson()} makes it; absent keys keep their defaults.
   *
   * @throws IllegalArgumentException for an unknown key, or a value of the wrong type or out of
   *     range
   */
  public RdmaDatagramOptions(JsonObject json) {
    TreeSet<String> unknown = new TreeSet<>(json.fieldNames());
    unknown.removeIf(key -> read(key, json));
    JsonValues.unknown(unknown);
    checked();
  }

  @Override
  boolean read(String key, JsonObject json) {
    switch (key) {
      case "lookupTimeout" -> setLookupTimeout(JsonValues.number(key, json));
      case "resolveTimeout" -> setResolveTimeout(JsonValues.number(key, json));
      case "localHost" ->
          setLocalHost(json.getValue(key) == null ? null : JsonValues.text(key, json));
      case "backlog" -> setBacklog(JsonValues.number(key, json));
      case "maxPendingRequests" -> setMaxPendingRequests(JsonValues.number(key, json));
      case "maxSenders" -> setMaxSenders(JsonValues.number(key, json));
      default -> {
        return !OF_CONNECTIONS.contains(key) && super.read(key, json);
      }
    }
    return true;
  }

  @Override
  public JsonObject toJson() {
    JsonObject json =
        super.toJson()
            .put("lookupTimeout", lookupTimeout)
            .put("resolveTimeout", resolveTimeout)
            .put("localHost", localHost)
            .put("backlog", backlog)
            .put("maxPendingRequests", maxPendingRequests)
            .put("maxSenders", maxSenders);
    OF_CONNECTIONS.forEach(json::remove);
    return json;
  }

  @Override
  RdmaDatagramOptions self() {
    return this;
  }

  @Override
  RdmaDatagramOptions checked() {
    refuse("parameters", !getParameters().equals(ConnectionParameters.DEFAULT));
    refuse("sharedReceives", getSharedReceives() != null);
    refuse("heartbeatInterval", getHeartbeatInterval() != 0);
    refuse("ackTimeout", getAckTimeout() != -1);
    return super.checked();
  }

  private static void refuse(String name, boolean isSet) {
    if (isSet) {
      throw new IllegalArgumentException(name + " is for connections; datagrams have none");
    }
  }

  /** Milliseconds for all of a lookup: name lookup, every address, every step. */
  public int getLookupTimeout() {
    return lookupTimeout;
  }

  /** Sets the time for all of a lookup, 1..600000 milliseconds. */
  public RdmaDatagramOptions setLookupTimeout(int lookupTimeout) {
    this.lookupTimeout = JsonValues.range("lookupTimeout", lookupTimeout, 1, 600_000);
    return this;
  }

  /** Milliseconds for address resolution, and again for route resolution. */
  public int getResolveTimeout() {
    return resolveTimeout;
  }

  /** Sets the time for each resolution step, 1..600000 milliseconds. */
  public RdmaDatagramOptions setResolveTimeout(int resolveTimeout) {
    this.resolveTimeout = JsonValues.range("resolveTimeout", resolveTimeout, 1, 600_000);
    return this;
  }

  /** The address that the first lookup binds the socket to, or null. */
  public String getLocalHost() {
    return localHost;
  }

  /**
   * Sets the address that the first lookup binds the socket to, null for the one the route gives.
   *
   * @throws IllegalArgumentException when it is not an IP address in figures
   */
  public RdmaDatagramOptions setLocalHost(String localHost) {
    if (localHost != null && NetUtil.createInetAddressFromIpAddressString(localHost) == null) {
      throw new IllegalArgumentException("localHost must be an IP address, was " + localHost);
    }
    this.localHost = localHost;
    return this;
  }

  /** Requests the kernel keeps that were not read yet. */
  public int getBacklog() {
    return backlog;
  }

  /** Sets the backlog; see {@link RdmaServerOptions#setBacklog}. */
  public RdmaDatagramOptions setBacklog(int backlog) {
    this.backlog = backlog;
    return this;
  }

  /** Requests that may wait for an answer. */
  public int getMaxPendingRequests() {
    return maxPendingRequests;
  }

  /** Sets how many requests may wait for the handler's answer, 1..1048576. */
  public RdmaDatagramOptions setMaxPendingRequests(int maxPendingRequests) {
    this.maxPendingRequests =
        JsonValues.range("maxPendingRequests", maxPendingRequests, 1, 1 << 20);
    return this;
  }

  /** Ways back to senders that are kept open. */
  public int getMaxSenders() {
    return maxSenders;
  }

  /**
   * Sets how many ways back to senders are kept, 1..1048576; the one used least recently is closed
   * for one more. See {@link ReceivedDatagram#sender()}.
   */
  public RdmaDatagramOptions setMaxSenders(int maxSenders) {
    this.maxSenders = JsonValues.range("maxSenders", maxSenders, 1, 1 << 20);
    return this;
  }
}
