package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertxrdma.reactive.impl.RingChannelImpl;

/**
 * Messages over a connection, in either direction or both, each from the sender's memory into a
 * slot of the receiver's {@link InboxRing}.
 *
 * <p>Posted receives bound the immediates under way, not the memory that comes with them: the bytes
 * of a write are there before its immediate needs a receive. So a writer here also needs a free
 * slot. It begins with all of the ring, uses one for each message, and gets slots back when the
 * reader has released messages: once half of the ring can be given back, or as soon as the reader
 * has nothing left to read and the writer little room. Without a free slot messages wait at the
 * writer; nothing is ever overwritten, nothing lost, and a slow reader makes the writer wait.
 *
 * <p>The channel takes the connection's immediates from now on; those that are neither messages nor
 * credits go to a handler. It ends with the connection. A peer that breaks the rules, see {@link
 * RingFormat}, ends both with a {@link RingProtocolException}.
 *
 * <pre>{@code
 * RingChannel channel = RingChannel.over(connection, inbox, RingDescriptor.decode(peerData));
 * channel.buffers().subscribe(room::say);
 * channel.write(Buffer.buffer("hello"));
 * }</pre>
 *
 * <p>Handlers and streams run on the connection's event loop. Methods may be called from any
 * thread.
 */
public interface RingChannel {

  /** A channel with the {@linkplain RingFormat#DEFAULT default format} and no other immediates. */
  static RingChannel over(RdmaConnection connection, InboxRing inbox, RingDescriptor peer) {
    return over(connection, inbox, peer, RingFormat.DEFAULT, null);
  }

  /**
   * A channel over a connection.
   *
   * @param inbox where the peer's messages come; null for none. A ring serves one channel, once.
   * @param peer the peer's ring; null to send no messages
   * @param format the immediates, the same at both ends
   * @param others takes all other immediates, on the event loop; what it throws is reported and
   *     disturbs nothing. Null to count them and log the first.
   * @throws IllegalArgumentException for neither ring, a ring of another device or one that was
   *     used before, or more slots than the format's number holds
   * @throws IllegalStateException when somebody is subscribed to the connection's immediates
   */
  static RingChannel over(
      RdmaConnection connection,
      InboxRing inbox,
      RingDescriptor peer,
      RingFormat format,
      ImmediateHandler others) {
    return RingChannelImpl.over(connection, inbox, peer, format, others);
  }

  /** The connection it runs over. */
  RdmaConnection connection();

  /**
   * The peer's messages in order, without copy; each has to be released. One subscriber at a time;
   * a subscriber's demand bounds what it holds, and what it holds bounds what the peer can send.
   *
   * <p>After a cancel what waits is kept for the next subscriber. Completes when the connection was
   * closed and all that came was handed over; fails when the connection failed, or with a {@link
   * RingProtocolException}.
   *
   * @throws IllegalStateException when there is no ring here
   */
  Flowable<RingMessage> messages();

  /** {@link #messages()} as a Vert.x stream, for use on the connection's context. */
  ReadStream<RingMessage> messageStream();

  /** {@link #messages()}, each copied and released. */
  default Flowable<Buffer> buffers() {
    return messages().map(RingMessage::take);
  }

  /**
   * Sends a message; it is copied once, into registered memory, when there is a slot for it. The
   * future completes when the peer's device has acknowledged it: the message is placed, not yet
   * read. The first such write registers that memory: 4 MiB at most, unless one slot is larger.
   *
   * @param message not to be changed until then; 0 bytes up to the peer's slot size
   * @throws IllegalArgumentException naming both lengths for a longer one
   * @throws IllegalStateException when the peer has no ring
   */
  Future<Void> write(Buffer message);

  /**
   * Sends a message without copy.
   *
   * @param message of memory of the connection's device; not to be changed, or closed, until the
   *     future completes
   * @throws IllegalArgumentException naming both lengths for one that is longer than a slot
   * @throws IllegalStateException when the peer has no ring
   */
  Future<Void> write(RegisteredBuffer.Slice message);

  /** {@link #write(Buffer)}, when subscribed to. */
  default Completable rxWrite(Buffer message) {
    return Rx.completable(() -> write(message));
  }

  /** {@link #write(RegisteredBuffer.Slice)}, when subscribed to. */
  default Completable rxWrite(RegisteredBuffer.Slice message) {
    return Rx.completable(() -> write(message));
  }

  /**
   * Whether more messages wait or are under way than {@link #setWriteQueueMaxSize} says; a hint to
   * pause until the drain handler is called. Messages are accepted all the same.
   */
  boolean writeQueueFull();

  /**
   * Sets how many messages may wait or be under way before the queue counts as full, 1 or more;
   * twice the slots of the peer's ring unless set.
   */
  RingChannel setWriteQueueMaxSize(int maxSize);

  /** Called once each time a full write queue has fallen to half its size. */
  RingChannel drainHandler(Handler<Void> handler);

  /** Slots of the peer's ring that are free, as far as it has said so. */
  int freeSlots();
}
