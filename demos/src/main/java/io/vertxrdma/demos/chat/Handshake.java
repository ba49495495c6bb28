package io.vertxrdma.demos.chat;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * The private data of connecting, accepting and rejecting. Each begins with a magic number (4
 * bytes) and a version (1), so that a stranger is told so instead of being misunderstood, and ends
 * with a text after its length (1 byte), because devices pad private data with zeros.
 *
 * <pre>
 * hello    magic 4 | version 1 | ring 16 | length 1 | nickname     at most  56 bytes
 * welcome  magic 4 | version 1 | ring 16 | length 1 | room         at most 196 bytes
 * refusal  magic 4 | version 1           | length 1 | reason       at most 148 bytes
 * </pre>
 */
final class Handshake {

  /** Bytes of a nickname. */
  static final int MAX_NICK = 24;

  /** Bytes of a room's name. */
  static final int MAX_ROOM = 64;

  /** Bytes of a reason. */
  static final int MAX_REASON = 120;

  static final int MAGIC = 0x52434854;
  static final int VERSION = 1;

  private static final int RING = 5;
  private static final int WITH_RING = RING + RingDescriptor.ENCODED_LENGTH;
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_.-]+");

  private Handshake() {}

  /**
   * What a member sends when connecting.
   *
   * @param nick who it is
   * @param ring where the hub may write
   */
  record Hello(String nick, RingDescriptor ring) {

    Buffer encode() {
      return withRing(ring, nick);
    }

    /**
     * Reads the private data of a request.
     *
     * @throws ProtocolException with the reason to refuse
     */
    static Hello decode(Buffer data) {
      check(data, WITH_RING + 1, "this is a chat hub, and that was no chat member");
      Hello hello = new Hello(text(data, WITH_RING), RingDescriptor.decode(data, RING));
      String objection = objectionTo("nickname", hello.nick, MAX_NICK);
      if (objection != null) {
        throw new ProtocolException(objection);
      }
      return hello;
    }
  }

  /**
   * What the hub sends when accepting.
   *
   * @param room the name of the room
   * @param ring where the member may write
   */
  record Welcome(String room, RingDescriptor ring) {

    Buffer encode() {
      return withRing(ring, room);
    }

    static Welcome decode(Buffer data) {
      check(data, WITH_RING + 1, "the server is no chat hub");
      return new Welcome(text(data, WITH_RING), RingDescriptor.decode(data, RING));
    }
  }

  /**
   * What the hub sends when rejecting.
   *
   * @param reason for a person
   */
  record Refusal(String reason) {

    Buffer encode() {
      return appendText(header(), Utf8.split(reason, MAX_REASON).get(0));
    }

    static Refusal decode(Buffer data) {
      check(data, RING + 1, "the server is no chat hub");
      return new Refusal(text(data, RING));
    }
  }

  /** What is wrong with a name, or null. */
  static String objectionTo(String what, String name, int maxBytes) {
    if (!NAME.matcher(name).matches()) {
      return "a " + what + " has letters, digits, '.', '_' and '-'";
    }
    int length = Utf8.length(name);
    return length > maxBytes
        ? "a " + what + " has at most " + maxBytes + " bytes, this has " + length
        : null;
  }

  private static Buffer header() {
    return Buffer.buffer().appendInt(MAGIC).appendByte((byte) VERSION);
  }

  private static Buffer withRing(RingDescriptor ring, String text) {
    Buffer data = header();
    ring.append(data);
    return appendText(data, text);
  }

  private static Buffer appendText(Buffer to, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return to.appendUnsignedByte((short) bytes.length).appendBytes(bytes);
  }

  private static void check(Buffer data, int least, String stranger) {
    if (data.length() < RING || data.getInt(0) != MAGIC) {
      throw new ProtocolException(stranger);
    }
    int version = data.getUnsignedByte(4);
    if (version != VERSION) {
      throw new ProtocolException(
          "the chat protocol has version " + VERSION + " here and " + version + " there");
    }
    if (data.length() < least) {
      throw new ProtocolException("a handshake of only " + data.length() + " bytes");
    }
  }

  private static String text(Buffer data, int offset) {
    int length = data.getUnsignedByte(offset);
    if (data.length() < offset + 1 + length) {
      throw new ProtocolException(
          "a handshake of " + data.length() + " bytes with a text of " + length);
    }
    return data.getString(offset + 1, offset + 1 + length, "UTF-8");
  }
}
