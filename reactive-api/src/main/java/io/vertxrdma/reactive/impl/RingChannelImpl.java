package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.disposables.Disposable;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertxrdma.reactive.ImmediateHandler;
import io.vertxrdma.reactive.ImmediateRouter;
import io.vertxrdma.reactive.InboxRing;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RingChannel;
import io.vertxrdma.reactive.RingDescriptor;
import io.vertxrdma.reactive.RingFormat;
import io.vertxrdma.reactive.RingMessage;
import io.vertxrdma.reactive.RingProtocolException;
import java.util.Objects;

/** Both halves of a ring channel over the one subscription to a connection's immediates. */
public final class RingChannelImpl implements RingChannel {

  private final ConnectionImpl connection;
  private final RingFormat format;
  private final RingReader reader;
  private final RingWriter writer;
  private final ImmediateHandler others;
  private volatile Disposable routing;
  private volatile Thread subscriber;
  private Throwable refused;
  private boolean ended;

  private RingChannelImpl(
      ConnectionImpl connection,
      InboxRingImpl inbox,
      RingDescriptor peer,
      RingFormat format,
      ImmediateHandler others) {
    this.connection = connection;
    this.format = format;
    this.others = others;
    this.reader =
        inbox == null
            ? null
            : new RingReader(connection.endpoint(), connection.context(), inbox, this::giveBack);
    this.writer =
        peer == null
            ? null
            : new RingWriter(connection.endpoint(), connection, peer, format, this::fail);
  }

  /** See {@link RingChannel#over(RdmaConnection, InboxRing, RingDescriptor)}. */
  public static RingChannel over(
      RdmaConnection connection,
      InboxRing inbox,
      RingDescriptor peer,
      RingFormat format,
      ImmediateHandler others) {
    Objects.requireNonNull(format, "format");
    if (!(connection instanceof ConnectionImpl own)) {
      throw new IllegalArgumentException(connection + " is not a connection of this library");
    }
    if (inbox == null && peer == null) {
      throw new IllegalArgumentException("a ring channel needs an inbox ring, a peer's, or both");
    }
    if (peer != null) {
      checkSlots("the peer's ring", peer.slots(), format);
    }
    InboxRingImpl ring = inbox == null ? null : checked(own, inbox, format);
    RingChannelImpl channel = new RingChannelImpl(own, ring, peer, format, others);
    try {
      channel.subscribe();
    } catch (IllegalStateException refused) {
      if (ring != null) {
        ring.unclaim();
      }
      throw refused;
    }
    return channel;
  }

  private static InboxRingImpl checked(
      ConnectionImpl connection, InboxRing inbox, RingFormat format) {
    checkSlots("the inbox ring", inbox.slots(), format);
    if (!(inbox instanceof InboxRingImpl ring)
        || !(ring.memory() instanceof RegisteredBufferImpl memory)
        || memory.owner().device().device() != connection.device()) {
      throw new IllegalArgumentException(inbox + " is not memory of this connection's device");
    }
    if (!ring.claim()) {
      throw new IllegalArgumentException(inbox + " has served a channel already; allocate another");
    }
    return ring;
  }

  private static void checkSlots(String what, int slots, RingFormat format) {
    if (slots > format.number().max()) {
      throw new IllegalArgumentException(
          what
              + " has "
              + slots
              + " slots, the format's field \""
              + format.number().name()
              + "\" counts up to "
              + format.number().max());
    }
  }

  private void subscribe() {
    ImmediateRouter router =
        format
            .type()
            .route()
            .on(format.messageType(), this::message)
            .on(format.creditType(), this::credit);
    if (others != null) {
      router.otherwise(this::other);
    }
    subscriber = Thread.currentThread();
    routing =
        router.route(connection.immediates()).subscribe(() -> ended(null), this::routingFailed);
    subscriber = null;
    if (refused != null) {
      throw new IllegalStateException(refused.getMessage(), refused);
    }
  }

  private void routingFailed(Throwable failure) {
    if (failure instanceof IllegalStateException && Thread.currentThread() == subscriber) {
      refused = failure;
    } else {
      ended(failure);
      // A peer that broke the rules would wait for what never comes.
      connection.close();
    }
  }

  private void message(RdmaConnection from, int immediate, int byteLength) {
    if (reader == null) {
      throw new RingProtocolException("the peer wrote a message, and there is no ring for it here");
    }
    reader.received(format.number().get(immediate), byteLength);
  }

  private void credit(RdmaConnection from, int immediate, int byteLength) {
    if (writer == null) {
      throw new RingProtocolException("the peer gave back slots of a ring it has not");
    }
    writer.credit(format.number().get(immediate));
  }

  private void other(RdmaConnection from, int immediate, int byteLength) {
    try {
      others.handle(from, immediate, byteLength);
    } catch (Throwable thrown) {
      // Messages and credits are no less wanted.
      connection.context().reportException(thrown);
    }
  }

  private void giveBack(int count) {
    try {
      connection.writeImmediate(format.credit(count));
    } catch (IllegalStateException closed) {
      // The end of the connection is on its way to both.
    }
  }

  /** Ends the connection too. On the loop. */
  private void fail(Throwable cause) {
    ended(cause);
    Disposable current = routing;
    if (current != null) {
      current.dispose();
    }
    connection.close();
  }

  private void ended(Throwable failure) {
    if (ended) {
      return;
    }
    ended = true;
    if (reader != null) {
      reader.finish(failure);
    }
    if (writer != null) {
      writer.end(failure == null ? connection.endReason() : failure);
    }
  }

  @Override
  public RdmaConnection connection() {
    return connection;
  }

  private RingReader reading() {
    if (reader == null) {
      throw new IllegalStateException("the channel has no ring to read");
    }
    return reader;
  }

  private RingWriter writing() {
    if (writer == null) {
      throw new IllegalStateException("the channel has no ring of the peer's to write to");
    }
    return writer;
  }

  @Override
  public Flowable<RingMessage> messages() {
    return reading();
  }

  @Override
  public ReadStream<RingMessage> messageStream() {
    return new FlowableReadStream<>(reading());
  }

  @Override
  public Future<Void> write(Buffer message) {
    return writing().write(message);
  }

  @Override
  public Future<Void> write(RegisteredBuffer.Slice message) {
    return writing().write(message);
  }

  @Override
  public boolean writeQueueFull() {
    return writing().isFull();
  }

  @Override
  public RingChannel setWriteQueueMaxSize(int maxSize) {
    writing().setMaxSize(maxSize);
    return this;
  }

  @Override
  public RingChannel drainHandler(Handler<Void> handler) {
    writing().setDrainHandler(handler);
    return this;
  }

  @Override
  public int freeSlots() {
    return writing().freeSlots();
  }

  @Override
  public String toString() {
    return "RingChannel over " + connection;
  }
}
