package io.vertxrdma.demos.chat;

/** Which slot of our ring is read next, and when it is time to give slots back. */
final class RingReader {

  private final int slots;
  private final int batch;
  private long arrived;
  private long read;
  private long returned;

  RingReader(int slots) {
    this.slots = slots;
    // A quarter of the ring: few credits travel, and the writer always has most of it.
    this.batch = Math.max(1, slots / 4);
  }

  /**
   * A line has come.
   *
   * @throws ProtocolException when it is not the next one, or its slot was not free
   */
  void arrived(int sequence) {
    int expected = (int) arrived & ChatImmediate.MAX_VALUE;
    if (sequence != expected) {
      throw new ProtocolException("line " + sequence + " came, expected " + expected);
    }
    if (arrived - returned == slots) {
      throw new ProtocolException("line " + sequence + " came into a slot that was not free");
    }
    arrived++;
  }

  /**
   * The oldest line was read: its slot may be written again.
   *
   * @return slots to give back now, or 0
   */
  int read() {
    if (read == arrived) {
      throw new IllegalStateException("nothing was there to read");
    }
    read++;
    int due = (int) (read - returned);
    if (due < batch) {
      return 0;
    }
    returned = read;
    return due;
  }
}
