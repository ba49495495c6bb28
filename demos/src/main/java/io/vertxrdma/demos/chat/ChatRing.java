package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.demos.chat.room.ProtocolException;
import io.vertxrdma.reactive.InboxRing;
import io.vertxrdma.reactive.RdmaMemory;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.reactive.RingDescriptor;

/**
 * The rings of the chat, and their form in a greeting, where room is scarce: address (8 bytes), key
 * (4), slots (2), slot size (2), big-endian.
 */
final class ChatRing {

  /** Bytes that {@link #append} adds. */
  static final int ENCODED_LENGTH = 16;

  /** Slots of the rings made here, and the most a peer may have: a stranger costs little memory. */
  static final int SLOTS = 64;

  /** Bytes of a slot, likewise. */
  static final int SLOT_SIZE = 512;

  private static final int LEAST_SLOT_SIZE = 64;

  private ChatRing() {}

  static Future<InboxRing> allocate(RdmaMemory memory) {
    return InboxRing.allocate(memory, SLOTS, SLOT_SIZE);
  }

  static void append(RingDescriptor ring, Buffer to) {
    to.appendLong(ring.memory().address())
        .appendInt(ring.memory().key())
        .appendUnsignedShort(ring.slots())
        .appendUnsignedShort(ring.slotSize());
  }

  /**
   * Reads what {@link #append} wrote.
   *
   * @throws ProtocolException for a ring that nobody here would make
   */
  static RingDescriptor decode(Buffer from, int offset) {
    int slots = from.getUnsignedShort(offset + 12);
    int slotSize = from.getUnsignedShort(offset + 14);
    if (slots < 1 || slots > SLOTS) {
      throw new ProtocolException("a ring of " + slots + " slots; must be 1.." + SLOTS);
    }
    if (slotSize < LEAST_SLOT_SIZE || slotSize > SLOT_SIZE) {
      throw new ProtocolException(
          "slots of " + slotSize + " bytes; must be " + LEAST_SLOT_SIZE + ".." + SLOT_SIZE);
    }
    try {
      RemoteMemory memory =
          new RemoteMemory(from.getLong(offset), from.getInt(offset + 8), (long) slots * slotSize);
      return new RingDescriptor(memory, slots, slotSize);
    } catch (IllegalArgumentException wraps) {
      throw new ProtocolException("a ring that " + wraps.getMessage());
    }
  }
}
