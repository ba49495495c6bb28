package io.vertxrdma.demos.logsync;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.demos.ProtocolException;
import io.vertxrdma.reactive.Handshake;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.RemoteMemory;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * What client and server say when they connect, as the application bytes of a {@link Handshake}.
 *
 * <pre>
 * client  0 | window 4 | name of the log, UTF-8
 * server  0 | memory 16 | slots 4 | slot size 4 | next sequence 4 | durable bytes 8 | CRC-32C 4
 * </pre>
 */
final class Greeting {

  /** Bytes of a log's name. */
  static final int MAX_NAME = 40;

  /** Segments that a client may have under way at most. */
  static final int MAX_WINDOW = 4_096;

  /** Bytes of a segment at most. */
  static final int MAX_SLOT = 1 << 20;

  /** Bytes of all slots of one client at most. */
  static final int MAX_MEMORY = 1 << 28;

  /**
   * Rejected because another client of this log comes or goes, or there are too many: try again.
   */
  static final int BUSY = 64;

  private static final int REFUSED = 65;
  private static final int MAGIC = 0x4C4F_4753;
  private static final int CLIENT_ROLE = 1;
  private static final int SERVER_ROLE = 2;
  private static final int WELCOME_BYTES = RemoteMemory.ENCODED_LENGTH + 24;
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_-][\\p{L}\\p{N}._-]*");

  private static final Handshake CLIENT = end(CLIENT_ROLE, SERVER_ROLE);
  private static final Handshake SERVER = end(SERVER_ROLE, CLIENT_ROLE);

  private Greeting() {}

  private static Handshake end(int role, int other) {
    return Handshake.builder(MAGIC)
        .protocol("vertx-rdma logsync")
        .version(1)
        .role(role)
        .expectRoles(other)
        .build();
  }

  /**
   * What a client sends when connecting.
   *
   * @param name of the log
   * @param window segments it wants to have under way
   */
  record Hello(String name, int window) {

    Buffer encode() {
      return CLIENT.encode(Buffer.buffer().appendInt(window).appendString(name));
    }

    /**
     * Reads the private data of a request.
     *
     * @throws HandshakeException when it is from no client of this protocol
     * @throws ProtocolException when name or window are not right
     */
    static Hello decode(Buffer data) {
      Buffer said = SERVER.decode(data).application();
      if (said.length() < Integer.BYTES) {
        throw new ProtocolException("a greeting of only " + said.length() + " bytes");
      }
      Hello hello = new Hello(said.getString(Integer.BYTES, said.length()), said.getInt(0));
      String objection = objectionTo(hello.name);
      if (objection != null) {
        throw new ProtocolException(objection);
      }
      if (hello.window < 1 || hello.window > MAX_WINDOW) {
        throw new ProtocolException(
            "the window must be 1.." + MAX_WINDOW + " segments, was " + hello.window);
      }
      return hello;
    }
  }

  /**
   * What the server sends when accepting: where to write, and where to go on.
   *
   * @param memory all slots, one after the other
   * @param slots 1 up to the window that the client wanted
   * @param slotSize bytes of a segment at most
   * @param nextSequence the sequence number of the next segment
   * @param durableBytes bytes of the log that are on disk
   * @param checksum CRC-32C of these bytes
   */
  record Welcome(
      RemoteMemory memory,
      int slots,
      int slotSize,
      long nextSequence,
      long durableBytes,
      int checksum) {

    Buffer encode() {
      return SERVER.encodeReply(
          memory
              .encode()
              .appendInt(slots)
              .appendInt(slotSize)
              .appendUnsignedInt(nextSequence)
              .appendLong(durableBytes)
              .appendInt(checksum));
    }

    /**
     * Reads the private data of an accepted connection.
     *
     * @param window what the client asked for
     * @throws HandshakeException when it is from no server of this protocol
     * @throws ProtocolException when the numbers contradict each other
     */
    static Welcome decode(Buffer data, int window) {
      Buffer said = CLIENT.decodeReply(data).application();
      if (said.length() != WELCOME_BYTES) {
        throw new ProtocolException(
            "a welcome has " + WELCOME_BYTES + " bytes, this has " + said.length());
      }
      int at = RemoteMemory.ENCODED_LENGTH;
      Welcome welcome =
          new Welcome(
              memory(said),
              said.getInt(at),
              said.getInt(at + 4),
              said.getUnsignedInt(at + 8),
              said.getLong(at + 12),
              said.getInt(at + 20));
      welcome.check(window);
      return welcome;
    }

    private static RemoteMemory memory(Buffer said) {
      try {
        return RemoteMemory.decode(said);
      } catch (IllegalArgumentException wrong) {
        throw new ProtocolException(wrong.getMessage());
      }
    }

    private void check(int window) {
      if (slots < 1 || slots > window) {
        throw new ProtocolException("slots must be 1.." + window + ", the server says " + slots);
      }
      if (slotSize < 1 || slotSize > MAX_SLOT || (long) slots * slotSize > MAX_MEMORY) {
        throw new ProtocolException(
            "a slot must have 1.."
                + Math.min(MAX_SLOT, MAX_MEMORY / slots)
                + " bytes, the server says "
                + slotSize);
      }
      if (memory.length() != (long) slots * slotSize) {
        throw new ProtocolException(
            slots + " slots of " + slotSize + " bytes in " + memory.length() + " bytes of memory");
      }
      if (durableBytes < 0) {
        throw new ProtocolException("the server has " + durableBytes + " bytes of the log");
      }
    }

    /** Where a slot lies at the server. */
    RemoteMemory slot(int slot, int length) {
      return memory.slice((long) slot * slotSize, length);
    }
  }

  /** What the server sends when it can't take the client now. */
  static Buffer busy(String reason) {
    return Handshake.reason(BUSY, reason);
  }

  /** What the server sends when it refuses a client. */
  static Buffer refusal(String reason) {
    return Handshake.reason(REFUSED, reason);
  }

  /** What is wrong with the name of a log, or null. */
  static String objectionTo(String name) {
    if (!NAME.matcher(name).matches()) {
      return "a log's name has letters, digits, '_', '-' and, not at its start, '.'";
    }
    int length = name.getBytes(StandardCharsets.UTF_8).length;
    return length > MAX_NAME
        ? "a log's name has at most " + MAX_NAME + " bytes, " + name + " has " + length
        : null;
  }
}
