package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.CmEventHandler;
import io.vertxrdma.cm.CmFailures;
import io.vertxrdma.cm.ConnectionState;
import io.vertxrdma.cm.PrivateDataLimits;
import io.vertxrdma.cm.PrivateDataLimits.Operation;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.cm.Role;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.LookupRejectedException;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.UdParam;
import io.vertxrdma.reactive.DatagramPeer;
import io.vertxrdma.reactive.RdmaDatagramOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * One lookup of a datagram service: looks the host name up, asks at its addresses in order with a
 * fresh id each, all within one deadline. On the loop.
 */
final class DatagramLookup {

  private final RdmaDatagramSocketImpl socket;
  private final RdmaDatagramOptions options;
  private final int port;
  private final String host;
  private final byte[] privateData;
  private final Promise<DatagramPeer> outcome;
  private final Deadline deadline;
  private final List<Throwable> failures = new ArrayList<>();
  private final List<InetSocketAddress> tried = new ArrayList<>();
  private Question current;
  private boolean ended;

  DatagramLookup(
      RdmaDatagramSocketImpl socket,
      RdmaDatagramOptions options,
      int port,
      String host,
      byte[] privateData) {
    this.socket = socket;
    this.options = options;
    this.port = port;
    this.host = host;
    this.privateData = privateData;
    this.outcome = socket.context().promise();
    this.deadline = new Deadline(socket.home());
  }

  Future<DatagramPeer> start() {
    deadline.start(options.getLookupTimeout(), this::timedOut);
    HostNames.of(socket.vertx())
        .resolve(socket.context(), host)
        .onSuccess(addresses -> tryAddress(addresses, 0))
        .onFailure(unknown -> end(ConnectFailures.ofName(host, unknown)));
    return outcome.future();
  }

  private void tryAddress(List<InetAddress> addresses, int index) {
    if (ended) {
      return;
    }
    InetSocketAddress address = new InetSocketAddress(addresses.get(index), port);
    tried.add(address);
    socket
        .binding()
        .loopTowards(address.getAddress())
        .compose(
            loop -> {
              if (ended) {
                return Future.failedFuture(closed());
              }
              current = new Question(loop, address);
              return current.ask();
            })
        .onSuccess(this::succeed)
        .onFailure(
            failure -> {
              failures.add(failure);
              if (index + 1 < addresses.size() && anotherMayWork(failure)) {
                tryAddress(addresses, index + 1);
              } else {
                end(ConnectFailures.summary(host, tried, failures));
              }
            });
  }

  /** A service that answered "no" has answered; everything else may be about this address only. */
  private static boolean anotherMayWork(Throwable failure) {
    return !(failure instanceof LookupRejectedException rejected)
        || rejected.status() != LookupRejectedException.REJECTED;
  }

  private void succeed(DatagramPeer peer) {
    if (ended) {
      peer.close();
      return;
    }
    ended = true;
    deadline.cancel();
    outcome.complete(peer);
  }

  private void end(Throwable failure) {
    if (!ended) {
      ended = true;
      deadline.cancel();
      outcome.fail(failure);
    }
  }

  private void timedOut() {
    RdmaException failure =
        CmFailures.timeout(state(), Role.ACTIVE, options.getLookupTimeout(), about());
    failures.forEach(failure::addSuppressed);
    giveUp(failure);
  }

  /** The socket closes. */
  Future<Void> abort() {
    return giveUp(closed());
  }

  private RdmaException closed() {
    return CmFailures.closed(state(), Role.ACTIVE, about());
  }

  private Future<Void> giveUp(RdmaException failure) {
    end(failure);
    return current == null ? Future.succeededFuture() : current.drop();
  }

  private ConnectionState state() {
    return current == null ? ConnectionState.IDLE : current.state;
  }

  private String about() {
    return tried.isEmpty() ? host + ':' + port : Addresses.text(tried.get(tried.size() - 1));
  }

  /** The steps at one address. */
  private final class Question implements CmEventHandler {

    private final RdmaLoop loop;
    private final InetSocketAddress address;
    private final Promise<DatagramPeer> answer;
    private ConnectionState state = ConnectionState.IDLE;
    private CmId id;
    private boolean over;

    Question(RdmaLoop loop, InetSocketAddress address) {
      this.loop = loop;
      this.address = address;
      this.answer = socket.context().promise();
    }

    Future<DatagramPeer> ask() {
      step(
          () -> {
            id = loop.createId(PortSpace.UDP, this);
            socket.applyOptions(id);
            state = ConnectionState.RESOLVING_ADDRESS;
            id.resolveAddress(
                socket.binding().sourceTowards(address.getAddress()),
                address,
                options.getResolveTimeout());
          });
      return answer.future();
    }

    private void step(Runnable calls) {
      try {
        calls.run();
      } catch (RdmaException refused) {
        failed(CmFailures.ofCall(refused, Addresses.text(address), null));
      } catch (RuntimeException refused) {
        failed(refused);
      }
    }

    private void failed(Throwable failure) {
      drop();
      answer.tryFail(failure);
    }

    /** Asks no more. */
    Future<Void> drop() {
      if (over || id == null) {
        return Future.succeededFuture();
      }
      over = true;
      return loop.destroy(id);
    }

    @Override
    public void handle(CmEvent event) {
      socket.publish(event);
      if (over) {
        return;
      }
      if (event.type() == CmEventType.ADDR_RESOLVED && state == ConnectionState.RESOLVING_ADDRESS) {
        state = ConnectionState.ADDRESS_RESOLVED;
        step(this::bind);
      } else if (event.type() == CmEventType.ROUTE_RESOLVED
          && state == ConnectionState.RESOLVING_ROUTE) {
        state = ConnectionState.CONNECTING;
        step(() -> id.connect(new ConnParam(privateData, 0, 0, 0, 0, 0, false, number())));
      } else if (event.type() == CmEventType.ESTABLISHED
          && state == ConnectionState.CONNECTING
          && event.udParam() != null) {
        state = ConnectionState.ESTABLISHED;
        answered(event);
      } else if (event.type() == CmEventType.UNREACHABLE && event.status() > 0) {
        failed(new LookupRejectedException(event.status(), event.privateData()));
      } else {
        failed(CmFailures.of(event, Role.ACTIVE, Addresses.text(address)));
      }
    }

    private int number() {
      return socket.queuePairNumber();
    }

    /** The device is known now, and with it where the queue pair has to be. */
    private void bind() {
      PrivateDataLimits.check(
          Operation.CONNECT, id.device().transport(), PortSpace.UDP, privateData);
      InetAddress local = id.localAddress().getAddress();
      socket
          .binding()
          .bind(loop, local)
          .onComplete(
              bound -> {
                if (over) {
                  return;
                }
                if (bound.failed()) {
                  failed(bound.cause());
                  return;
                }
                step(
                    () -> {
                      socket.binding().checkDevice(id.device(), local);
                      state = ConnectionState.RESOLVING_ROUTE;
                      id.resolveRoute(options.getResolveTimeout());
                    });
              });
    }

    private void answered(CmEvent event) {
      UdParam told = event.udParam();
      DatagramPeers peers = socket.peers();
      peers
          .make(
              () -> peers.protectionDomain().createAddressHandle(told.address()),
              new DatagramPeerImpl.Target(
                  told.queuePairNumber(),
                  told.queueKey(),
                  Addresses.of(address),
                  Buffer.buffer(event.privateData())))
          .onComplete(
              made -> {
                drop();
                answer.handle(made);
              });
    }
  }
}
