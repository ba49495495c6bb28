package io.vertxrdma.tools.ping;

import io.vertxrdma.tools.CommandFailure;
import java.nio.ByteBuffer;

/**
 * The one message of the protocol: where memory is that the peer may read or write. In network byte
 * order: address (8 bytes), key (4), length (4).
 *
 * @param address virtual address
 * @param key remote key
 * @param length bytes, unsigned
 */
record Advertisement(long address, int key, int length) {

  /** Bytes of the message. */
  static final int BYTES = 16;

  void write(ByteBuffer to, int at) {
    to.putLong(at, address).putInt(at + 8, key).putInt(at + 12, length);
  }

  /** Reads a message; fails when it is none, or says more than fits. */
  static Advertisement read(byte[] message, int mostBytes) {
    check(message);
    ByteBuffer from = ByteBuffer.wrap(message);
    int length = from.getInt(12);
    if (Integer.compareUnsigned(length, mostBytes) > 0) {
      throw new CommandFailure(
          "the peer offers "
              + Integer.toUnsignedString(length)
              + " bytes, but this side's size is "
              + mostBytes);
    }
    return new Advertisement(from.getLong(0), from.getInt(8), length);
  }

  /** Fails when the message does not have the protocol's length. */
  static void check(byte[] message) {
    if (message.length != BYTES) {
      throw new CommandFailure(
          "a message of " + message.length + " bytes came; pings have " + BYTES);
    }
  }
}
