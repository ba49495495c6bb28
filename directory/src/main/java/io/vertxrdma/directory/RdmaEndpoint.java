package io.vertxrdma.directory;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Where a service can be reached by RDMA.
 *
 * @param service the name it is looked up by, 1..{@value #MAX_NAME} characters, no control
 *     characters
 * @param host a name or an address of its RDMA device that others can connect to; not a wildcard
 * @param port 1..65535
 * @param attributes what others may want to know before they connect; {@value #MAX_ATTRIBUTES}
 *     bytes at most, keys and values counted in UTF-8
 */
public record RdmaEndpoint(String service, String host, int port, Map<String, String> attributes) {

  /** Characters in the name of a service. */
  public static final int MAX_NAME = 100;

  /** Characters in the name of a host (RFC 1035 section 2.3.4, without the last dot). */
  public static final int MAX_HOST = 253;

  /** Bytes of all attributes: every node of the cluster keeps them. */
  public static final int MAX_ATTRIBUTES = 4096;

  /**
   * Checks the ranges and copies the attributes.
   *
   * @throws IllegalArgumentException naming what is wrong, its value and the limit
   */
  public RdmaEndpoint {
    checkService(service);
    name("host", host, MAX_HOST);
    if (host.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException("host must not have white space, was '" + host + "'");
    }
    if (host.matches("\\*|[0.]+|[0:]+")) {
      throw new IllegalArgumentException(
          "host must be an address that others can connect to, was the wildcard " + host);
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port must be 1..65535, was " + port);
    }
    attributes = Map.copyOf(attributes);
    long bytes = 0;
    for (Map.Entry<String, String> each : attributes.entrySet()) {
      bytes += bytes(each.getKey()) + bytes(each.getValue());
    }
    if (bytes > MAX_ATTRIBUTES) {
      throw new IllegalArgumentException(
          "attributes must have at most " + MAX_ATTRIBUTES + " bytes, were " + bytes);
    }
  }

  /** An endpoint without attributes. */
  public RdmaEndpoint(String service, String host, int port) {
    this(service, host, port, Map.of());
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  static void checkService(String service) {
    name("service", service, MAX_NAME);
  }

  private static void name(String what, String value, int most) {
    Objects.requireNonNull(value, what);
    if (value.isEmpty() || value.length() > most) {
      throw new IllegalArgumentException(
          what + " must have 1.." + most + " characters, had " + value.length());
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(what + " must not have control characters");
    }
  }

  /** {@code host:port}, an IPv6 address in brackets. */
  public String address() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }

  JsonObject toJson() {
    JsonObject values = new JsonObject();
    new TreeMap<>(attributes).forEach(values::put);
    return new JsonObject()
        .put("service", service)
        .put("host", host)
        .put("port", port)
        .put("attributes", values);
  }

  /** Reads what {@link #toJson} made; throws some RuntimeException for anything else. */
  static RdmaEndpoint of(JsonObject json) {
    Map<String, String> attributes = new TreeMap<>();
    json.getJsonObject("attributes")
        .forEach(each -> attributes.put(each.getKey(), (String) each.getValue()));
    return new RdmaEndpoint(
        json.getString("service"), json.getString("host"), json.getInteger("port"), attributes);
  }

  @Override
  public String toString() {
    return service + " at " + address();
  }
}
