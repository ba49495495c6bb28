package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.nio.ByteBuffer;

/** Messages both ways over one connection, ring to ring. On the connection's event loop. */
final class RingLink {

  private final RdmaConnection connection;
  private final RingDescriptor own;
  private final ByteBuffer inbox;
  private final RingDescriptor peer;
  private final RegisteredBuffer staging;
  private final int slotSize;
  private final int window;
  private final RingReader reader;
  private final RingWriter writer;
  private final Promise<Void> drained = Promise.promise();
  private Handler handler;
  private Throwable failure;
  private boolean draining;

  /** What happens on a link. */
  interface Handler {
    /** A message has come; {@link RingLink#read} is due when it was dealt with. */
    void message(ChatMessage message);

    /** {@link RingLink#offer} may take messages again. */
    void ready();

    /**
     * The connection has ended.
     *
     * @param cause null when one side closed it
     */
    void ended(Throwable cause);
  }

  /**
   * A link that is not started yet.
   *
   * @param own our ring
   * @param inbox its bytes
   * @param peer the peer's ring
   * @param staging memory to write from, made with {@link #stagingSize}
   */
  RingLink(
      RdmaConnection connection,
      RingDescriptor own,
      ByteBuffer inbox,
      RingDescriptor peer,
      RegisteredBuffer staging) {
    this.connection = connection;
    this.own = own;
    this.inbox = inbox;
    this.peer = peer;
    this.staging = staging;
    this.slotSize = slotSize(peer);
    this.window = window(peer);
    this.reader = new RingReader(own.slots());
    this.writer = new RingWriter(window);
  }

  /** Bytes to stage messages for a peer's ring; however large a ring it has, this is not. */
  static int stagingSize(RingDescriptor peer) {
    return window(peer) * slotSize(peer);
  }

  private static int window(RingDescriptor peer) {
    return Math.min(peer.slots(), RingDescriptor.SLOTS);
  }

  private static int slotSize(RingDescriptor peer) {
    return Math.min(peer.slotSize(), RingDescriptor.SLOT_SIZE);
  }

  /** Bytes of a message at most. */
  int slotSize() {
    return slotSize;
  }

  void start(Handler receiver) {
    handler = receiver;
    connection.exceptionHandler(cause -> fail(cause));
    connection.closeHandler(
        closed -> {
          drained.tryComplete();
          handler.ended(failure);
        });
    connection.immediateHandler((from, immediate, length) -> received(immediate, length));
  }

  private void received(int immediate, int length) {
    try {
      int value = ChatImmediate.value(immediate);
      switch (ChatImmediate.type(immediate)) {
        case LINE -> line(value, length);
        case CREDIT -> {
          writer.credited(value);
          handler.ready();
        }
      }
    } catch (ProtocolException violation) {
      fail(violation);
      connection.close();
    }
  }

  private void line(int sequence, int length) {
    reader.arrived(sequence);
    if (length < 0 || length > own.slotSize()) {
      throw new ProtocolException("a line of " + Integer.toUnsignedString(length) + " bytes");
    }
    byte[] bytes = new byte[length];
    inbox.get(own.offset(sequence), bytes);
    handler.message(ChatMessage.decode(bytes));
  }

  /** A message was dealt with, in the order of their coming: its slot is free. */
  void read() {
    int credits = reader.read();
    if (credits > 0 && connection.isOpen()) {
      connection.writeImmediate(ChatImmediate.encode(ChatImmediate.Type.CREDIT, credits));
    }
  }

  /**
   * Writes a message if a slot is free.
   *
   * @return false when none is; {@link Handler#ready} follows
   * @throws IllegalArgumentException when the message is larger than a slot
   */
  boolean offer(ChatMessage message) {
    byte[] bytes = message.encode();
    if (bytes.length > slotSize) {
      throw new IllegalArgumentException(
          "a message of " + bytes.length + " bytes, a slot has " + slotSize);
    }
    if (writer.free() == 0 || !connection.isOpen()) {
      return false;
    }
    int sequence = writer.claim();
    int offset = (sequence & window - 1) * slotSize;
    staging.setBytes(offset, bytes);
    connection
        .writeWithImmediate(
            staging.slice(offset, bytes.length),
            peer.target(sequence, bytes.length),
            ChatImmediate.encode(ChatImmediate.Type.LINE, sequence))
        // A failure ends the connection, which says so itself.
        .onSuccess(written -> written());
    return true;
  }

  private void written() {
    writer.completed();
    if (draining && writer.underWay() == 0) {
      drained.tryComplete();
    }
    handler.ready();
  }

  /** Completes when all that was offered has arrived, or the connection has ended. */
  Future<Void> drained() {
    draining = true;
    if (writer.underWay() == 0) {
      drained.tryComplete();
    }
    return drained.future();
  }

  private void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }
}
