package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.streams.ReadStream;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.UdParam;
import io.vertxrdma.reactive.impl.RdmaDatagramSocketImpl;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;

/**
 * Unreliable datagrams: one queue pair of type UD, which sends to and receives from any number of
 * peers.
 *
 * <p>A datagram arrives whole or not at all, and who sent it does not hear of the loss: there is no
 * acknowledgement, no repetition, and no "receiver not ready". One that finds no posted receive is
 * dropped by the card, which counts it nowhere; {@link DatagramCounters#receivesExhausted()} says
 * how often that could begin. It has at most {@link #maxDatagramSize()} bytes.
 *
 * <p>The socket belongs to one event loop: handlers and streams run there. Methods may be called
 * from any thread. It closes with the verticle it was created in.
 */
public interface RdmaDatagramSocket {

  /** A socket with default options. */
  static RdmaDatagramSocket create(Vertx vertx) {
    return create(vertx, new RdmaDatagramOptions());
  }

  /** A socket; the options are copied. */
  static RdmaDatagramSocket create(Vertx vertx, RdmaDatagramOptions options) {
    return create(vertx, options, null);
  }

  /**
   * A socket on a provider of the caller's.
   *
   * @param provider null for the one the options name
   * @throws IllegalArgumentException when options contradict each other, or have no meaning for
   *     datagrams
   */
  static RdmaDatagramSocket create(
      Vertx vertx, RdmaDatagramOptions options, RdmaProvider provider) {
    return new RdmaDatagramSocketImpl(vertx, new RdmaDatagramOptions(options).checked(), provider);
  }

  /**
   * Makes the queue pair on the device that has an address, its receives posted; {@link #listen}
   * and {@link #lookup} do it by themselves. Without effect when it is there already.
   *
   * @param localHost a name or an address of an RDMA device, not a wildcard: one queue pair is on
   *     one device
   * @throws IllegalStateException when the socket is closed; the future fails with it when the
   *     queue pair is on another device
   */
  Future<RdmaDatagramSocket> bind(String localHost);

  /**
   * Answers those who look up a port: service id resolution (SIDR). Unless there is a {@link
   * #requestHandler}, everybody is told this socket's queue pair.
   *
   * @param port 0..65535 in the port space UDP of the connection manager; 0 for any, see {@link
   *     #actualPort()}
   * @param host a name or an address of an RDMA device, not a wildcard
   * @return fails with {@link io.vertxrdma.core.AddressInUseException}, {@link
   *     io.vertxrdma.core.AddressException} or another {@link io.vertxrdma.core.RdmaException}
   * @throws IllegalArgumentException for a port out of range
   * @throws IllegalStateException when the socket listens already, or is closed
   */
  Future<RdmaDatagramSocket> listen(int port, String host);

  /**
   * Sets who answers those who look this socket up; before {@link #listen}. Further ones are
   * rejected as busy while {@link RdmaDatagramOptions#getMaxPendingRequests()} wait for an answer.
   *
   * @throws IllegalStateException when the socket listens already
   */
  RdmaDatagramSocket requestHandler(Handler<DatagramRequest> handler);

  /** Where it listens; port 0 before. */
  int actualPort();

  /** Looks a service up, without private data. */
  default Future<DatagramPeer> lookup(int port, String host) {
    return lookup(port, host, null);
  }

  /**
   * Asks the connection manager at an address for the queue pair behind a port.
   *
   * @param port 1..65535
   * @param host a name, of which every address is tried in order, or an address
   * @param privateData 180 bytes at most on InfiniBand and RoCE; null for none. The service sees
   *     the whole field, zero-padded
   * @return the peer; fails with {@link io.vertxrdma.core.LookupRejectedException} when nobody
   *     listens there or the service said no, with {@link
   *     io.vertxrdma.core.ConnectTimeoutException} when nobody answered in {@link
   *     RdmaDatagramOptions#getLookupTimeout()}, with {@link io.vertxrdma.core.AddressException} or
   *     another {@link io.vertxrdma.core.RdmaException}
   * @throws IllegalArgumentException for a port out of range, or private data longer than any
   *     device takes; when only the device found is too narrow, the future fails with it
   * @throws IllegalStateException when the socket is closed
   */
  Future<DatagramPeer> lookup(int port, String host, Buffer privateData);

  /**
   * A peer whose queue pair is known by other means, once the socket is bound.
   *
   * @throws IllegalStateException when it is not bound, or closed
   */
  Future<DatagramPeer> peer(UdParam parameters);

  /**
   * A peer at an IP address, on RoCE devices, once the socket is bound.
   *
   * @param queuePairNumber 1..16777215
   * @param queueKey {@link UdParam#DEFAULT_QUEUE_KEY} for those of this library
   * @throws IllegalArgumentException for a number out of range
   * @throws IllegalStateException when the socket is not bound, or closed
   */
  Future<DatagramPeer> peer(InetAddress address, int queuePairNumber, int queueKey);

  /**
   * The datagrams that come, in the order of their arrival; one subscriber at a time.
   *
   * <p>Each lies in the memory of the receive that it used up. Demand reaches the card: a receive
   * is posted again only when its datagram was handed over and released, so at most {@link
   * RdmaOptions#getReceiveDepth()} are held here, and while none is posted the card drops what
   * comes. After a cancel what waits is kept for the next subscriber. Completes at {@link #close},
   * which drops what nobody was given; fails when the socket failed.
   */
  Flowable<ReceivedDatagram> datagrams();

  /** {@link #datagrams()} as a Vert.x stream, for use on the socket's context. */
  ReadStream<ReceivedDatagram> datagramStream();

  /**
   * Sends a datagram.
   *
   * <p>When the send queue is full it waits; see {@link #writeQueueFull()}. Datagrams leave in the
   * order they were sent. The future completes when the card has sent it and the memory may be used
   * again; nobody says whether it arrived.
   *
   * @param request {@link WorkRequest#send} or {@link WorkRequest#sendWithImmediate}
   * @param to a peer of this socket
   * @throws IllegalArgumentException for another operation, more bytes than {@link
   *     #maxDatagramSize()}, more slices than {@link RdmaOptions#getMaxScatterGather()}, memory of
   *     another device, or a peer of another socket
   * @throws IllegalStateException when the socket, the peer or the memory is closed
   */
  Future<Void> post(WorkRequest request, DatagramPeer to);

  /**
   * Sends datagrams together: as one chain, as far as the send queue has room. All of them are
   * checked before the first is sent.
   *
   * @return a future for each, in order
   */
  List<Future<Void>> postAll(List<Datagram> datagrams);

  /** Sends a datagram; see {@link #post}. */
  default Future<Void> send(RegisteredBuffer.Slice payload, DatagramPeer to) {
    return post(WorkRequest.send(payload), to);
  }

  /** Sends a whole buffer; see {@link #post}. */
  default Future<Void> send(RegisteredBuffer payload, DatagramPeer to) {
    return send(payload.all(), to);
  }

  /** Sends a datagram with an immediate, 0..4294967295; see {@link #post}. */
  default Future<Void> sendWithImmediate(
      RegisteredBuffer.Slice payload, DatagramPeer to, long immediate) {
    return post(WorkRequest.sendWithImmediate(immediate, payload), to);
  }

  /** Sends a whole buffer with an immediate, 0..4294967295; see {@link #post}. */
  default Future<Void> sendWithImmediate(
      RegisteredBuffer payload, DatagramPeer to, long immediate) {
    return sendWithImmediate(payload.all(), to, immediate);
  }

  /** Sends an immediate without data, 0..4294967295; see {@link #post}. */
  default Future<Void> sendImmediate(DatagramPeer to, long immediate) {
    return post(WorkRequest.sendWithImmediate(immediate), to);
  }

  /** {@link #bind}, when subscribed to. */
  default Single<RdmaDatagramSocket> rxBind(String localHost) {
    return Rx.single(() -> bind(localHost));
  }

  /** {@link #listen}, when subscribed to. */
  default Single<RdmaDatagramSocket> rxListen(int port, String host) {
    return Rx.single(() -> listen(port, host));
  }

  /** {@link #lookup(int, String)}, when subscribed to. */
  default Single<DatagramPeer> rxLookup(int port, String host) {
    return rxLookup(port, host, null);
  }

  /** {@link #lookup(int, String, Buffer)}, when subscribed to. */
  default Single<DatagramPeer> rxLookup(int port, String host, Buffer privateData) {
    return Rx.single(() -> lookup(port, host, privateData));
  }

  /** {@link #peer(UdParam)}, when subscribed to. */
  default Single<DatagramPeer> rxPeer(UdParam parameters) {
    return Rx.single(() -> peer(parameters));
  }

  /** {@link #peer(InetAddress, int, int)}, when subscribed to. */
  default Single<DatagramPeer> rxPeer(InetAddress address, int queuePairNumber, int queueKey) {
    return Rx.single(() -> peer(address, queuePairNumber, queueKey));
  }

  /** {@link #post}, when subscribed to. */
  default Completable rxPost(WorkRequest request, DatagramPeer to) {
    return Rx.completable(() -> post(request, to));
  }

  /** {@link #send(RegisteredBuffer.Slice, DatagramPeer)}, when subscribed to. */
  default Completable rxSend(RegisteredBuffer.Slice payload, DatagramPeer to) {
    return Rx.completable(() -> send(payload, to));
  }

  /** {@link #sendWithImmediate(RegisteredBuffer.Slice, DatagramPeer, long)}, when subscribed to. */
  default Completable rxSendWithImmediate(
      RegisteredBuffer.Slice payload, DatagramPeer to, long immediate) {
    return Rx.completable(() -> sendWithImmediate(payload, to, immediate));
  }

  /**
   * Sends what a publisher brings, when subscribed to: at most so many are under way, and no more
   * is asked of it. Completes when all were sent; the first failure cancels the publisher.
   *
   * @param maxInFlight 1 or more
   * @throws IllegalArgumentException for a maximum below 1
   */
  default Completable rxPostAll(Publisher<Datagram> datagrams, int maxInFlight) {
    if (maxInFlight < 1) {
      throw new IllegalArgumentException("maxInFlight must be 1 or more, was " + maxInFlight);
    }
    return Flowable.fromPublisher(datagrams)
        .flatMapCompletable(
            datagram -> rxPost(datagram.request(), datagram.to()), false, maxInFlight);
  }

  /**
   * Whether more sends wait than {@link #setWriteQueueMaxSize} says; a hint to pause until the
   * drain handler is called. Sends are accepted all the same.
   */
  boolean writeQueueFull();

  /** Sets how many sends may be under way before the queue counts as full, 1 or more. */
  RdmaDatagramSocket setWriteQueueMaxSize(int maxSize);

  /** Called once each time a full write queue has fallen to its low watermark. */
  RdmaDatagramSocket drainHandler(Handler<Void> handler);

  /** Called once when the socket failed, before it closes by itself; not for a plain close. */
  RdmaDatagramSocket exceptionHandler(Handler<Throwable> handler);

  /**
   * The address the queue pair was made for.
   *
   * @throws IllegalStateException when the socket is not bound; so do the next ones
   */
  SocketAddress localAddress();

  /** The device it runs on. */
  DeviceContext device();

  /** The queue pair number, 24 bits. */
  int queuePairNumber();

  /** Bytes of payload that one datagram has at most: the MTU of the port when it was bound. */
  int maxDatagramSize();

  /** Memory of the device, to send from. */
  RdmaMemory memory();

  /** Counts of this socket, a snapshot. */
  DatagramCounters counters();

  /** Every connection manager event of this socket's lookups and requests, for observers. */
  Flowable<CmEvent> events();

  /**
   * What happens to devices, for observers. Starts with what comes after subscribing; events of
   * other users of the same event loop may be among it.
   */
  Flowable<DeviceEvent> deviceEvents();

  /** {@link #shutdown(long, TimeUnit)} within 30 seconds. */
  default Future<Void> shutdown() {
    return shutdown(30, TimeUnit.SECONDS);
  }

  /**
   * Closes gracefully: listens no more, aborts lookups, refuses new sends with {@link
   * ShutdownException}, waits until those under way have been sent, then closes as {@link #close()}
   * does. When the time is up it closes all the same. Idempotent; the first timeout counts.
   *
   * @param timeout 0 or more; 0 is {@link #close()}
   * @return the same outcome as {@link #close()}
   * @throws IllegalArgumentException for a negative timeout
   */
  Future<Void> shutdown(long timeout, TimeUnit unit);

  /** {@link #shutdown(long, TimeUnit)}, when subscribed to. */
  default Completable rxShutdown(long timeout, TimeUnit unit) {
    return Rx.completable(() -> shutdown(timeout, unit));
  }

  /**
   * Closes: listens no more, rejects who waits for an answer, aborts lookups, fails sends that have
   * not left with {@link io.vertxrdma.core.FlushedException}, closes peers and memory, ends the
   * stream. Idempotent.
   */
  Future<Void> close();

  /** {@link #close()}, when subscribed to. */
  default Completable rxClose() {
    return Rx.completable(this::close);
  }
}
