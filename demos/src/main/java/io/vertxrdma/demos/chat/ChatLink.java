package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.demos.chat.room.ChatMessage;
import io.vertxrdma.demos.chat.room.ProtocolException;
import io.vertxrdma.reactive.InboxRing;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RingChannel;
import io.vertxrdma.reactive.RingDescriptor;
import io.vertxrdma.reactive.RingMessage;

/** Chat messages both ways over one connection. On the connection's event loop. */
final class ChatLink {

  private final RdmaConnection connection;
  private final RingDescriptor peer;
  private final RingChannel channel;
  private final Promise<Void> drained = Promise.promise();
  private Handler handler;
  private Throwable failure;
  private int underWay;
  private boolean draining;

  /** What happens on a link. */
  interface Handler {
    /**
     * A message has come.
     *
     * @param read to be run once when it was dealt with, on any thread: its slot is free then
     */
    void message(ChatMessage message, Runnable read);

    /** {@link ChatLink#offer} may take messages again. */
    void ready();

    /**
     * The connection has ended.
     *
     * @param cause null when one side closed it
     */
    void ended(Throwable cause);
  }

  /** A link that can send, and has nobody yet who hears. */
  ChatLink(RdmaConnection connection, InboxRing inbox, RingDescriptor peer) {
    this.connection = connection;
    this.peer = peer;
    this.channel = RingChannel.over(connection, inbox, peer);
  }

  /** Bytes of a message at most. */
  int slotSize() {
    return peer.slotSize();
  }

  void start(Handler receiver) {
    handler = receiver;
    connection.exceptionHandler(this::fail);
    connection.closeHandler(
        closed -> {
          drained.tryComplete();
          handler.ended(failure);
        });
    channel.messages().subscribe(this::received, this::fail);
  }

  private void received(RingMessage message) {
    try {
      handler.message(ChatMessage.decode(message.copy().getBytes()), message::release);
    } catch (ProtocolException violation) {
      violated(violation);
    }
  }

  /** Ends the connection, because the other side broke the rules. */
  void violated(ProtocolException violation) {
    fail(violation);
    connection.close();
  }

  /** Messages that the peer's ring has room for. */
  int freeSlots() {
    return channel.freeSlots();
  }

  /** Slots of the peer's ring. */
  int slots() {
    return peer.slots();
  }

  RdmaConnection connection() {
    return connection;
  }

  /**
   * Sends a message, unless as many as the peer's ring has slots are under way or wait for one.
   *
   * @return false when it was not taken; {@link Handler#ready} follows
   * @throws IllegalArgumentException when the message is larger than a slot
   */
  boolean offer(ChatMessage message) {
    if (underWay == peer.slots() || !connection.isOpen()) {
      return false;
    }
    Future<Void> written = channel.write(Buffer.buffer(message.encode()));
    underWay++;
    written.onComplete(
        done -> {
          underWay--;
          if (draining && underWay == 0) {
            drained.tryComplete();
          }
          // A failure ends the connection, which says so itself.
          if (done.succeeded()) {
            handler.ready();
          }
        });
    return true;
  }

  /** Completes when all that was offered has arrived, or the connection has ended. */
  Future<Void> drained() {
    draining = true;
    if (underWay == 0) {
      drained.tryComplete();
    }
    return drained.future();
  }

  /** Why a link ended, for people. */
  static String reason(Throwable cause) {
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  private void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }
}
