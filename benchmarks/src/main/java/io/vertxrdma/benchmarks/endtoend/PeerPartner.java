package io.vertxrdma.benchmarks.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaOptions;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.util.concurrent.atomic.AtomicReference;

/** Both parts that a {@link CPeer} can be played with, one exchange after the other. */
final class PeerPartner implements AutoCloseable {

  /** Of the RNR timer: 0.01 ms, as the peer sets it. */
  private static final int RNR_TIMER = 1;

  private static final int INBOX = 1 << 16;
  private static final int MILLIS = 60_000;
  private static final int SPIN_MICROS = 1_000;

  private final Vertx vertx = FarProcess.vertx();
  private final RdmaProvider provider;
  private final String address;
  private final int port;
  private final int length;

  PeerPartner(RdmaProvider provider, String address, int port, int length) {
    this.provider = provider;
    this.address = address;
    this.port = port;
    this.length = length;
  }

  private static <T extends RdmaOptions<T>> T apply(PeerKind kind, T options) {
    // Depths as the peer's.
    return options
        .setPollSpinMicros(kind.spin() ? SPIN_MICROS : 0)
        .setSendDepth(PeerExchange.DEPTH)
        .setReceiveDepth(PeerExchange.DEPTH)
        .setParameters(options.getParameters().withMinRnrTimer(RNR_TIMER));
  }

  /** An exchange that waits for its client: when it listens, and what comes of it. */
  record Serving(Future<RdmaServer> listening, Future<Double> figure) {}

  /** Listens for one client. */
  Serving serve(PeerKind kind, int count) {
    RdmaServer server =
        RdmaServer.create(
            vertx, apply(kind, new RdmaServerOptions()).setAcceptTimeout(MILLIS), provider);
    Promise<Double> figure = Promise.promise();
    server.connectRequestHandler(request -> accept(request, kind, count).onComplete(figure));
    return new Serving(server.listen(port, address), figure.future().eventually(server::close));
  }

  private Future<Double> accept(ConnectRequest request, PeerKind kind, int count) {
    return request
        .memory()
        .allocateInbox(INBOX)
        .compose(
            memory ->
                request
                    .accept(memory.remote().encode())
                    .compose(
                        connection ->
                            new PeerExchange(connection, memory, kind, false, count, length)
                                .start()));
  }

  /** Connects and is the client of one exchange. */
  Future<Double> connect(PeerKind kind, int count) {
    AtomicReference<RegisteredBuffer> inbox = new AtomicReference<>();
    RdmaClient client =
        RdmaClient.create(
            vertx,
            apply(kind, new RdmaClientOptions())
                .setConnectTimeout(MILLIS)
                .setResolveTimeout(MILLIS),
            provider);
    return client
        .connect(
            port,
            address,
            memory ->
                memory
                    .allocateInbox(INBOX)
                    .onSuccess(inbox::set)
                    .map(made -> made.remote().encode()))
        .compose(
            connection ->
                new PeerExchange(connection, inbox.get(), kind, true, count, length).start())
        .eventually(client::close);
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
