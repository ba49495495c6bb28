package io.vertxrdma.demos.chat.room;

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
public record ChatMessage(Kind kind, String nick, String text) {

  /** Bytes before the nickname. */
  public static final int HEADER = 4;

  /** Bytes of a text that fit into a slot of 512 whatever the nickname is. */
  public static final int MAX_TEXT = 512 - HEADER - Names.MAX_NICK;

  /**
   * What a message is. Between hubs the nickname says whose doing it is: SAY, JOIN and LEAVE (with
   * the reason for which a connection was lost, or "") of a member, ENTERED of the history of a
   * room that the other hub may want.
   */
  public enum Kind {
    /** Somebody says the text. */
    SAY,
    /** The hub tells something. */
    NOTICE,
    /** A member asks who is here. */
    WHO,
    /** A member asks which rooms there are. */
    ROOMS,
    /** A member wants to be in the room that the text names; "" for the hub's first. */
    JOIN,
    /** The hub: you are in the room that the nickname names; the text says where its history is. */
    ENTERED,
    /** The hub: as many lines as the text says were skipped, since you did not keep up. */
    GAP,
    /** A member says goodbye; a connection that ends without it was lost. */
    LEAVE
  }

  /** Makes texts printable. */
  public ChatMessage {
    Objects.requireNonNull(kind, "kind");
    nick = printable(nick);
    text = printable(text);
  }

  /** Somebody says something. */
  public static ChatMessage say(String nick, String text) {
    return new ChatMessage(Kind.SAY, nick, text);
  }

  /** The hub tells something. */
  public static ChatMessage notice(String text) {
    return new ChatMessage(Kind.NOTICE, "", text);
  }

  /** A message that needs no words. */
  public static ChatMessage of(Kind kind) {
    return new ChatMessage(kind, "", "");
  }

  /** A wish to be in a room. */
  public static ChatMessage join(String room) {
    return new ChatMessage(Kind.JOIN, "", room);
  }

  /** So many lines were skipped. */
  public static ChatMessage gap(long lines) {
    return new ChatMessage(Kind.GAP, "", String.valueOf(lines));
  }

  /** The same with another text. */
  public ChatMessage withText(String other) {
    return new ChatMessage(kind, nick, other);
  }

  /** Bytes that a text may have for a message of this nickname to fit into a slot. */
  public int roomForText(int slotSize) {
    return slotSize - HEADER - Utf8.length(nick);
  }

  /** How a person sees it. */
  public String line() {
    return switch (kind) {
      case SAY -> nick + ": " + text;
      case GAP -> "* ... " + text + (text.equals("1") ? " line skipped" : " lines skipped");
      default -> "* " + text;
    };
  }

  /** The bytes of it; see above. */
  public byte[] encode() {
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
  public static ChatMessage decode(byte[] bytes) {
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
