package io.vertxrdma.core;

import java.nio.ByteOrder;

/**
 * The one place where immediates change byte order. An immediate is an unsigned 32-bit value that
 * travels, and lies in {@code ibv_send_wr} and {@code ibv_wc}, in network order.
 */
public final class ImmediateData {

  private static final boolean SWAP = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private ImmediateData() {}

  /** From the value to the int that, stored natively, has network order ({@code htonl}). */
  public static int toNetwork(int value) {
    return SWAP ? Integer.reverseBytes(value) : value;
  }

  /** From an int read natively from memory in network order to the value ({@code ntohl}). */
  public static int fromNetwork(int stored) {
    return SWAP ? Integer.reverseBytes(stored) : stored;
  }

  /** The value as a number 0..4294967295. */
  public static long toUnsigned(int value) {
    return Integer.toUnsignedLong(value);
  }

  /**
   * Checks a value that comes as a long.
   *
   * @throws IllegalArgumentException unless it is 0..4294967295
   */
  public static int ofUnsigned(long value) {
    if (value < 0 || value > 0xFFFF_FFFFL) {
      throw new IllegalArgumentException("immediate must be 0..4294967295, was " + value);
    }
    return (int) value;
  }
}
