package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.demos.chat.room.Line;
import io.vertxrdma.demos.chat.room.Room;
import io.vertxrdma.reactive.RdmaMemory;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.util.Set;

/**
 * A room's last lines in memory that members READ, a copy for each device. The hub's processor has
 * no part in that. Given back with the server.
 */
final class RegisteredHistory {

  private final Room room;
  private final RegisteredBuffer memory;
  private boolean gone;

  private RegisteredHistory(Room room, RegisteredBuffer memory) {
    this.room = room;
    this.memory = memory;
  }

  /** Registers a copy of the room's history and keeps it up to date. */
  static Future<RegisteredHistory> of(Room room, RdmaMemory memory) {
    return memory
        .allocate(
            room.historySize() * HistorySlot.SIZE,
            Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ))
        .map(
            allocated -> {
              RegisteredHistory made = new RegisteredHistory(room, allocated);
              room.copyTo(made::put);
              return made;
            });
  }

  private boolean put(Line line) {
    int slot = (int) ((line.sequence() - 1) % room.historySize());
    try {
      memory.setBytes(slot * HistorySlot.SIZE, HistorySlot.encode(line));
    } catch (IllegalStateException closed) {
      // With its device, or with the server.
      gone = true;
    }
    return !gone;
  }

  /** Whether the memory was given back; nobody can READ it then. */
  boolean isGone() {
    return gone;
  }

  /** Where to READ the lines said before now. */
  HistoryPlace place() {
    return new HistoryPlace(
        memory.remote().address(), memory.remote().key(), room.historySize(), room.next());
  }
}
