package io.vertxrdma.demos.chat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What a slot holds: a kind (1 byte), the length of a nickname (1), the length of a text (2), the
 * nickname, the text; UTF-8, big-endian.
 *
 * @param kind what it is
 * @param nick who said it; "" where that is nobody, or plain from the connection
 * @param text the words
 */
record ChatMessage(Kind kind, String nick, String text) {

  /** Bytes before the nickname. */
  static final int HEADER = 4;

  /** What a message is. */
  enum Kind {
    /** Somebody says the text. */
    SAY,
    /** The hub tells something. */
    NOTICE,
    /** A member asks who is here. */
    WHO
  }

  ChatMessage {
    Objects.requireNonNull(kind, "kind");
    nick = printable(nick);
    text = printable(text);
  }

  static ChatMessage say(String nick, String text) {
    return new ChatMessage(Kind.SAY, nick, text);
  }

  static ChatMessage notice(String text) {
    return new ChatMessage(Kind.NOTICE, "", text);
  }

  static ChatMessage who() {
    return new ChatMessage(Kind.WHO, "", "");
  }

  /** The same with another text. */
  ChatMessage withText(String other) {
    return new ChatMessage(kind, nick, other);
  }

  /** Bytes that a text may have for a message of this nickname to fit into a slot. */
  int roomForText(int slotSize) {
    return slotSize - HEADER - Utf8.length(nick);
  }

  /** How a person sees it. */
  String line() {
    return kind == Kind.SAY ? nick + ": " + text : "* " + text;
  }

  byte[] encode() {
    byte[] nickBytes = nick.getBytes(StandardCharsets.UTF_8);
    byte[] textBytes = text.getBytes(StandardCharsets.UTF_8);
    if (nickBytes.length > 0xFF || textBytes.length > 0xFFFF) {
      throw new IllegalArgumentException(
          "a nickname has at most 255 bytes and a text 65535, these have "
              + nickBytes.length
              + " and "
              + textBytes.length);
    }
    return ByteBuffer.allocate(HEADER + nickBytes.length + textBytes.length)
        .put((byte) kind.ordinal())
        .put((byte) nickBytes.length)
        .putShort((short) textBytes.length)
        .put(nickBytes)
        .put(textBytes)
        .array();
  }

  /**
   * Reads a message that takes up all of the bytes.
   *
   * @throws ProtocolException when it does not
   */
  static ChatMessage decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (bytes.length < HEADER) {
      throw new ProtocolException("a message of " + bytes.length + " bytes");
    }
    int kind = in.get() & 0xFF;
    byte[] nick = new byte[in.get() & 0xFF];
    byte[] text = new byte[in.getShort() & 0xFFFF];
    if (kind >= Kind.values().length || nick.length + text.length != in.remaining()) {
      throw new ProtocolException(
          "a message of kind " + kind + " whose lengths do not add up to " + bytes.length);
    }
    in.get(nick).get(text);
    return new ChatMessage(
        Kind.values()[kind],
        new String(nick, StandardCharsets.UTF_8),
        new String(text, StandardCharsets.UTF_8));
  }

  /** What others send must not move a reader's cursor, nor look like two lines. */
  private static String printable(String text) {
    return text.codePoints().noneMatch(ChatMessage::unprintable)
        ? text
        : text.codePoints()
            .map(point -> unprintable(point) ? ' ' : point)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
  }

  private static boolean unprintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
      // Direction overrides can make a line read as if somebody else had said it.
      default -> point >= 0x202A && point <= 0x202E || point >= 0x2066 && point <= 0x2069;
    };
  }
}
