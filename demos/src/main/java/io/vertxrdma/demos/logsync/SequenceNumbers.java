package io.vertxrdma.demos.logsync;

/** Arithmetic of sequence numbers: the unsigned 32 bits of an immediate, 0 after 4294967295. */
final class SequenceNumbers {

  /** The last one before 0. */
  static final long MAX = 0xFFFF_FFFFL;

  private SequenceNumbers() {}

  /** The number so many after this one, or before it if the count is negative. */
  static long advance(long sequence, long count) {
    return (sequence + count) & MAX;
  }

  /** How many steps lead from one number to the other, 0..4294967295. */
  static long distance(long from, long to) {
    return (to - from) & MAX;
  }
}
