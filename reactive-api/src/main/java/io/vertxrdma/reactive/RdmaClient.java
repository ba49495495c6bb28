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
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

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
    return connect(port, host, (Buffer) null, null);
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

  /**
   * Connects with the client's parameters, and private data that needs memory: see {@link
   * #connect(int, String, ConnectionParameters, Function)}.
   */
  default Future<RdmaConnection> connect(
      int port, String host, Function<RdmaMemory, Future<Buffer>> privateData) {
    return connect(port, host, null, privateData);
  }

  /**
   * Connects with private data that tells the peer where to write. Memory belongs to a device, and
   * which device it is, the resolved address says; so the data is asked for then:
   *
   * <pre>{@code
   * client.connect(18515, "server.example", null,
   *     memory -> memory.allocateInbox(4096).map(inbox -> inbox.remote().encode()));
   * }</pre>
   *
   * <p>The function is called on the client's context, once for each address that is tried and has
   * been resolved, and the time it takes counts towards {@link
   * RdmaClientOptions#getConnectTimeout()}. What it allocates is the caller's once connected; when
   * this address comes to nothing, it is closed.
   *
   * @param port 1..65535
   * @param host a name, of which every address is tried in order, or an address
   * @param parameters null for the client's; clamped to the device
   * @param privateData from the device's memory to 56 bytes at most on InfiniBand and RoCE; when it
   *     throws or fails, that is how connecting fails, without a further address
   * @return fails as {@link #connect(int, String, Buffer, ConnectionParameters)} does; with {@link
   *     IllegalArgumentException} for private data that is too long
   */
  Future<RdmaConnection> connect(
      int port,
      String host,
      ConnectionParameters parameters,
      Function<RdmaMemory, Future<Buffer>> privateData);

  /** {@link #connect(int, String)}, when subscribed to; disposing aborts the attempt. */
  default Single<RdmaConnection> rxConnect(int port, String host) {
    return rxConnect(port, host, (Buffer) null, null);
  }

  /** {@link #connect(int, String, Buffer)}, when subscribed to; disposing aborts the attempt. */
  default Single<RdmaConnection> rxConnect(int port, String host, Buffer privateData) {
    return rxConnect(port, host, privateData, null);
  }

  /** The full form, when subscribed to; disposing aborts the attempt. */
  Single<RdmaConnection> rxConnect(
      int port, String host, Buffer privateData, ConnectionParameters parameters);

  /**
   * {@link #connect(int, String, ConnectionParameters, Function)}, when subscribed to; disposing
   * aborts the attempt.
   */
  Single<RdmaConnection> rxConnect(
      int port,
      String host,
      ConnectionParameters parameters,
      Function<RdmaMemory, Future<Buffer>> privateData);

  /**
   * A connection, and when it has ended another one, on and on, each with a fresh id and queue pair
   * as the policy says; cold, each subscriber has its own.
   *
   * <p>A connection is made only when it is asked for, and the next one when the last has ended,
   * whichever side closed it, after the policy's first delay. The delay grows with each failure in
   * a row; a connection that did not even last for the policy's longest delay does not bring it
   * back. To stop, cancel: that aborts an attempt and closes the connection that is open. It fails
   * when an attempt failed in a way that is not worth another, or was the last of those allowed,
   * and completes when the client closes.
   *
   * @param privateData as for {@link #connect(int, String, Buffer, ConnectionParameters)}
   */
  Flowable<RdmaConnection> connections(
      int port, String host, Buffer privateData, ReconnectPolicy policy);

  /**
   * {@link #connections(int, String, Buffer, ReconnectPolicy)} with private data that needs memory,
   * asked for at each attempt: see {@link #connect(int, String, ConnectionParameters, Function)}.
   * Close the memory of a connection when it has ended, or it stays until the client closes.
   */
  Flowable<RdmaConnection> connections(
      int port,
      String host,
      ConnectionParameters parameters,
      Function<RdmaMemory, Future<Buffer>> privateData,
      ReconnectPolicy policy);

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

  /** {@link #shutdown(long, TimeUnit)} within 30 seconds. */
  default Future<Void> shutdown() {
    return shutdown(30, TimeUnit.SECONDS);
  }

  /**
   * Shuts down gracefully: takes no new connects and aborts those under way; each connection takes
   * no new operations and ends when those under way have completed, see {@link
   * RdmaConnection#shutdown}; then closes as {@link #close()} does. When the time is up, or on
   * {@link #close()}, it closes all the same. Idempotent; the first timeout counts.
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
