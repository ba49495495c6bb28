package io.vertxrdma.docs;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A server on the soft provider, and connections to it, for the tests of a chapter's code. */
final class SoftPairs implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 20;

  /** The two ends of a connection. */
  record Pair(RdmaConnection server, RdmaConnection client) {}

  private final Vertx vertx = Vertx.vertx();
  private final String address;
  private final List<CompletableFuture<RdmaConnection>> accepted = new CopyOnWriteArrayList<>();
  private RdmaServer server;
  private RdmaClient client;
  private int port;

  /** With a soft device of its own, at an address that no other test uses. */
  SoftPairs(String address) {
    this.address = address;
  }

  Vertx vertx() {
    return vertx;
  }

  /** Lets a server listen that accepts everybody. */
  RdmaServer listen(RdmaServerOptions serverOptions, RdmaClientOptions clientOptions) {
    server = RdmaServer.create(vertx, serverOptions.setProvider("soft"));
    server.connectRequestHandler(
        request ->
            request
                .accept()
                .onSuccess(made -> accepted.get(request.privateData().getInt(0)).complete(made)));
    client = RdmaClient.create(vertx, clientOptions.setProvider("soft"));
    port = get(server.listen(0, address)).actualPort();
    return server;
  }

  /** One more connection. */
  Pair connect() {
    CompletableFuture<RdmaConnection> there = new CompletableFuture<>();
    accepted.add(there);
    Buffer number = Buffer.buffer().appendInt(accepted.size() - 1);
    RdmaConnection here = get(client.connect(port, address, number));
    return new Pair(there.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join(), here);
  }

  static <T> T get(Future<T> future) {
    return future
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
        .join();
  }

  /** Waits until something is so. */
  void until(String what, BooleanSupplier isSo) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    long timer =
        vertx.setPeriodic(
            1,
            now -> {
              if (isSo.getAsBoolean()) {
                done.complete(null);
              }
            });
    try {
      done.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    } catch (RuntimeException late) {
      throw new AssertionError("not so after " + PATIENCE_SECONDS + " s: " + what, late);
    } finally {
      vertx.cancelTimer(timer);
    }
  }

  @Override
  public void close() {
    get(vertx.close());
  }
}
