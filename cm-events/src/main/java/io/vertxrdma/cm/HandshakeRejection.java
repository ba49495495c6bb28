package io.vertxrdma.cm;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a connection was refused, in a form that travels in the private data of a reject: a code for
 * the machine and a text for a person.
 *
 * <pre>
 * 0      4      5        6
 * | mark | code | length | text (UTF-8)         the mark is "VXRJ"
 * </pre>
 *
 * <p>The length is what tells the text from the zeros that fill the field. A rejection is not
 * authenticated: whoever can send one in a peer's name can break the attempt anyhow.
 *
 * @param code one of {@link Code}, or an application's own from {@link #APPLICATION} up; 0..255
 * @param text for a person, at most {@link #MAX_TEXT} bytes in UTF-8; control characters, which
 *     could upset a terminal, are replaced
 */
public record HandshakeRejection(int code, String text) {

  /** The most bytes of text: what is left of the 148 of a reject on InfiniBand and RoCE. */
  public static final int MAX_TEXT = 142;

  /** The lowest code that is the application's to define. */
  public static final int APPLICATION = 64;

  private static final int MARK = 0x5658524A;
  private static final int HEADER = 6;

  /** The codes that the handshake and the server themselves use. */
  public enum Code {
    /** The private data is no message of this protocol: it lacks the magic number. */
    NO_HANDSHAKE(1),
    /** It begins like one, and is damaged: a length that its field does not hold. */
    MALFORMED(2),
    /** There is no version that both ends speak. */
    VERSION(3),
    /** The peer's role is none that is expected. */
    ROLE(4),
    /** The peer lacks a capability that is required. */
    CAPABILITY(5),
    /** A token is required, and there is none. */
    TOKEN_MISSING(6),
    /** The token is wrong, or nobody knows a key for it; which of these is not told. */
    TOKEN_WRONG(7),
    /** As many requests wait for an answer as the server takes; later there may be room. */
    BUSY(8),
    /** The server is shutting down; another one, or this one started again, may take over. */
    SHUTTING_DOWN(9);

    private final int number;

    Code(int number) {
      this.number = number;
    }

    /** The number that travels. */
    public int number() {
      return number;
    }
  }

  /**
   * Checks the code and cleans the text.
   *
   * @throws IllegalArgumentException for a code outside 0..255, or a text that is too long
   */
  public HandshakeRejection {
    Objects.requireNonNull(text, "text");
    if (code < 0 || code > 255) {
      throw new IllegalArgumentException("code must be 0..255, was " + code);
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    text = new String(utf8, StandardCharsets.UTF_8).replaceAll("\\p{Cc}", " ");
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    if (length > MAX_TEXT) {
      throw new IllegalArgumentException(
          "the text of a rejection has at most " + MAX_TEXT + " bytes, this has " + length);
    }
  }

  /** A rejection by the handshake itself; a text that is too long is cut. */
  public static HandshakeRejection of(Code code, String text) {
    return new HandshakeRejection(code.number, cut(text));
  }

  /** The first characters that fit into {@link #MAX_TEXT} bytes. */
  static String cut(String text) {
    int end = 0;
    int bytes = 0;
    while (end < text.length()) {
      int point = text.codePointAt(end);
      bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
      if (bytes > MAX_TEXT) {
        break;
      }
      end += Character.charCount(point);
    }
    return text.substring(0, end);
  }

  /** The handshake's own code, or empty for one that the application defined. */
  public Optional<Code> known() {
    return Arrays.stream(Code.values()).filter(known -> known.number == code).findFirst();
  }

  /** The bytes for the private data of a reject. */
  public byte[] encode() {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(HEADER + utf8.length)
        .putInt(MARK)
        .put((byte) code)
        .put((byte) utf8.length)
        .put(utf8)
        .array();
  }

  /**
   * Reads the private data of a reject.
   *
   * @param privateData whatever the peer sent, padded or not
   * @return empty when it is no rejection of this form; never throws
   */
  public static Optional<HandshakeRejection> decode(byte[] privateData) {
    if (privateData.length < HEADER || ByteBuffer.wrap(privateData).getInt() != MARK) {
      return Optional.empty();
    }
    int length = Byte.toUnsignedInt(privateData[5]);
    if (length > MAX_TEXT || length > privateData.length - HEADER) {
      return Optional.empty();
    }
    // Bytes that are no UTF-8 become replacement characters, which may be longer.
    String text = cut(new String(privateData, HEADER, length, StandardCharsets.UTF_8));
    return Optional.of(new HandshakeRejection(Byte.toUnsignedInt(privateData[4]), text));
  }

  /** For example {@code VERSION (3): speaks version 2, and 1 is spoken there}. */
  @Override
  public String toString() {
    String name = known().map(Code::name).orElse("code");
    return name + " (" + code + "): " + text;
  }
}
