package io.vertxrdma.reactive;

import io.netty.util.NetUtil;
import io.vertx.core.json.JsonObject;
import java.util.TreeSet;

/** Options of an {@link RdmaClient}. */
public class RdmaClientOptions extends RdmaOptions<RdmaClientOptions> {

  /** The default time for all of a connect, milliseconds; the kernel's own is above a minute. */
  public static final int DEFAULT_CONNECT_TIMEOUT = 10_000;

  /** The default time for each resolution step, milliseconds. */
  public static final int DEFAULT_RESOLVE_TIMEOUT = 2_000;

  private int connectTimeout = DEFAULT_CONNECT_TIMEOUT;
  private int resolveTimeout = DEFAULT_RESOLVE_TIMEOUT;
  private String localHost;
  private int localPort;

  /** Defaults. */
  public RdmaClientOptions() {}

  /** A copy. */
  public RdmaClientOptions(RdmaClientOptions other) {
    super(other);
    this.connectTimeout = other.connectTimeout;
    this.resolveTimeout = other.resolveTimeout;
    this.localHost = other.localHost;
    this.localPort = other.localPort;
  }

  /**
   * From JSON, as {@link #toJson()} makes it; absent keys keep their defaults.
   *
   * @throws IllegalArgumentException for an unknown key, or a value of the wrong type or out of
   *     range
   */
  public RdmaClientOptions(JsonObject json) {
    TreeSet<String> unknown = new TreeSet<>(json.fieldNames());
    unknown.removeIf(key -> read(key, json));
    JsonValues.unknown(unknown);
    checked();
  }

  @Override
  boolean read(String key, JsonObject json) {
    switch (key) {
      case "connectTimeout" -> setConnectTimeout(JsonValues.number(key, json));
      case "resolveTimeout" -> setResolveTimeout(JsonValues.number(key, json));
      case "localHost" ->
          setLocalHost(json.getValue(key) == null ? null : JsonValues.text(key, json));
      case "localPort" -> setLocalPort(JsonValues.number(key, json));
      default -> {
        return super.read(key, json);
      }
    }
    return true;
  }

  @Override
  public JsonObject toJson() {
    return super.toJson()
        .put("connectTimeout", connectTimeout)
        .put("resolveTimeout", resolveTimeout)
        .put("localHost", localHost)
        .put("localPort", localPort);
  }

  @Override
  RdmaClientOptions self() {
    return this;
  }

  /** Milliseconds for all of a connect: name lookup, every address, every step. */
  public int getConnectTimeout() {
    return connectTimeout;
  }

  /** Sets the time for all of a connect, 1..600000 milliseconds. */
  public RdmaClientOptions setConnectTimeout(int connectTimeout) {
    this.connectTimeout = JsonValues.range("connectTimeout", connectTimeout, 1, 600_000);
    return this;
  }

  /** Milliseconds for address resolution, and again for route resolution. */
  public int getResolveTimeout() {
    return resolveTimeout;
  }

  /** Sets the time for each resolution step, 1..600000 milliseconds. */
  public RdmaClientOptions setResolveTimeout(int resolveTimeout) {
    this.resolveTimeout = JsonValues.range("resolveTimeout", resolveTimeout, 1, 600_000);
    return this;
  }

  /** The address to connect from, or null. */
  public String getLocalHost() {
    return localHost;
  }

  /**
   * Sets the address to connect from, null for the one the route gives.
   *
   * @throws IllegalArgumentException when it is not an IP address in figures
   */
  public RdmaClientOptions setLocalHost(String localHost) {
    if (localHost != null && NetUtil.createInetAddressFromIpAddressString(localHost) == null) {
      throw new IllegalArgumentException("localHost must be an IP address, was " + localHost);
    }
    this.localHost = localHost;
    return this;
  }

  /** The port to connect from, 0 for any. */
  public int getLocalPort() {
    return localPort;
  }

  /** Sets the port to connect from, 0..65535; needs a local host. */
  public RdmaClientOptions setLocalPort(int localPort) {
    this.localPort = JsonValues.range("localPort", localPort, 0, 65_535);
    return this;
  }
}
