package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.impl.RdmaClientImpl;

/**
 * Connects to RDMA servers. It closes, with its connections, with the verticle it was created in.
 */
public interface RdmaClient {

  /** A client with default options. */
  static RdmaClient create(Vertx vertx) {
    return create(vertx, new RdmaClientOptions());
  }

  /** A client; the options are copied. */
  static RdmaClient create(Vertx vertx, RdmaClientOptions options) {
    return create(vertx, options, null);
  }

  /**
   * A client on a provider of the caller's.
   *
   * @param provider null for the one the options name
   * @throws IllegalArgumentException when options contradict each other
   */
  static RdmaClient create(Vertx vertx, RdmaClientOptions options, RdmaProvider provider) {
    return new RdmaClientImpl(vertx, new RdmaClientOptions(options).checked(), provider);
  }

  /** Connects with the client's parameters and no private data. */
  default Future<RdmaConnection> connect(int port, String host) {
    return connect(port, host, null, null);
  }

  /** Connects with the client's parameters. */
  default Future<RdmaConnection> connect(int port, String host, Buffer privateData) {
    return connect(port, host, privateData, null);
  }

  /**
   * Connects.
   *
   * @param port 1..65535
   * @param host a name, of which every address is tried in order, or an address
   * @param privateData 56 bytes at most on InfiniBand and RoCE; null for none
   * @param parameters null for the client's; clamped to the device
   * @return fails with {@link io.vertxrdma.core.ConnectionRejectedException}, {@link
   *     io.vertxrdma.core.AddressException}, {@link io.vertxrdma.core.UnreachableException}, {@link
   *     io.vertxrdma.core.ConnectTimeoutException} or another {@link
   *     io.vertxrdma.core.RdmaException}
   * @throws IllegalArgumentException for a port out of range, or private data longer than any
   *     device takes; when only the device found is too narrow, the future fails with it
   * @throws IllegalStateException when the client is closed
   */
  Future<RdmaConnection> connect(
      int port, String host, Buffer privateData, ConnectionParameters parameters);

  /** {@link #connect(int, String)}, when subscribed to; disposing aborts the attempt. */
  default Single<RdmaConnection> rxConnect(int port, String host) {
    return rxConnect(port, host, null, null);
  }

  /** {@link #connect(int, String, Buffer)}, when subscribed to; disposing aborts the attempt. */
  default Single<RdmaConnection> rxConnect(int port, String host, Buffer privateData) {
    return rxConnect(port, host, privateData, null);
  }

  /** The full form, when subscribed to; disposing aborts the attempt. */
  Single<RdmaConnection> rxConnect(
      int port, String host, Buffer privateData, ConnectionParameters parameters);

  /** Every connection manager event of this client's attempts and connections, for observers. */
  Flowable<CmEvent> events();

  /**
   * What happens to devices: those its connections use, for observers. Starts with what comes after
   * subscribing; events of other users of the same event loop may be among it.
   */
  Flowable<DeviceEvent> deviceEvents();

  /** Hands {@link #deviceEvents()} to a handler, in the context of the client. */
  RdmaClient deviceEventHandler(Handler<DeviceEvent> handler);

  /** Aborts attempts, closes connections and memory. Idempotent. */
  Future<Void> close();

  /** {@link #close()}, when subscribed to. */
  default Completable rxClose() {
    return Rx.completable(this::close);
  }
}
