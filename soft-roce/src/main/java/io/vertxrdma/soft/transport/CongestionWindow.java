package io.vertxrdma.soft.transport;

/**
 * How many packets of a connection may be unacknowledged at this moment: fewer after losses, so
 * that what is sent again doesn't overflow the socket buffer that lost it. Within a round trip or
 * two without losses it is all of the window again.
 */
final class CongestionWindow {

  /** What an acknowledgement timeout leaves, in packets. */
  static final int SMALLEST = 4;

  private int largest = 1;
  private int packets = 1;

  /** Starts with the whole window. */
  void open(int window) {
    largest = window;
    packets = window;
  }

  /** Packets that may be unacknowledged. */
  int packets() {
    return packets;
  }

  /** That many more packets were acknowledged. */
  void acknowledged(int count) {
    packets = Math.min(largest, packets + count);
  }

  /** The peer misses a packet, but gets others. */
  void packetLost() {
    shrinkTo(packets / 2);
  }

  /** Nothing came back for a whole timeout. */
  void timedOut() {
    shrinkTo(SMALLEST);
  }

  private void shrinkTo(int fewer) {
    packets = Math.min(packets, Math.max(fewer, Math.min(SMALLEST, largest)));
  }
}
