package io.vertxrdma.reactive;

import io.vertx.core.buffer.Buffer;
import java.util.Objects;

/**
 * What a peer needs to write into an {@link InboxRing}: where it is, and how it is divided.
 *
 * <pre>
 * 0             8        12        16       20            24
 * |   address   |   key   |  length |  slots |  slot size  |
 * </pre>
 *
 * <p>Numbers are big-endian. Its {@value #ENCODED_LENGTH} bytes fit into the private data of a
 * connect (56 bytes on InfiniBand and RoCE) together with a {@link Handshake}, with or without a
 * token.
 *
 * @param memory the memory of the whole ring
 * @param slots messages it holds, 1 or more
 * @param slotSize bytes of the longest message, 1 or more
 */
public record RingDescriptor(RemoteMemory memory, int slots, int slotSize) {

  /** Bytes that {@link #encode} makes. */
  public static final int ENCODED_LENGTH = RemoteMemory.ENCODED_LENGTH + 8;

  /** Checks the numbers, and that so many slots lie within the memory. */
  public RingDescriptor {
    Objects.requireNonNull(memory, "memory");
    if (slots < 1) {
      throw new IllegalArgumentException("slots must be 1 or more, was " + slots);
    }
    if (slotSize < 1) {
      throw new IllegalArgumentException("slotSize must be 1 or more bytes, was " + slotSize);
    }
    if ((long) slots * slotSize > memory.length()) {
      throw new IllegalArgumentException(
          slots
              + " slots of "
              + slotSize
              + " bytes do not fit into the ring's memory of "
              + memory.length());
    }
  }

  /** The form of 24 bytes. */
  public Buffer encode() {
    return memory.encode().appendInt(slots).appendInt(slotSize);
  }

  /**
   * Reads what {@link #encode} made from the first 24 bytes.
   *
   * @throws IllegalArgumentException when fewer are there, or they describe no ring
   */
  public static RingDescriptor decode(Buffer encoded) {
    return decode(encoded, 0);
  }

  /**
   * Reads what {@link #encode} made.
   *
   * @throws IllegalArgumentException when fewer than 24 bytes are there, or they describe no ring
   */
  public static RingDescriptor decode(Buffer encoded, int offset) {
    if (offset < 0 || encoded.length() - offset < ENCODED_LENGTH) {
      throw new IllegalArgumentException(
          "a ring descriptor has 24 bytes; "
              + (encoded.length() - offset)
              + " are there at offset "
              + offset);
    }
    int numbers = offset + RemoteMemory.ENCODED_LENGTH;
    return new RingDescriptor(
        RemoteMemory.decode(encoded, offset), encoded.getInt(numbers), encoded.getInt(numbers + 4));
  }

  /**
   * The memory of a slot.
   *
   * @param slot 0 up to one below {@link #slots()}
   * @throws IndexOutOfBoundsException for another
   */
  public RemoteMemory slot(int slot) {
    Objects.checkIndex(slot, slots);
    return memory.slice((long) slot * slotSize, slotSize);
  }
}
