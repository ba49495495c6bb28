package io.vertxrdma.directory;

import io.vertx.core.json.JsonObject;

/**
 * What the map of the cluster holds for an endpoint.
 *
 * @param endpoint the endpoint
 * @param node the cluster node it belongs to; empty when Vert.x is not clustered
 */
record DirectoryEntry(RdmaEndpoint endpoint, String node) {

  /** One service at one address. */
  String key() {
    return endpoint.service() + '\n' + endpoint.address();
  }

  String encode() {
    return endpoint.toJson().put("node", node).encode();
  }

  /** Reads an entry; null when it is none, for example of another version. */
  static DirectoryEntry decode(String text) {
    try {
      JsonObject json = new JsonObject(text);
      return new DirectoryEntry(RdmaEndpoint.of(json), json.getString("node", ""));
    } catch (RuntimeException notOurs) {
      return null;
    }
  }
}
