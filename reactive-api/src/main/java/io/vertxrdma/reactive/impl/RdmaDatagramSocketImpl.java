package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.streams.ReadStream;
import io.vertxrdma.cm.PrivateDataLimits;
import io.vertxrdma.cm.PrivateDataLimits.Operation;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.TransportType;
import io.vertxrdma.core.UdParam;
import io.vertxrdma.reactive.Datagram;
import io.vertxrdma.reactive.DatagramCounters;
import io.vertxrdma.reactive.DatagramPeer;
import io.vertxrdma.reactive.DatagramRequest;
import io.vertxrdma.reactive.RdmaDatagramOptions;
import io.vertxrdma.reactive.RdmaDatagramSocket;
import io.vertxrdma.reactive.RdmaMemory;
import io.vertxrdma.reactive.ReceivedDatagram;
import io.vertxrdma.reactive.WorkRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue pair for datagrams on an id of its own, the lookups that are under way and the listener:
 * both use ids without a queue pair, and name this one's.
 */
public final class RdmaDatagramSocketImpl extends Endpoint implements RdmaDatagramSocket {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaDatagramSocket.class);
  private static final int MAX_QUEUE_PAIR_NUMBER = 0xFF_FFFF;

  private final RdmaDatagramOptions options;
  private final DatagramData data;
  private final DatagramBinding binding;
  private final Set<DatagramLookup> lookups = new LinkedHashSet<>();
  private volatile Handler<DatagramRequest> requestHandler;
  private volatile int actualPort;
  private volatile Throwable failure;
  // Guarded by this.
  private boolean listening;
  // The rest belongs to the loop.
  private Handler<Throwable> exceptionHandler;
  private DatagramListener listener;
  private Future<Void> listenerGone = Future.succeededFuture();

  /** See {@link RdmaDatagramSocket#create(Vertx, RdmaDatagramOptions, RdmaProvider)}. */
  public RdmaDatagramSocketImpl(Vertx vertx, RdmaDatagramOptions options, RdmaProvider provider) {
    super(vertx, options, provider);
    this.options = options;
    this.data = new DatagramData(this);
    this.binding = new DatagramBinding(this, options, data);
  }

  @Override
  public Future<RdmaDatagramSocket> bind(String localHost) {
    Objects.requireNonNull(localHost, "localHost");
    checkOpen("datagram socket");
    return onLoop(() -> binding.resolve(localHost).compose(binding::bind).map(this));
  }

  static IllegalStateException closedException() {
    return new IllegalStateException("the datagram socket is closed");
  }

  @Override
  public RdmaDatagramSocket requestHandler(Handler<DatagramRequest> handler) {
    synchronized (this) {
      if (listening) {
        throw new IllegalStateException(
            "the datagram socket listens already; set the request handler before");
      }
    }
    requestHandler = handler;
    return this;
  }

  @Override
  public Future<RdmaDatagramSocket> listen(int port, String host) {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port must be 0..65535, was " + port);
    }
    Objects.requireNonNull(host, "host");
    checkOpen("datagram socket");
    synchronized (this) {
      if (listening) {
        throw new IllegalStateException("the datagram socket listens already");
      }
      listening = true;
    }
    return onLoop(
            () ->
                binding
                    .resolve(host)
                    .compose(address -> listenOn(new InetSocketAddress(address, port))))
        .onFailure(
            failed -> {
              synchronized (this) {
                listening = false;
              }
            });
  }

  private Future<RdmaDatagramSocket> listenOn(InetSocketAddress address) {
    return binding
        .loopOf(address.getAddress())
        .compose(
            loop ->
                binding.bind(loop, address.getAddress()).compose(bound -> listenOn(loop, address)));
  }

  private Future<RdmaDatagramSocket> listenOn(RdmaLoop loop, InetSocketAddress address) {
    if (isClosing()) {
      return Future.failedFuture(closedException());
    }
    DatagramListener made = new DatagramListener(this, options, loop, requestHandler);
    try {
      InetSocketAddress actual = made.listen(address);
      listener = made;
      actualPort = actual.getPort();
      LOG.info("datagram service on {}", Addresses.text(actual));
      return Future.succeededFuture(this);
    } catch (RdmaException | IllegalStateException refused) {
      return made.close().transform(gone -> Future.failedFuture(refused));
    }
  }

  @Override
  public int actualPort() {
    return actualPort;
  }

  @Override
  public Future<DatagramPeer> lookup(int port, String host, Buffer privateData) {
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port must be 1..65535, was " + port);
    }
    Objects.requireNonNull(host, "host");
    byte[] bytes = privateData == null ? null : privateData.getBytes();
    // What no device takes; the one that is found may take less.
    PrivateDataLimits.check(Operation.CONNECT, TransportType.IWARP, PortSpace.UDP, bytes);
    checkOpen("datagram socket");
    return onLoop(
        () -> {
          if (isClosing()) {
            return Future.failedFuture(closedException());
          }
          DatagramLookup lookup = new DatagramLookup(this, options, port, host, bytes);
          lookups.add(lookup);
          return lookup.start().onComplete(done -> lookups.remove(lookup));
        });
  }

  @Override
  public Future<DatagramPeer> peer(UdParam parameters) {
    checkNumber(parameters.queuePairNumber());
    return peer(
        parameters.queuePairNumber(),
        parameters.queueKey(),
        peers -> peers.protectionDomain().createAddressHandle(parameters.address()));
  }

  @Override
  public Future<DatagramPeer> peer(InetAddress address, int queuePairNumber, int queueKey) {
    Objects.requireNonNull(address, "address");
    checkNumber(queuePairNumber);
    data.bound();
    InetAddress source = binding.local().getAddress();
    return peer(
        queuePairNumber,
        queueKey,
        peers -> peers.protectionDomain().createAddressHandle(source, address));
  }

  private static void checkNumber(int queuePairNumber) {
    if (queuePairNumber < 1 || queuePairNumber > MAX_QUEUE_PAIR_NUMBER) {
      throw new IllegalArgumentException(
          "a queue pair number must be 1.." + MAX_QUEUE_PAIR_NUMBER + ", was " + queuePairNumber);
    }
  }

  private interface HandleMaker {
    AddressHandle make(DatagramPeers peers);
  }

  private Future<DatagramPeer> peer(int queuePairNumber, int queueKey, HandleMaker maker) {
    checkOpen("datagram socket");
    data.bound();
    DatagramPeers peers = data.peers();
    return onLoop(
        () ->
            peers.make(
                () -> maker.make(peers), new DatagramPeerImpl.Target(queuePairNumber, queueKey)));
  }

  DatagramBinding binding() {
    return binding;
  }

  /** The address handles; once bound. */
  DatagramPeers peers() {
    return data.peers();
  }

  @Override
  public Flowable<ReceivedDatagram> datagrams() {
    return data.queue();
  }

  @Override
  public ReadStream<ReceivedDatagram> datagramStream() {
    return new FlowableReadStream<>(data.queue());
  }

  @Override
  public Future<Void> post(WorkRequest request, DatagramPeer to) {
    return data.operations().post(request, own(to));
  }

  @Override
  public List<Future<Void>> postAll(List<Datagram> datagrams) {
    List<WorkRequest> requests = new ArrayList<>(datagrams.size());
    List<DatagramPeerImpl> to = new ArrayList<>(datagrams.size());
    for (Datagram datagram : datagrams) {
      requests.add(datagram.request());
      to.add(own(datagram.to()));
    }
    return data.operations().postAll(requests, to);
  }

  private DatagramPeerImpl own(DatagramPeer peer) {
    Objects.requireNonNull(peer, "to");
    if (!(peer instanceof DatagramPeerImpl own) || own.owner() != data.peers()) {
      throw new IllegalArgumentException(peer + " is a peer of another datagram socket");
    }
    return own;
  }

  @Override
  public boolean writeQueueFull() {
    return data.operations().writeQueueFull();
  }

  @Override
  public RdmaDatagramSocket setWriteQueueMaxSize(int maxSize) {
    data.operations().setWriteQueueMaxSize(maxSize);
    return this;
  }

  @Override
  public RdmaDatagramSocket drainHandler(Handler<Void> handler) {
    data.operations().drainHandler(handler);
    return this;
  }

  @Override
  public RdmaDatagramSocket exceptionHandler(Handler<Throwable> handler) {
    run(() -> exceptionHandler = handler);
    return this;
  }

  @Override
  public SocketAddress localAddress() {
    data.bound();
    return Addresses.of(binding.local());
  }

  @Override
  public DeviceContext device() {
    return data.bound().deviceLoop().device();
  }

  @Override
  public int queuePairNumber() {
    return data.bound().number();
  }

  @Override
  public int maxDatagramSize() {
    data.bound();
    return data.maxDatagramSize();
  }

  @Override
  public RdmaMemory memory() {
    data.bound();
    return data.memory();
  }

  @Override
  public DatagramCounters counters() {
    return data.counters();
  }

  @Override
  public Flowable<CmEvent> events() {
    return eventFlowable();
  }

  /** Why it failed, or null. Any thread. */
  Throwable failure() {
    return failure;
  }

  /** It is of no use any more: says so and closes. On the loop. */
  void fail(Throwable cause) {
    if (failure != null || isClosed()) {
      return;
    }
    failure = cause;
    LOG.warn("{}: {}", data, cause.getMessage());
    if (exceptionHandler != null) {
      context().emit(cause, exceptionHandler);
    }
    close();
  }

  @Override
  Future<Void> stop() {
    if (isClosed()) {
      data.stopSending();
    }
    List<Future<Void>> ending = new ArrayList<>();
    List.copyOf(lookups).forEach(lookup -> ending.add(lookup.abort()));
    if (listener != null) {
      listenerGone = listener.close();
      listener = null;
    }
    ending.add(listenerGone);
    return Future.join(ending).mapEmpty();
  }

  @Override
  Future<Void> drained() {
    return data.drained();
  }

  @Override
  Future<Void> tearDown() {
    return binding.end();
  }

  @Override
  void ended() {
    data.queue().finish(failure);
  }

  @Override
  public String toString() {
    return data.toString();
  }
}
