package io.vertxrdma.systemtests.interop;

import java.nio.ByteBuffer;

/**
 * What perftest's two sides tell each other of their ends, as it travels: 56 bytes, big-endian, the
 * key at 16 and the address at 24. With {@code -R} none of the rest decides anything.
 *
 * @param remoteKey the key of the memory the other side may use
 * @param address where that begins
 */
record PerftestEnd(int remoteKey, long address) {

  static final int LENGTH = 56;

  /** What is told before there is a queue pair. */
  static final PerftestEnd NONE = new PerftestEnd(0, 0);

  private static final int KEY = 16;
  private static final int ADDRESS = 24;

  static PerftestEnd of(byte[] message) {
    ByteBuffer bytes = ByteBuffer.wrap(message);
    return new PerftestEnd(bytes.getInt(KEY), bytes.getLong(ADDRESS));
  }

  byte[] toBytes() {
    return ByteBuffer.allocate(LENGTH).putInt(KEY, remoteKey).putLong(ADDRESS, address).array();
  }
}
