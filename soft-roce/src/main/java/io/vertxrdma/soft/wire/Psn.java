package io.vertxrdma.soft.wire;

/**
 * Arithmetic of packet sequence numbers: 24 bits, compared on a circle with half a circle ahead.
 */
public final class Psn {

  /** Half the circle: what is that far ahead counts as behind. */
  public static final int HALF = 0x80_0000;

  private Psn() {}

  /** The number that many packets later, or earlier if negative. */
  public static int add(int psn, int packets) {
    return psn + packets & Headers.MASK_24;
  }

  /** How far the first is ahead of the second: -0x800000..0x7fffff, negative if behind. */
  public static int difference(int psn, int from) {
    return psn - from << 8 >> 8;
  }

  /** Less than, equal to or greater than 0, as the first is behind, at or ahead of the second. */
  public static int compare(int psn, int other) {
    return difference(psn, other);
  }

  /** Whether a number is one of {@code count} numbers from {@code first} on. */
  public static boolean within(int psn, int first, int count) {
    return (psn - first & Headers.MASK_24) < count;
  }
}
