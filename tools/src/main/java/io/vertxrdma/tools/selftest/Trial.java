package io.vertxrdma.tools.selftest;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaOptions;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * What one check has to work with: a server and a client of its own, so that it can break its
 * connection without harm to the others. On the event loop.
 */
final class Trial {

  private static final long LOOK_MILLIS = 5;

  private final Vertx vertx;
  private final RdmaProvider provider;
  private final String address;
  private final int timeoutMillis;
  private RdmaServer server;
  private RdmaClient client;
  private String step = "the start";
  private boolean closed;
  private long started = System.nanoTime();

  /**
   * A trial.
   *
   * @param address of a device of the provider
   * @param timeoutMillis how long one step of connecting may take, 1..600000
   */
  Trial(Vertx vertx, RdmaProvider provider, String address, int timeoutMillis) {
    this.vertx = vertx;
    this.provider = provider;
    this.address = address;
    this.timeoutMillis = timeoutMillis;
  }

  /** Says what is waited for now, for a report that it did not come. */
  void waitFor(String what) {
    step = what;
  }

  /** What is waited for now. */
  String waitingFor() {
    return step;
  }

  /** Microseconds since the start, or since the connection is there. */
  long micros() {
    return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - started);
  }

  /** Listens on a port of the system's choice; requests go to the handler. */
  Future<RdmaServer> listen(RdmaServerOptions options, Consumer<ConnectRequest> requests) {
    waitFor("the server to listen");
    server =
        RdmaServer.create(vertx, common(options).setAcceptTimeout(timeoutMillis), provider)
            .connectRequestHandler(requests::accept);
    return server.listen(0, address);
  }

  /** Connects to that server. */
  Future<RdmaConnection> connect(RdmaClientOptions options, Buffer privateData) {
    waitFor("the connection");
    RdmaClientOptions own =
        common(options).setConnectTimeout(timeoutMillis).setResolveTimeout(timeoutMillis);
    client = RdmaClient.create(vertx, own, provider);
    return client.connect(server.actualPort(), address, privateData);
  }

  private static <T extends RdmaOptions<T>> T common(T options) {
    return options.setCloseTimeout(1_000);
  }

  /** A connection with default options. */
  Future<Pair> pair() {
    return pair(new RdmaServerOptions(), new RdmaClientOptions());
  }

  /** A connection; the clock starts when it is there. */
  Future<Pair> pair(RdmaServerOptions serverOptions, RdmaClientOptions clientOptions) {
    Promise<RdmaConnection> accepted = Promise.promise();
    return listen(serverOptions, request -> request.accept().onComplete(accepted))
        .compose(listening -> connect(clientOptions, null))
        .compose(connection -> End.of("client", connection))
        .compose(
            clientEnd ->
                accepted
                    .future()
                    .compose(connection -> End.of("server", connection))
                    .map(
                        serverEnd -> {
                          started = System.nanoTime();
                          return new Pair(serverEnd, clientEnd);
                        }));
  }

  /** Lets time pass, for what must not happen meanwhile. */
  Future<Void> pause(long millis) {
    return vertx.timer(millis).mapEmpty();
  }

  /** Waits until something holds, or the trial is closed. */
  Future<Void> until(BooleanSupplier holds) {
    return closed || holds.getAsBoolean()
        ? Future.succeededFuture()
        : pause(LOOK_MILLIS).compose(passed -> until(holds));
  }

  /** Closes what it opened. */
  Future<Void> close() {
    closed = true;
    Future<Void> clientClosed = client == null ? Future.succeededFuture() : client.close();
    return clientClosed.eventually(
        () -> server == null ? Future.succeededFuture() : server.close());
  }
}
