package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.streams.ReadStream;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.impl.RdmaServerImpl;
import java.util.concurrent.TimeUnit;

/**
 * Listens for RDMA connections.
 *
 * <p>Before {@link #listen}, say who answers requests: a {@link #connectRequestHandler}, a
 * subscriber of {@link #connectRequests()}, or, to accept everybody with the server's parameters, a
 * subscriber of {@link #connections()}. It closes with the verticle it was created in.
 */
public interface RdmaServer {

  /** A server with default options. */
  static RdmaServer create(Vertx vertx) {
    return create(vertx, new RdmaServerOptions());
  }

  /** A server; the options are copied. */
  static RdmaServer create(Vertx vertx, RdmaServerOptions options) {
    return create(vertx, options, null);
  }

  /**
   * A server on a provider of the caller's.
   *
   * @param provider null for the one the options name
   * @throws IllegalArgumentException when options contradict each other
   */
  static RdmaServer create(Vertx vertx, RdmaServerOptions options, RdmaProvider provider) {
    return new RdmaServerImpl(vertx, new RdmaServerOptions(options).checked(), provider);
  }

  /**
   * Requests to be answered, in order; one subscriber at a time.
   *
   * <p>What a subscriber asks for is its credit: to pause is to ask for nothing. Requests then wait
   * here, up to {@link RdmaServerOptions#getMaxPendingRequests()} of them, counting those that were
   * handed over and not answered; further ones are rejected and told that the server is busy. While
   * a request waits its peer waits too, up to its own connect timeout; one that gives up is taken
   * out. Waiting costs the peer nothing else: its connection manager hears that the request has
   * arrived. The kernel's backlog plays no part in this, it holds only what the event loop has not
   * read yet: see {@link RdmaServerOptions#setBacklog}.
   */
  Flowable<ConnectRequest> connectRequests();

  /** {@link #connectRequests()} as a Vert.x stream. */
  ReadStream<ConnectRequest> connectRequestStream();

  /**
   * Answers requests with a handler.
   *
   * @throws IllegalStateException when the server listens already
   */
  RdmaServer connectRequestHandler(Handler<ConnectRequest> handler);

  /**
   * Connections as they are established, whoever accepted them; one subscriber at a time. If nobody
   * else answers requests, subscribing here accepts all.
   */
  Flowable<RdmaConnection> connections();

  /** {@link #connections()} as a Vert.x stream. */
  ReadStream<RdmaConnection> connectionStream();

  /** Every connection manager event of this server's listener and connections, for observers. */
  Flowable<CmEvent> events();

  /**
   * What happens to devices: the device it listens on (of all devices when it listens on a wildcard
   * address) and of those its connections use, for observers. Starts with what comes after
   * subscribing; events of other users of the same event loop may be among it.
   */
  Flowable<DeviceEvent> deviceEvents();

  /** Hands {@link #deviceEvents()} to a handler, in the context of the server. */
  RdmaServer deviceEventHandler(Handler<DeviceEvent> handler);

  /** Listens where the options say. */
  default Future<RdmaServer> listen() {
    return listen(-1, null);
  }

  /** Listens on a port of the options' host. */
  default Future<RdmaServer> listen(int port) {
    return listen(port, null);
  }

  /**
   * Listens.
   *
   * @param port 0..65535, 0 for one the system chooses; -1 for the options'
   * @param host an address of an RDMA device, or 0.0.0.0 for all; null for the options'
   * @throws IllegalStateException when it listens already, is closed, or nobody answers requests
   * @throws IllegalArgumentException for a port out of range
   */
  Future<RdmaServer> listen(int port, String host);

  /** {@link #listen(int, String)}, when subscribed to. */
  default Single<RdmaServer> rxListen(int port, String host) {
    return Rx.single(() -> listen(port, host));
  }

  /** The port it listens on; 0 before. */
  int actualPort();

  /** The address it listens on; null before. */
  SocketAddress actualAddress();

  /**
   * Stops listening, rejects unanswered requests, closes the server's connections and memory.
   * Idempotent.
   */
  Future<Void> close();

  /** {@link #shutdown(long, TimeUnit)} within 30 seconds. */
  default Future<Void> shutdown() {
    return shutdown(30, TimeUnit.SECONDS);
  }

  /**
   * Shuts down gracefully: stops listening, rejects unanswered requests and those that still come,
   * who are told that the server is shutting down; each connection takes no new operations and ends
   * when those under way have completed, see {@link RdmaConnection#shutdown}; then closes as {@link
   * #close()} does. When the time is up, or on {@link #close()}, it closes all the same.
   * Idempotent; the first timeout counts.
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

  /** {@link #close()}, when subscribed to. */
  default Completable rxClose() {
    return Rx.completable(this::close);
  }
}
