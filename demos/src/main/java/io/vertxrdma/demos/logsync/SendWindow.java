package io.vertxrdma.demos.logsync;

import io.vertxrdma.demos.ProtocolException;

/**
 * The sender's view of its slots at the server: a slot is used by a segment until that is durable.
 */
final class SendWindow {

  private final long first;
  private final int slots;
  // Counted since the connection was made; these don't wrap.
  private long sent;
  private long durable;

  /**
   * All slots are free.
   *
   * @param first the sequence number of the next segment
   * @param slots 1 or more
   */
  SendWindow(long first, int slots) {
    this.first = first;
    this.slots = slots;
  }

  /** Slots that may be written to. */
  int free() {
    return slots - (int) (sent - durable);
  }

  /** Whether everything that was sent is durable. */
  boolean isIdle() {
    return sent == durable;
  }

  /** The sequence number of the segment after so many others. */
  long sequence(int ahead) {
    return SequenceNumbers.advance(first, sent + ahead);
  }

  /** The slot of the segment after so many others. */
  int slot(int ahead) {
    return (int) ((sent + ahead) % slots);
  }

  /** So many segments were written, in order. */
  void sent(int count) {
    if (count > free()) {
      throw new IllegalStateException(count + " segments onto " + free() + " free slots");
    }
    sent += count;
  }

  /**
   * The server says up to which segment all are durable.
   *
   * @return how many slots that frees
   * @throws ProtocolException when that segment is not one that waits
   */
  int acknowledged(long sequence) {
    long newly = SequenceNumbers.distance(SequenceNumbers.advance(first, durable - 1), sequence);
    if (newly == 0 || newly > sent - durable) {
      throw new ProtocolException(
          "the server acknowledged segment "
              + sequence
              + (isIdle()
                  ? ", and none waits for that"
                  : ", those that wait are "
                      + SequenceNumbers.advance(first, durable)
                      + " to "
                      + SequenceNumbers.advance(first, sent - 1)));
    }
    durable += newly;
    return (int) newly;
  }
}
