package io.vertxrdma.demos.chat;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RemoteMemory;

/**
 * Where a ring of slots lies: address (8 bytes), key (4), slots (2), slot size (2), big-endian.
 *
 * @param memory all of it
 * @param slots a power of two, 2..4096
 * @param slotSize bytes of each, 64..32768
 */
record RingDescriptor(RemoteMemory memory, int slots, int slotSize) {

  /** Bytes that {@link #append} adds. */
  static final int ENCODED_LENGTH = 16;

  /** The ring that everyone here makes. */
  static final int SLOTS = 64;

  /** Its slots. */
  static final int SLOT_SIZE = 512;

  RingDescriptor {
    // A power of two, so that slots follow each other where sequence numbers wrap around.
    if (slots < 2 || slots > 4096 || Integer.bitCount(slots) != 1) {
      throw new ProtocolException("a ring of " + slots + " slots; must be a power of two, 2..4096");
    }
    if (slotSize < 64 || slotSize > 32_768) {
      throw new ProtocolException("slots of " + slotSize + " bytes; must be 64..32768");
    }
    if (memory.length() != (long) slots * slotSize) {
      throw new ProtocolException("a ring in memory of " + memory.length() + " bytes");
    }
  }

  /** The ring that everyone here makes, in this memory. */
  static RingDescriptor of(RemoteMemory memory) {
    return new RingDescriptor(memory, SLOTS, SLOT_SIZE);
  }

  /** Bytes of the ring that everyone here makes. */
  static int size() {
    return SLOTS * SLOT_SIZE;
  }

  int slot(int sequence) {
    return sequence & slots - 1;
  }

  int offset(int sequence) {
    return slot(sequence) * slotSize;
  }

  /** The part of the slot that a message of this length takes. */
  RemoteMemory target(int sequence, int length) {
    return memory.slice(offset(sequence), length);
  }

  void append(Buffer to) {
    to.appendLong(memory.address())
        .appendInt(memory.key())
        .appendUnsignedShort(slots)
        .appendUnsignedShort(slotSize);
  }

  static RingDescriptor decode(Buffer from, int offset) {
    int slots = from.getUnsignedShort(offset + 12);
    int slotSize = from.getUnsignedShort(offset + 14);
    try {
      RemoteMemory memory =
          new RemoteMemory(from.getLong(offset), from.getInt(offset + 8), (long) slots * slotSize);
      return new RingDescriptor(memory, slots, slotSize);
    } catch (IllegalArgumentException wraps) {
      throw new ProtocolException("a ring that " + wraps.getMessage());
    }
  }
}
