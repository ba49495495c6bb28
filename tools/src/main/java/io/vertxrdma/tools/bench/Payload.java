package io.vertxrdma.tools.bench;

import java.nio.ByteBuffer;

/** The data of one side's writes, for a measurement that also checks: no two writes are alike. */
final class Payload {

  private final ByteBuffer source;
  private final ByteBuffer inbox;
  private final int length;
  private final int side;

  /**
   * The two places.
   *
   * @param source what is written from
   * @param inbox what the peer writes to; may be the source, when the sides take turns
   * @param length bytes of each write
   * @param client whether this is the side that connected
   */
  Payload(ByteBuffer source, ByteBuffer inbox, int length, boolean client) {
    this.source = source;
    this.inbox = inbox;
    this.length = length;
    this.side = client ? 0 : 1;
  }

  /** Byte {@code index} of write {@code number} of the client (0) or server (1). */
  static byte at(int side, int number, int index) {
    return (byte) (number * 31 + index * 7 + (index >> 8) + side * 13);
  }

  /** Makes the data of the next write. */
  void fill(int number) {
    for (int i = 0; i < length; i++) {
      source.put(i, at(side, number, i));
    }
  }

  /** The first byte of the peer's write that is not as it should be, or -1. */
  int firstWrong(int number) {
    for (int i = 0; i < length; i++) {
      if (inbox.get(i) != at(1 - side, number, i)) {
        return i;
      }
    }
    return -1;
  }
}
