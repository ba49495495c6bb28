package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.streams.ReadStream;
import io.vertxrdma.cm.Alignment;
import io.vertxrdma.cm.AlignmentFinding;
import io.vertxrdma.cm.CmFailures;
import io.vertxrdma.cm.ConnectionState;
import io.vertxrdma.cm.DeviceLimits;
import io.vertxrdma.cm.DeviceLoop;
import io.vertxrdma.cm.DriverQuirks;
import io.vertxrdma.cm.HandshakeRejection;
import io.vertxrdma.cm.PeerOffer;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.cm.Role;
import io.vertxrdma.cm.Stimulus;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.DeviceEvent;
import io.vertxrdma.reactive.DeviceEvent.Kind;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listening id, its unanswered requests and the connections that came of them. */
public final class RdmaServerImpl extends Endpoint implements RdmaServer {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaServer.class);

  private final RdmaServerOptions options;
  private final QueueFlowable<ConnectRequest> requests;
  private final QueueFlowable<RdmaConnection> established;
  private final Set<ConnectRequestImpl> unanswered = ConcurrentHashMap.newKeySet();
  private final CloseFuture listenerUse = new CloseFuture();
  private volatile boolean requestsUsed;
  private volatile boolean connectionsUsed;
  private volatile Handler<ConnectRequest> requestHandler;
  private volatile InetSocketAddress actual;
  private boolean listening;
  private Throwable failure;

  /** See {@link RdmaServer#create(Vertx, RdmaServerOptions, RdmaProvider)}. */
  public RdmaServerImpl(Vertx vertx, RdmaServerOptions options, RdmaProvider provider) {
    super(vertx, options, provider);
    this.options = options;
    this.requests = new QueueFlowable<>(context(), "connectRequests()");
    this.established = new QueueFlowable<>(context(), "connections()");
  }

  RdmaServerOptions serverOptions() {
    return options;
  }

  @Override
  public Flowable<ConnectRequest> connectRequests() {
    requestsUsed = true;
    return requests;
  }

  @Override
  public ReadStream<ConnectRequest> connectRequestStream() {
    requestsUsed = true;
    return new FlowableReadStream<>(requests);
  }

  @Override
  public RdmaServer connectRequestHandler(Handler<ConnectRequest> handler) {
    synchronized (this) {
      if (listening) {
        throw new IllegalStateException(
            "the server listens already; set the connect request handler before");
      }
    }
    requestHandler = handler;
    return this;
  }

  @Override
  public Flowable<RdmaConnection> connections() {
    connectionsUsed = true;
    return established;
  }

  @Override
  public ReadStream<RdmaConnection> connectionStream() {
    connectionsUsed = true;
    return new FlowableReadStream<>(established);
  }

  @Override
  public Flowable<CmEvent> events() {
    return eventFlowable();
  }

  @Override
  public RdmaServer deviceEventHandler(Handler<DeviceEvent> handler) {
    handleDeviceEvents(handler);
    return this;
  }

  @Override
  public Future<RdmaServer> listen(int port, String host) {
    int wantedPort = port == -1 ? options.getPort() : port;
    if (wantedPort < 0 || wantedPort > 65_535) {
      throw new IllegalArgumentException("port must be 0..65535, was " + wantedPort);
    }
    String wantedHost = host == null ? options.getHost() : host;
    checkOpen("server");
    synchronized (this) {
      if (listening) {
        throw new IllegalStateException("the server listens already");
      }
      if (requestHandler == null && !requestsUsed && !connectionsUsed) {
        throw new IllegalStateException(
            "nobody answers requests: set a connectRequestHandler, or subscribe to"
                + " connectRequests() or connections(), before listen");
      }
      listening = true;
    }
    return onLoop(() -> listenOnLoop(wantedPort, wantedHost))
        .onFailure(
            failed -> {
              synchronized (this) {
                listening = false;
              }
            });
  }

  private Future<RdmaServer> listenOnLoop(int port, String host) {
    return HostNames.of(vertx())
        .resolve(context(), host)
        .compose(
            addresses ->
                loop(among -> among.forLocal(options.getProvider(), addresses.get(0)))
                    .compose(loop -> bind(loop, new InetSocketAddress(addresses.get(0), port))));
  }

  private Future<RdmaServer> bind(RdmaLoop loop, InetSocketAddress address) {
    CloseFuture attempt = new CloseFuture();
    listenerUse.add(attempt);
    return targets(loop)
        .compose(
            targets -> {
              if (isClosing()) {
                // The attempt's use has ended already: nobody would leave the listener.
                throw new IllegalStateException("the server is closed");
              }
              return SharedListener.join(this, loop.provider(), address, targets, attempt);
            })
        .compose(
            listener -> {
              if (isClosing()) {
                throw new IllegalStateException("the server is closed");
              }
              actual = listener.address();
              LOG.info(
                  "listening on {} ({} provider)", Addresses.text(actual), loop.provider().name());
              return watchDevices(loop, listener.device()).map((RdmaServer) this);
            })
        .recover(
            failed ->
                attempt
                    .close()
                    .transform(
                        done ->
                            context()
                                .failedFuture(
                                    failed instanceof RdmaException refused
                                        ? CmFailures.ofCall(refused, Addresses.text(address), null)
                                        : failed)));
  }

  /** A wildcard listener hears of every device there is. */
  private Future<Void> watchDevices(RdmaLoop loop, DeviceContext device) {
    if (device != null) {
      return loop.deviceEvents().watch(device);
    }
    return loop.blocking(() -> loop.provider().devices())
        .compose(devices -> Future.join(devices.stream().map(loop.deviceEvents()::watch).toList()))
        .otherwise(
            failure -> {
              LOG.warn("no asynchronous events of devices: {}", failure.toString());
              return null;
            })
        .mapEmpty();
  }

  /** A part on each event loop, and each loop's share of the provider. */
  private Future<List<SharedListener.Target>> targets(RdmaLoop own) {
    List<Future<SharedListener.Target>> targets = new ArrayList<>();
    targets.add(context().succeededFuture(new SharedListener.Target(this, home(), own)));
    while (parts().size() < options.getEventLoops()) {
      addPart();
    }
    for (LoopEndpoint part : parts()) {
      if (part != home()) {
        targets.add(
            loopOf(part, own.provider()).map(loop -> new SharedListener.Target(this, part, loop)));
      }
    }
    Promise<List<SharedListener.Target>> all = context().promise();
    Future.join(targets).map(joined -> joined.<SharedListener.Target>list()).onComplete(all);
    return all.future();
  }

  /** The backlog to listen with. */
  int backlog() {
    int backlog = options.getBacklog();
    if (backlog > RdmaServerOptions.MAX_BACKLOG) {
      LOG.warn("backlog: wanted {}, used {}", backlog, RdmaServerOptions.MAX_BACKLOG);
      return RdmaServerOptions.MAX_BACKLOG;
    }
    return Math.max(0, backlog);
  }

  /** What happened to the listening id, other than a request. On the loop. */
  void listenerEvent(CmEvent event) {
    publish(event);
  }

  /** The listening id is of no use any more. On the loop. */
  void listenerLost(CmEvent event, DeviceContext device) {
    RdmaException cause = CmFailures.of(event, Role.PASSIVE, Addresses.text(actual));
    deviceEventStream().publish(new DeviceEvent(Kind.LISTENER_DOWN, device, 0, null, cause));
    if (options.getRearmDelay() == 0) {
      failure = cause;
      close();
    } else {
      LOG.warn("{}; listening again when the address has a device", cause.getMessage());
    }
  }

  /** There is a new listening id. On the loop. */
  void listenerBack(DeviceContext device) {
    LOG.info("listening again on {}", Addresses.text(actual));
    deviceEventStream().publish(new DeviceEvent(Kind.LISTENER_UP, device, 0, null, null));
  }

  /** A request that falls to one of the parts. On the part's loop. */
  void requested(
      LoopEndpoint part, RdmaLoop loop, CmEvent event, SharedListener.Handover handover) {
    publish(event);
    ConnectionImpl connection = new ConnectionImpl(part, Role.PASSIVE, "");
    connection.setId(event.id());
    connection.captureAddresses();
    List<AlignmentFinding> alignment = check(connection, event);
    // Not before: it may end the connection, and then the id is closed on another thread.
    handover.to(connection);
    if (connection.state() != ConnectionState.REQUESTED) {
      // The peer went away while the request was on its way here.
      return;
    }
    HandshakeRejection refusal = refusal(connection);
    if (refusal != null) {
      connection.stimulate(Stimulus.REJECT);
      connection.rejectNative(refusal.encode());
      return;
    }
    loop.device(event.id().device())
        .onComplete(
            opened -> {
              if (opened.failed()) {
                connection.fail(opened.cause());
              } else {
                announce(connection, opened.result(), event, alignment);
              }
            });
  }

  /** Tells what the peer announced, and what of it does not fit. */
  private List<AlignmentFinding> check(ConnectionImpl connection, CmEvent request) {
    DeviceContext device = request.id().device();
    PeerOffer announced = PeerOffer.of(request);
    List<AlignmentFinding> findings =
        Alignment.ofRequest(
            announced,
            options.getParameters(),
            DeviceLimits.of(device.attributes()),
            DriverQuirks.forDriver(device.driver()));
    ConnectionLog.requested(connection.about(), announced, device, findings);
    connection.meter().findings(findings);
    return findings;
  }

  /** Why a request is not even shown to the application, or null. */
  private HandshakeRejection refusal(ConnectionImpl connection) {
    if (isClosing()) {
      return Refusals.SHUTTING_DOWN;
    }
    if (unanswered.size() < options.getMaxPendingRequests()) {
      return null;
    }
    LOG.warn(
        "{}: rejected, {} requests wait for an answer already",
        connection.about(),
        unanswered.size());
    return Refusals.busy(unanswered.size());
  }

  private void announce(
      ConnectionImpl connection,
      DeviceLoop device,
      CmEvent event,
      List<AlignmentFinding> alignment) {
    connection.setDevice(device);
    connection.setPeerPrivateData(event.privateData());
    ConnectRequestImpl request =
        new ConnectRequestImpl(this, connection, event.parameters(), alignment);
    if (request.isAnswered()) {
      // The peer went away while the device was opened.
      return;
    }
    // Once more: others came meanwhile.
    HandshakeRejection refusal = refusal(connection);
    if (refusal != null) {
      request.rejectUnanswered(refusal);
      return;
    }
    unanswered.add(request);
    if (isClosing()) {
      // Its beginning may have missed this one.
      unanswered.remove(request);
      request.rejectUnanswered(Refusals.SHUTTING_DOWN);
      return;
    }
    connection.onEnd(
        () -> {
          unanswered.remove(request);
          run(() -> requests.remove(request));
        });
    connection
        .established()
        .onSuccess(
            done -> {
              if (connectionsUsed) {
                run(() -> established.offer(done));
              }
            });
    run(() -> dispatch(request));
  }

  private void dispatch(ConnectRequestImpl request) {
    Handler<ConnectRequest> handler = requestHandler;
    if (handler != null) {
      context().emit(request, handler);
    } else if (requestsUsed) {
      context().emit(request, requests::offer);
    } else {
      request
          .accept()
          .onFailure(failed -> LOG.warn("{}: {}", request.remoteAddress(), failed.getMessage()));
    }
  }

  /** The request was accepted: it waits no more. Any thread. */
  void accepted(ConnectRequestImpl request) {
    unanswered.remove(request);
  }

  @Override
  public int actualPort() {
    InetSocketAddress address = actual;
    return address == null ? 0 : address.getPort();
  }

  @Override
  public SocketAddress actualAddress() {
    return Addresses.of(actual);
  }

  @Override
  Future<Void> stop() {
    requests.clear(request -> {});
    for (ConnectRequestImpl request : unanswered) {
      request.connection().endpoint().run(() -> request.rejectUnanswered(Refusals.SHUTTING_DOWN));
    }
    return listenerUse.close();
  }

  @Override
  void ended() {
    requests.finish(failure);
    established.finish(failure);
  }
}
