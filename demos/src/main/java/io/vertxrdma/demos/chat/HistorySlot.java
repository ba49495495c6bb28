package io.vertxrdma.demos.chat;

import io.vertxrdma.demos.chat.room.ChatMessage;
import io.vertxrdma.demos.chat.room.Line;
import io.vertxrdma.demos.chat.room.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A line where a member can READ it:
 *
 * <pre>
 * 0       4          12     20       22
 * | CRC32C | sequence | time | length | message
 * </pre>
 *
 * <p>The checksum covers all that follows it. The hub writes while members READ, and nothing says
 * in which order a READ takes its bytes: only the checksum tells a line from the halves of two.
 */
final class HistorySlot {

  /** Bytes of a slot: room for the header and the longest message that a ring's slot can bring. */
  static final int SIZE = 576;

  private static final int HEADER = 22;

  private HistorySlot() {}

  /** The bytes to write, as many as it takes. */
  static byte[] encode(Line line) {
    byte[] message = line.message().encode();
    if (HEADER + message.length > SIZE) {
      throw new IllegalArgumentException(
          "a line has at most " + (SIZE - HEADER) + " bytes, this has " + message.length);
    }
    ByteBuffer slot =
        ByteBuffer.allocate(HEADER + message.length)
            .putInt(0)
            .putLong(line.sequence())
            .putLong(line.time())
            .putShort((short) message.length)
            .put(message);
    return slot.putInt(0, checksum(slot, message.length)).array();
  }

  /** The line whose slot begins at the offset; empty when it is none, or the halves of two. */
  static Optional<Line> decode(ByteBuffer region, int offset) {
    ByteBuffer slot = region.slice(offset, SIZE);
    int length = slot.getShort(20) & 0xFFFF;
    if (HEADER + length > SIZE || slot.getInt(0) != checksum(slot, length)) {
      return Optional.empty();
    }
    byte[] bytes = new byte[length];
    slot.get(HEADER, bytes);
    try {
      ChatMessage message = ChatMessage.decode(bytes);
      return Optional.of(
          new Line(slot.getLong(4), slot.getLong(12), message.nick(), message.text()));
    } catch (ProtocolException notOurs) {
      return Optional.empty();
    }
  }

  private static int checksum(ByteBuffer slot, int length) {
    CRC32C sum = new CRC32C();
    sum.update(slot.slice(4, HEADER - 4 + length));
    return (int) sum.getValue();
  }
}
