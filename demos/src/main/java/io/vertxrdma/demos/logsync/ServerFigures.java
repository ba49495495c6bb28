package io.vertxrdma.demos.logsync;

import io.vertx.core.json.JsonObject;
import io.vertxrdma.reactive.ConnectionCounters;

/** What a server has counted, over all clients. On the event loop. */
final class ServerFigures {

  private long segments;
  private long bytes;
  private long groups;
  private long exhausted;
  private int violations;
  private int ended;

  /** A group was made durable. */
  void durable(int count, long length) {
    groups++;
    segments += count;
    bytes += length;
  }

  /** A client broke the rules: sent out of order, too much or too soon. */
  void violation() {
    violations++;
  }

  /** A client's connection has ended. */
  void ended(ConnectionCounters counters) {
    ended++;
    exhausted += counters.receivesExhausted();
  }

  /** Connections that have ended. */
  int endedConnections() {
    return ended;
  }

  long bytes() {
    return bytes;
  }

  long segments() {
    return segments;
  }

  /** How often no receive was left, on connections that have ended. */
  long exhausted() {
    return exhausted;
  }

  /**
   * All of it.
   *
   * @param receives that clients shared
   * @param refused writes that found none of them, as the device counted
   */
  JsonObject json(int receives, long refused) {
    return new JsonObject()
        .put("receives", receives)
        .put("receivesUsedUp", exhausted)
        .put("refused", refused)
        .put("segments", segments)
        .put("bytes", bytes)
        .put("groups", groups)
        .put("violations", violations);
  }
}
