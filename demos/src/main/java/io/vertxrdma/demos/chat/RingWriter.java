package io.vertxrdma.demos.chat;

/**
 * Which slot of the peer's ring is written next, and whether one is free.
 *
 * <p>A slot is free again when the peer has given it back and our own write of it has completed:
 * until then the device may send the staged bytes once more.
 */
final class RingWriter {

  private final int slots;
  private long claimed;
  private long credited;
  private long completed;

  RingWriter(int slots) {
    this.slots = slots;
  }

  /** Slots that can be claimed now. */
  int free() {
    return slots - (int) (claimed - Math.min(credited, completed));
  }

  /**
   * Takes the next slot.
   *
   * @return its sequence number, 0..16777215
   * @throws IllegalStateException when none is free
   */
  int claim() {
    if (free() == 0) {
      throw new IllegalStateException("no slot is free");
    }
    return (int) claimed++ & ChatImmediate.MAX_VALUE;
  }

  /** The oldest write that had not completed has. */
  void completed() {
    completed++;
  }

  /**
   * The peer gives slots back.
   *
   * @throws ProtocolException when it never got as many
   */
  void credited(int count) {
    if (count < 1 || count > claimed - credited) {
      throw new ProtocolException(
          count + " slots given back, of " + (claimed - credited) + " written");
    }
    credited += count;
  }

  /** Writes that have not completed. */
  int underWay() {
    return (int) (claimed - completed);
  }
}
