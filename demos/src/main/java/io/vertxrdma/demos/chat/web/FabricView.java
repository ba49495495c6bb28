package io.vertxrdma.demos.chat.web;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.function.Consumer;

/** What a page shows of the RDMA side. On the hub's event loop. */
public interface FabricView {

  /** All connections, with their parameters and counters as they are now. */
  JsonObject snapshot();

  /** The last connection manager events, the oldest first. */
  JsonArray recentEvents();

  /** Sets who is told of each connection manager event as it comes. */
  void onEvent(Consumer<JsonObject> handler);
}
