package io.vertxrdma.tools.tune;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.Handshake;
import io.vertxrdma.reactive.RemoteMemory;

/**
 * What the private data of a request say: what to do on this connection.
 *
 * <pre>
 * 0      1       5        9        13
 * | kind | depth | length | millis | memory (16)     big-endian, within a handshake
 * </pre>
 *
 * @param kind what is under way, and from where
 * @param depth how many at most, 1..{@value #MOST_DEPTH}; of {@link Kind#END} 1
 * @param length bytes of each, 1..{@value #MOST_LENGTH}
 * @param millis for how long, 1..{@value #MOST_MILLIS}
 * @param memory of the client, for writes and the report after them
 */
record Step(Kind kind, int depth, int length, int millis, RemoteMemory memory) {

  static final int MOST_DEPTH = 1_024;
  static final int MOST_LENGTH = 1 << 20;
  static final int MOST_MILLIS = 60_000;

  private static final int BYTES = 13 + RemoteMemory.ENCODED_LENGTH;
  private static final int MAGIC = 0x5652544E;
  private static final int VERSION = 1;
  private static final int CLIENT = 0;
  private static final int SERVER = 1;

  /** What a connection is for. */
  enum Kind {
    /** The client reads the server's memory. */
    READ,
    /** The server writes to the client's memory, with immediates. */
    WRITE,
    /** Nothing: the client's run is over. */
    END
  }

  Step {
    range("depth", depth, MOST_DEPTH);
    range("length", length, MOST_LENGTH);
    range("millis", millis, MOST_MILLIS);
  }

  private static void range(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(name + " must be 1.." + most + ", was " + value);
    }
  }

  /** How a client introduces itself. */
  static Handshake clientSide() {
    return handshake(VERSION).role(CLIENT).expectRoles(SERVER).build();
  }

  /** How a server does. */
  static Handshake serverSide() {
    return serverSide(VERSION);
  }

  /** A server of another version, for tests. */
  static Handshake serverSide(int version) {
    return handshake(version).role(SERVER).expectRoles(CLIENT).build();
  }

  private static Handshake.Builder handshake(int version) {
    return Handshake.builder(MAGIC).protocol("vertx-rdma tune").version(version);
  }

  /** The application's bytes of the request. */
  Buffer encode() {
    return Buffer.buffer(BYTES)
        .appendByte((byte) kind.ordinal())
        .appendInt(depth)
        .appendInt(length)
        .appendInt(millis)
        .appendBuffer(memory.encode());
  }

  /**
   * Reads what {@link #encode} made.
   *
   * @throws IllegalArgumentException naming what is wrong
   */
  static Step decode(Buffer application) {
    if (application.length() != BYTES) {
      throw new IllegalArgumentException(
          "a step has " + BYTES + " bytes, these are " + application.length());
    }
    int kind = application.getUnsignedByte(0);
    if (kind >= Kind.values().length) {
      throw new IllegalArgumentException("there is no step of kind " + kind);
    }
    return new Step(
        Kind.values()[kind],
        application.getInt(1),
        application.getInt(5),
        application.getInt(9),
        RemoteMemory.decode(application, 13));
  }

  /**
   * What the private data of the answer say.
   *
   * @param sends how many operations the server's send queue holds
   * @param memory of the server, to be read
   */
  record Answer(int sends, RemoteMemory memory) {

    private static final int BYTES = Integer.BYTES + RemoteMemory.ENCODED_LENGTH;

    Buffer encode() {
      return Buffer.buffer(BYTES).appendInt(sends).appendBuffer(memory.encode());
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    static Answer decode(Buffer application) {
      if (application.length() != BYTES) {
        throw new IllegalArgumentException(
            "an answer has " + BYTES + " bytes, these are " + application.length());
      }
      int sends = application.getInt(0);
      if (sends < 1) {
        throw new IllegalArgumentException("a send queue holds 1 or more, not " + sends);
      }
      return new Answer(sends, RemoteMemory.decode(application, Integer.BYTES));
    }
  }
}
