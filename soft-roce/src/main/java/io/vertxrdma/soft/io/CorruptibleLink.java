package io.vertxrdma.soft.io;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/** A link that can damage a packet behind its CRC, the way a bad cable does; for tests. */
public interface CorruptibleLink extends Link {

  /**
   * Queues a packet like {@link #send}, with one bit flipped after the CRC was computed.
   *
   * @param bit which one; taken modulo the bits of packet and CRC
   */
  void sendCorrupted(InetAddress destination, ByteBuffer packet, int bit);
}
