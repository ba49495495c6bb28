package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.demos.chat.room.Room;
import io.vertxrdma.reactive.RdmaConnection;
import java.util.HashMap;
import java.util.Map;

/** The registered histories: one for each room and device that a member came over. */
final class Histories {

  private final Map<Key, Future<RegisteredHistory>> registered = new HashMap<>();

  /** Memory belongs to a device. */
  private record Key(Room room, DeviceContext device) {}

  /** The history of a room for a member on this connection; null when the room keeps none. */
  Future<RegisteredHistory> of(Room room, RdmaConnection connection) {
    if (room.historySize() == 0) {
      return Future.succeededFuture();
    }
    Key key = new Key(room, connection.device());
    Future<RegisteredHistory> known = registered.get(key);
    // One that could not be registered, or whose device was away, is worth another attempt.
    if (known == null || known.failed() || known.succeeded() && known.result().isGone()) {
      known = RegisteredHistory.of(room, connection.memory());
      registered.put(key, known);
    }
    return known;
  }
}
