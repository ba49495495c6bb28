package io.vertxrdma.reactive.impl;

import io.netty.util.NetUtil;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.cm.CmFailures;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.ConnectionState;
import io.vertxrdma.cm.DeviceLimits;
import io.vertxrdma.cm.DriverQuirks;
import io.vertxrdma.cm.NegotiatedParameters;
import io.vertxrdma.cm.Negotiation;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.cm.Role;
import io.vertxrdma.cm.Stimulus;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.metrics.ConnectOutcome;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * One connect of a client: looks the name up, tries its addresses in order with a fresh id each,
 * all within one deadline.
 */
final class ConnectAttempt {

  private final RdmaClientImpl client;
  private final RdmaClientOptions options;
  private final int port;
  private final String host;
  private final ConnectData privateData;
  private final ConnectionParameters parameters;
  private final Promise<RdmaConnection> outcome;
  private final List<Throwable> failures = new ArrayList<>();
  private final List<InetSocketAddress> tried = new ArrayList<>();
  private final long begun = System.nanoTime();
  private ConnectionImpl current;
  private long timer = -1;
  private boolean ended;

  ConnectAttempt(
      RdmaClientImpl client,
      int port,
      String host,
      ConnectData privateData,
      ConnectionParameters parameters) {
    this.client = client;
    this.options = client.clientOptions();
    this.port = port;
    this.host = host;
    this.privateData = privateData;
    this.parameters = parameters;
    this.outcome = client.context().promise();
  }

  Future<RdmaConnection> start() {
    timer =
        client
            .context()
            .setTimer(
                options.getConnectTimeout(),
                fired -> {
                  timer = -1;
                  timedOut();
                });
    client
        .hostNames()
        .resolve(client.context(), host)
        .onComplete(
            found -> {
              if (ended) {
                return;
              }
              if (found.failed()) {
                end(ConnectFailures.ofName(host, found.cause()));
              } else if (found.result().isEmpty()) {
                end(ConnectFailures.ofName(host, new UnknownHostException("no addresses")));
              } else {
                tryAddress(found.result(), 0);
              }
            });
    return outcome.future();
  }

  private void tryAddress(List<InetAddress> addresses, int index) {
    String provider = options.getProvider();
    InetAddress peer = addresses.get(index);
    String from = options.getLocalHost();
    client
        .loop(
            among ->
                from == null
                    ? among.forPeer(provider, peer)
                    : among.forLocal(provider, NetUtil.createInetAddressFromIpAddressString(from)))
        .onComplete(
            loop -> {
              if (ended) {
                return;
              }
              if (loop.failed()) {
                end(loop.cause());
              } else {
                tryAddress(loop.result(), addresses, index);
              }
            });
  }

  private void tryAddress(RdmaLoop loop, List<InetAddress> addresses, int index) {
    InetSocketAddress address = new InetSocketAddress(addresses.get(index), port);
    tried.add(address);
    current = new ConnectionImpl(client.home(), Role.ACTIVE, Addresses.text(address));
    ConnectionImpl connection = current;
    connection
        .established()
        .onComplete(
            done -> {
              if (done.succeeded()) {
                succeed(connection);
                return;
              }
              if (ended) {
                return;
              }
              failures.add(done.cause());
              if (index + 1 < addresses.size() && anotherMayWork(done.cause())) {
                tryAddress(addresses, index + 1);
              } else {
                end(ConnectFailures.summary(host, tried, failures));
              }
            });
    begin(loop, connection, address);
  }

  /** A peer that answered "no" has answered; everything else may be about this address only. */
  private static boolean anotherMayWork(Throwable cause) {
    return !(cause instanceof ConnectionRejectedException rejected)
        || rejected.reason() == RejectReason.INVALID_SERVICE_ID;
  }

  private void begin(RdmaLoop loop, ConnectionImpl connection, InetSocketAddress address) {
    connection.setSteps(new Steps(loop, connection));
    try {
      connection.setId(loop.createId(PortSpace.TCP, connection));
      client.applyOptions(connection.id());
      connection.stimulate(Stimulus.RESOLVE_ADDRESS);
      connection.deadline(options.getResolveTimeout() + 500L);
      connection.id().resolveAddress(localAddress(), address, options.getResolveTimeout());
    } catch (RdmaException | IllegalArgumentException refused) {
      connection.fail(refused);
    }
  }

  private InetSocketAddress localAddress() {
    if (options.getLocalHost() == null) {
      if (options.getLocalPort() != 0) {
        throw new IllegalArgumentException(
            "localPort " + options.getLocalPort() + " needs a localHost");
      }
      return null;
    }
    InetAddress local = NetUtil.createInetAddressFromIpAddressString(options.getLocalHost());
    return new InetSocketAddress(local, options.getLocalPort());
  }

  /** The steps after each event. */
  private final class Steps implements ConnectionImpl.ActiveSteps {

    private final RdmaLoop loop;
    private final ConnectionImpl connection;
    private byte[] bytes;

    Steps(RdmaLoop loop, ConnectionImpl connection) {
      this.loop = loop;
      this.connection = connection;
    }

    @Override
    public void addressResolved() {
      DeviceContext device = connection.id().device();
      try {
        privateData.check(device);
        NegotiatedParameters negotiated =
            Negotiation.forConnect(
                parameters,
                DeviceLimits.of(device.attributes()),
                DriverQuirks.forDriver(device.driver()));
        connection.setNegotiated(negotiated);
        ConnectionLog.negotiated(connection.about(), negotiated.adjustments());
      } catch (RuntimeException refused) {
        endWith(refused);
        return;
      }
      // From here on the deadline over all is the only one.
      connection.cancelTimer();
      loop.device(device)
          .compose(
              opened -> {
                connection.setDevice(opened);
                if (connection.state() != ConnectionState.ADDRESS_RESOLVED) {
                  return Future.failedFuture(connection.endReason());
                }
                return connection.build();
              })
          .onComplete(
              built -> {
                if (connection.state() != ConnectionState.ADDRESS_RESOLVED) {
                  return;
                }
                if (built.failed()) {
                  connection.fail(built.cause());
                } else {
                  askForData(device);
                }
              });
    }

    /** Where the application's memory is, and so its private data, is known only now. */
    private void askForData(DeviceContext device) {
      privateData
          .on(connection)
          .onComplete(
              told -> {
                if (connection.state() != ConnectionState.ADDRESS_RESOLVED) {
                  return;
                }
                if (told.failed()) {
                  endWith(told.cause());
                  return;
                }
                bytes = told.result();
                try {
                  ConnectData.check(device, bytes);
                } catch (IllegalArgumentException tooLong) {
                  endWith(tooLong);
                  return;
                }
                ConnectionLog.sending(connection.about(), bytes);
                resolveRoute();
              });
    }

    private void resolveRoute() {
      connection.stimulate(Stimulus.RESOLVE_ROUTE);
      connection.deadline(options.getResolveTimeout() + 500L);
      try {
        connection.id().resolveRoute(options.getResolveTimeout());
      } catch (RdmaException refused) {
        connection.fail(refused);
      }
    }

    @Override
    public void routeResolved() {
      connection.stimulate(Stimulus.CONNECT);
      connection.cancelTimer();
      try {
        client.applyAckTimeout(connection.id());
        connection.captureAddresses();
        boolean shared = connection.dataPath().usesSharedReceiveQueue();
        connection.id().connect(connection.negotiated().toConnParam(bytes, shared));
      } catch (RdmaException refused) {
        connection.fail(refused);
      }
    }

    /** A refusal that no other address would change, told as it is. */
    private void endWith(Throwable refused) {
      end(refused);
      connection.closeOnLoop();
    }
  }

  private void timedOut() {
    if (ended) {
      return;
    }
    ConnectionState state = current == null ? ConnectionState.IDLE : current.state();
    RdmaException failure =
        CmFailures.timeout(state, Role.ACTIVE, options.getConnectTimeout(), about());
    failures.forEach(failure::addSuppressed);
    endAfterCleanup(failure);
  }

  private String about() {
    return tried.isEmpty() ? host + ':' + port : Addresses.text(tried.get(tried.size() - 1));
  }

  /** Gives up: the peer sees an abort, the future fails. */
  void abort() {
    if (!ended) {
      endAfterCleanup(
          CmFailures.closed(
              current == null ? ConnectionState.IDLE : current.state(), Role.ACTIVE, about()));
    }
  }

  private void endAfterCleanup(RdmaException failure) {
    ended = true;
    cancelTimer();
    if (current == null) {
      count(failure);
    } else {
      current.meter().givenUp(failure);
    }
    Future<Void> cleanedUp = current == null ? Future.succeededFuture() : current.closeOnLoop();
    cleanedUp.onComplete(done -> outcome.tryFail(failure));
  }

  private void succeed(ConnectionImpl connection) {
    if (ended) {
      connection.close();
      return;
    }
    ended = true;
    cancelTimer();
    outcome.complete(connection);
  }

  private void end(Throwable failure) {
    if (!ended) {
      ended = true;
      cancelTimer();
      if (current == null) {
        count(failure);
      }
      outcome.tryFail(failure);
    }
  }

  /** Counts an attempt that ended before there was an address; each address counts for itself. */
  private void count(Throwable failure) {
    int reason = failure instanceof RdmaException rdma ? rdma.code() : 0;
    options
        .getMetrics()
        .connectEnded(Role.ACTIVE, ConnectOutcome.of(failure), reason, System.nanoTime() - begun);
  }

  private void cancelTimer() {
    if (timer != -1) {
      client.vertx().cancelTimer(timer);
      timer = -1;
    }
  }
}
