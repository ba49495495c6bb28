package io.vertxrdma.demos.chat;

import io.vertxrdma.demos.chat.room.ProtocolException;
import io.vertxrdma.reactive.RemoteMemory;

/**
 * Where a room's history lies in the hub's memory, and which lines are in it: those whose numbers
 * are below the next one's, line 1 in the first slot and so on, again and again.
 *
 * @param address of the first slot
 * @param key the remote key
 * @param slots how many there are, 1..{@link #MAX_SLOTS}
 * @param next the number of the first line that will come as a message
 */
record HistoryPlace(long address, int key, int slots, long next) {

  /** The most slots: one READ takes all of them. */
  static final int MAX_SLOTS = 1_000;

  /** Lines in it now. */
  int lines() {
    return (int) Math.min(slots, next - 1);
  }

  /** The memory of those lines, from the first slot on. */
  RemoteMemory memory() {
    return new RemoteMemory(address, key, (long) lines() * HistorySlot.SIZE);
  }

  /** Address, key, slots and next number in hexadecimal, for a message. */
  String encode() {
    return String.join(
        " ",
        Long.toHexString(address),
        Integer.toHexString(key),
        Integer.toHexString(slots),
        Long.toHexString(next));
  }

  /**
   * Reads what {@link #encode} made.
   *
   * @return null for an empty text: a hub without history
   * @throws ProtocolException for what it did not make
   */
  static HistoryPlace decode(String text) {
    if (text.isEmpty()) {
      return null;
    }
    String[] parts = text.split(" ");
    try {
      if (parts.length == 4) {
        HistoryPlace place =
            new HistoryPlace(
                Long.parseUnsignedLong(parts[0], 16),
                Integer.parseUnsignedInt(parts[1], 16),
                Integer.parseInt(parts[2], 16),
                Long.parseLong(parts[3], 16));
        if (place.slots >= 1 && place.slots <= MAX_SLOTS && place.next >= 1) {
          place.memory();
          return place;
        }
      }
    } catch (IllegalArgumentException wrong) {
      throw new ProtocolException("a history at \"" + text + "\": " + wrong.getMessage());
    }
    throw new ProtocolException("a history at \"" + text + "\"");
  }
}
