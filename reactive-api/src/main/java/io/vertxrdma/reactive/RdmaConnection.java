package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import io.vertxrdma.cm.NegotiatedParameters;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.QueuePairAttributes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;

/**
 * An established reliable connection.
 *
 * <p>It belongs to one event loop: handlers and streams run there. Methods may be called from any
 * thread. A connection ends once: every outstanding operation fails first (with {@link
 * io.vertxrdma.core.FlushedException} when it was not executed), then {@link #closed()} completes
 * and the close handler runs.
 */
public interface RdmaConnection {

  /** The local address. */
  SocketAddress localAddress();

  /** The peer's address. */
  SocketAddress remoteAddress();

  /** The device it runs on. */
  DeviceContext device();

  /**
   * What the peer sent when connecting or accepting. On InfiniBand and RoCE always the whole field,
   * zero-padded: 56 bytes of a client, 196 of a server. Carry a length inside.
   */
  Buffer peerPrivateData();

  /** What was agreed, and what was clamped on the way. */
  NegotiatedParameters negotiated();

  /** The queue pair's parameters as the device had them when the connection was established. */
  QueuePairAttributes queuePairAttributes();

  /** The queue pair number, 24 bits. */
  int queuePairNumber();

  /** Memory of this connection's device. */
  RdmaMemory memory();

  /**
   * The immediates that the peer's writes bring, in order; one subscriber at a time.
   *
   * <p>Demand reaches the network: a receive is posted again only for an immediate that was handed
   * over. At most {@link RdmaOptions#getReceiveDepth()} wait here, none is lost, and a peer that
   * finds no receive waits (RNR). After a cancel what waits is kept for the next subscriber.
   * Completes when the connection was closed and all was handed over; fails when the connection
   * failed. After a local {@link #close()} what nobody was given is dropped.
   */
  Flowable<Immediate> immediates();

  /** {@link #immediates()} as a Vert.x stream, for use on the connection's context. */
  ReadStream<Immediate> immediateStream();

  /**
   * Takes immediates without an object for each, instead of {@link #immediates()}. Null to end.
   *
   * @throws IllegalStateException when {@link #immediates()} has a subscriber
   */
  RdmaConnection immediateHandler(ImmediateHandler handler);

  /**
   * The messages that the peer's sends bring, in order; one subscriber at a time.
   *
   * <p>Each lies in the memory of the receive that it used up, {@link
   * RdmaOptions#getReceiveBufferSize()} bytes, and holds it until it is released. They and the
   * immediates of writes use the same receives, so both streams want a subscriber when the peer
   * sends both. Ends like {@link #immediates()}.
   *
   * @throws IllegalStateException when the option is 0
   */
  Flowable<ReceivedMessage> messages();

  /** {@link #messages()} as a Vert.x stream, for use on the connection's context. */
  ReadStream<ReceivedMessage> messageStream();

  /**
   * Posts an operation.
   *
   * <p>When the send queue is full it waits; see {@link #writeQueueFull()}. Operations start in the
   * order they were posted. The future completes when the operation has: for what goes out, the
   * peer's device has acknowledged it; for what comes in, it is in the memory given.
   *
   * <p>Of the operations that one turn of the event loop posts, the device tells of the last only:
   * their futures complete together. Who must know of one before the peer can go on with the next,
   * posts the next in the handler of the first.
   *
   * @throws IllegalArgumentException for memory of another device, memory that can't be read into,
   *     or more slices than {@link RdmaOptions#getMaxScatterGather()}
   * @throws IllegalStateException when the connection or the memory is closed, or for a READ or
   *     atomic operation when the initiator depth is 0
   * @throws UnsupportedOperationException for an atomic operation on a device without them
   */
  Future<Void> post(WorkRequest request);

  /**
   * Posts operations together: as one chain, as far as the send queue has room. All of them are
   * checked before the first is posted.
   *
   * @return a future for each, in order
   */
  List<Future<Void>> postAll(List<WorkRequest> requests);

  /**
   * Posts what a publisher brings, when subscribed to: at most so many operations are under way,
   * and no more is asked of it. Completes when all have completed; the first failure cancels the
   * publisher and ends it at once. A cancel stops what was not posted yet.
   *
   * @param maxInFlight 1 or more
   * @throws IllegalArgumentException for a maximum below 1
   */
  default Completable rxPostAll(Publisher<WorkRequest> requests, int maxInFlight) {
    if (maxInFlight < 1) {
      throw new IllegalArgumentException("maxInFlight must be 1 or more, was " + maxInFlight);
    }
    return Flowable.fromPublisher(requests).flatMapCompletable(this::rxPost, false, maxInFlight);
  }

  /**
   * A Vert.x stream that posts what is written to it. Its write queue is that of the connection.
   * Its end waits for what was written; the connection stays open.
   */
  default WriteStream<WorkRequest> requestStream() {
    return new RequestStream(this);
  }

  /**
   * Writes to the peer's memory and hands it an immediate.
   *
   * <p>When the send queue is full the operation waits; see {@link #writeQueueFull()}. The future
   * completes when the peer's device has acknowledged: the data is placed, not yet seen by the
   * application there.
   *
   * @param source what to write, 0 bytes or more; may be null for none
   * @param target where to write; at least as long as the source
   * @param immediate 0..4294967295
   * @throws IllegalArgumentException for an immediate out of range, a target that is too short, or
   *     memory of another device
   * @throws IllegalStateException when the connection or the source is closed
   */
  Future<Void> writeWithImmediate(
      RegisteredBuffer.Slice source, RemoteMemory target, long immediate);

  /** Writes a whole buffer. */
  default Future<Void> writeWithImmediate(
      RegisteredBuffer source, RemoteMemory target, long immediate) {
    return writeWithImmediate(source.all(), target, immediate);
  }

  /** Hands the peer an immediate without data: a zero-length write. */
  default Future<Void> writeImmediate(long immediate) {
    return writeWithImmediate((RegisteredBuffer.Slice) null, null, immediate);
  }

  /** Writes to the peer's memory; the peer's application is not told. */
  default Future<Void> write(RegisteredBuffer.Slice source, RemoteMemory target) {
    return post(source == null ? WorkRequest.write(target) : WorkRequest.write(target, source));
  }

  /** Sends a message; see {@link WorkRequest#send}. */
  default Future<Void> send(RegisteredBuffer.Slice message) {
    return post(WorkRequest.send(message));
  }

  /** Sends a message with an immediate, 0..4294967295; see {@link WorkRequest#send}. */
  default Future<Void> sendWithImmediate(RegisteredBuffer.Slice message, long immediate) {
    return post(WorkRequest.sendWithImmediate(immediate, message));
  }

  /** Reads the peer's memory; see {@link WorkRequest#read}. */
  default Future<Void> read(RemoteMemory source, RegisteredBuffer.Slice target) {
    return post(WorkRequest.read(source, target));
  }

  /**
   * Adds to 8 bytes of the peer's memory; see {@link WorkRequest#fetchAndAdd}.
   *
   * @return the value before
   */
  Future<Long> fetchAndAdd(RemoteMemory target, long add);

  /**
   * Replaces 8 bytes of the peer's memory if they have the value expected; see {@link
   * WorkRequest#compareAndSwap}.
   *
   * @return the value before: the one expected if it was replaced
   */
  Future<Long> compareAndSwap(RemoteMemory target, long expected, long replacement);

  /** {@link #post}, when subscribed to. */
  default Completable rxPost(WorkRequest request) {
    return Rx.completable(() -> post(request));
  }

  /** {@link #send}, when subscribed to. */
  default Completable rxSend(RegisteredBuffer.Slice message) {
    return Rx.completable(() -> send(message));
  }

  /** {@link #read}, when subscribed to. */
  default Completable rxRead(RemoteMemory source, RegisteredBuffer.Slice target) {
    return Rx.completable(() -> read(source, target));
  }

  /** {@link #fetchAndAdd}, when subscribed to. */
  default Single<Long> rxFetchAndAdd(RemoteMemory target, long add) {
    return Rx.single(() -> fetchAndAdd(target, add));
  }

  /** {@link #compareAndSwap}, when subscribed to. */
  default Single<Long> rxCompareAndSwap(RemoteMemory target, long expected, long replacement) {
    return Rx.single(() -> compareAndSwap(target, expected, replacement));
  }

  /**
   * {@link #writeWithImmediate(RegisteredBuffer.Slice, RemoteMemory, long)}, when subscribed to.
   */
  default Completable rxWriteWithImmediate(
      RegisteredBuffer.Slice source, RemoteMemory target, long immediate) {
    return Rx.completable(() -> writeWithImmediate(source, target, immediate));
  }

  /** {@link #writeWithImmediate(RegisteredBuffer, RemoteMemory, long)}, when subscribed to. */
  default Completable rxWriteWithImmediate(
      RegisteredBuffer source, RemoteMemory target, long immediate) {
    return rxWriteWithImmediate(source.all(), target, immediate);
  }

  /** {@link #writeImmediate(long)}, when subscribed to. */
  default Completable rxWriteImmediate(long immediate) {
    return Rx.completable(() -> writeImmediate(immediate));
  }

  /**
   * Whether more operations wait than {@link #setWriteQueueMaxSize} says; a hint to pause until the
   * drain handler is called. Operations are accepted all the same.
   */
  boolean writeQueueFull();

  /** Sets how many operations may be under way before the queue counts as full, 1 or more. */
  RdmaConnection setWriteQueueMaxSize(int maxSize);

  /** Called once each time a full write queue has fallen to half its size. */
  RdmaConnection drainHandler(Handler<Void> handler);

  /** Called once when the connection failed, before the close handler; not for a plain close. */
  RdmaConnection exceptionHandler(Handler<Throwable> handler);

  /** Called once when everything has ended. At once if that has happened already. */
  RdmaConnection closeHandler(Handler<Void> handler);

  /** Counts of this connection, a snapshot. */
  ConnectionCounters counters();

  /** Whether it is established, and neither closing nor shutting down. */
  boolean isOpen();

  /** Completes when everything has ended; never fails. */
  Future<Void> closed();

  /** {@link #shutdown(long, TimeUnit)} within 30 seconds. */
  default Future<Void> shutdown() {
    return shutdown(30, TimeUnit.SECONDS);
  }

  /**
   * Closes gracefully: takes no new operations, which from now on fail with {@link
   * ShutdownException}, waits until those under way have completed and the immediates that have
   * come were handed over to whoever takes them, then closes. When the time is up, or on {@link
   * #close()}, it closes all the same, and what is under way fails as at every close. Idempotent;
   * the first timeout counts.
   *
   * @param timeout 0 or more; 0 is {@link #close()}
   * @return the same outcome as {@link #closed()}
   * @throws IllegalArgumentException for a negative timeout
   */
  Future<Void> shutdown(long timeout, TimeUnit unit);

  /** {@link #shutdown(long, TimeUnit)}, when subscribed to. */
  default Completable rxShutdown(long timeout, TimeUnit unit) {
    return Rx.completable(() -> shutdown(timeout, unit));
  }

  /**
   * Called once when a shutdown begins, of this connection or of the server or client it belongs
   * to; not for a plain close. Operations that the handler starts are still taken: a last word to
   * the peer.
   */
  RdmaConnection shutdownHandler(Handler<Void> handler);

  /** Closes. Idempotent: every call returns the same outcome as {@link #closed()}. */
  Future<Void> close();

  /** {@link #close()}, when subscribed to. */
  default Completable rxClose() {
    return Rx.completable(this::close);
  }
}
