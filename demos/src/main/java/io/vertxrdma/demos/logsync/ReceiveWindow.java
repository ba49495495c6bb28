package io.vertxrdma.demos.logsync;

import io.vertxrdma.demos.ProtocolException;

/** The server's view of a client's slots: checks that segments come in order and in bounds. */
final class ReceiveWindow {

  private static final long HALF = 1L << 31;

  private final long first;
  private final int slots;
  private final int slotSize;
  private final int[] lengths;
  // Counted since the connection was made; these don't wrap.
  private long arrived;
  private long durable;

  /**
   * All slots are free.
   *
   * @param first the sequence number of the next segment
   * @param slots 1 or more
   * @param slotSize bytes of a segment at most
   */
  ReceiveWindow(long first, int slots, int slotSize) {
    this.first = first;
    this.slots = slots;
    this.slotSize = slotSize;
    this.lengths = new int[slots];
  }

  /**
   * A segment has come.
   *
   * @param sequence its immediate
   * @param length bytes that were written
   * @throws ProtocolException when it is not the one that was expected, not 1 byte up to a slot's
   *     size, or in a slot that can't be free
   */
  void arrived(long sequence, long length) {
    long expected = SequenceNumbers.advance(first, arrived);
    if (sequence != expected) {
      long ahead = SequenceNumbers.distance(expected, sequence);
      throw new ProtocolException(
          ahead < HALF
              ? "a gap: segment "
                  + expected
                  + " was expected, "
                  + sequence
                  + " came, "
                  + ahead
                  + " missing"
              : "segment " + sequence + " came again, " + expected + " was expected");
    }
    if (length < 1 || length > slotSize) {
      throw new ProtocolException(
          "segment " + sequence + " must have 1.." + slotSize + " bytes, has " + length);
    }
    if (arrived - durable == slots) {
      throw new ProtocolException(
          "segment " + sequence + " came before one of " + slots + " slots was free");
    }
    lengths[(int) (arrived % slots)] = (int) length;
    arrived++;
  }

  /** Segments that have come and are not durable. */
  int waiting() {
    return (int) (arrived - durable);
  }

  /** The slot of a segment that waits: 0 for the first. */
  int slot(int index) {
    return (int) ((durable + index) % slots);
  }

  /** Its bytes. */
  int length(int index) {
    return lengths[slot(index)];
  }

  /**
   * So many more segments are durable.
   *
   * @return the sequence number of the last
   */
  long durable(int count) {
    if (count < 1 || count > waiting()) {
      throw new IllegalStateException(count + " of " + waiting() + " segments durable");
    }
    durable += count;
    return SequenceNumbers.advance(first, durable - 1);
  }
}
