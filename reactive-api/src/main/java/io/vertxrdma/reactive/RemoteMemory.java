package io.vertxrdma.reactive;

import io.vertx.core.buffer.Buffer;

/**
 * Memory of the peer that may be written to or read: address, key and length, as exchanged in
 * private data.
 *
 * @param address the virtual address at the peer
 * @param key the remote key
 * @param length bytes, 0..4294967295
 */
public record RemoteMemory(long address, int key, long length) {

  /** Bytes that {@link #encode} makes. */
  public static final int ENCODED_LENGTH = 16;

  /** Checks the length and that the range does not wrap around. */
  public RemoteMemory {
    if (length < 0 || length > 0xFFFF_FFFFL) {
      throw new IllegalArgumentException("length must be 0..4294967295, was " + length);
    }
    if (length > 0 && Long.compareUnsigned(address + length - 1, address) < 0) {
      throw new IllegalArgumentException(
          "address 0x" + Long.toHexString(address) + " plus length " + length + " wraps around");
    }
  }

  /** Address (8 bytes), key (4), length (4), all big-endian. */
  public Buffer encode() {
    return Buffer.buffer(ENCODED_LENGTH)
        .appendLong(address)
        .appendInt(key)
        .appendUnsignedInt(length);
  }

  /** Reads what {@link #encode} made from the first 16 bytes. */
  public static RemoteMemory decode(Buffer encoded) {
    return decode(encoded, 0);
  }

  /**
   * Reads what {@link #encode} made.
   *
   * @throws IllegalArgumentException when fewer than 16 bytes are there
   */
  public static RemoteMemory decode(Buffer encoded, int offset) {
    if (offset < 0 || encoded.length() - offset < ENCODED_LENGTH) {
      throw new IllegalArgumentException(
          "a memory descriptor has 16 bytes; "
              + (encoded.length() - offset)
              + " are there at offset "
              + offset);
    }
    return new RemoteMemory(
        encoded.getLong(offset), encoded.getInt(offset + 8), encoded.getUnsignedInt(offset + 12));
  }

  /**
   * A part of it.
   *
   * @throws IndexOutOfBoundsException when it does not lie within
   */
  public RemoteMemory slice(long offset, long sliceLength) {
    if (offset < 0 || sliceLength < 0 || sliceLength > length - offset) {
      throw new IndexOutOfBoundsException(
          "offset " + offset + ", length " + sliceLength + " of " + length + " bytes");
    }
    return new RemoteMemory(address + offset, key, sliceLength);
  }

  /**
   * Refuses what no atomic operation can work on.
   *
   * @throws IllegalArgumentException for less than 8 bytes, or an address that 8 does not divide
   */
  public void checkAtomic() {
    if (length < Long.BYTES) {
      throw new IllegalArgumentException(
          "an atomic operation works on 8 bytes, the target has " + length);
    }
    if ((address & Long.BYTES - 1) != 0) {
      throw new IllegalArgumentException(
          "an atomic operation needs an address that 8 divides, not 0x"
              + Long.toHexString(address)
              + " (IBTA volume 1, 9.4.5.1)");
    }
  }
}
