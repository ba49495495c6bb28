package io.vertxrdma.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** A server on the soft provider, and connections to it, for the tests of a chapter's code. */
final class SoftPairs implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 20;

  /** The two ends of a connection. */
  record Pair(RdmaConnection server, RdmaConnection client) {}

  private final Vertx vertx = Vertx.vertx();
  private final String address;
  private final BlockingQueue<RdmaConnection> accepted = new LinkedBlockingQueue<>();
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

  String address() {
    return address;
  }

  /** Lets a server listen that accepts everybody. */
  RdmaServer listen(RdmaServerOptions serverOptions, RdmaClientOptions clientOptions) {
    return listen(serverOptions, clientOptions, ConnectRequest::accept);
  }

  /** Lets a server listen that deals with requests as given. */
  RdmaServer listen(
      RdmaServerOptions serverOptions,
      RdmaClientOptions clientOptions,
      Function<ConnectRequest, Future<RdmaConnection>> answer) {
    server = RdmaServer.create(vertx, serverOptions.setProvider("soft"));
    server.connectRequestHandler(request -> answer.apply(request).onSuccess(accepted::add));
    client = RdmaClient.create(vertx, clientOptions.setProvider("soft"));
    port = get(server.listen(0, address)).actualPort();
    return server;
  }

  /** One more connection. */
  Pair connect() {
    return connect(null);
  }

  Pair connect(Buffer privateData) {
    RdmaConnection here = get(client.connect(port, address, privateData));
    try {
      RdmaConnection there = accepted.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(there).as("the server's end").isNotNull();
      return new Pair(there, here);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
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
    until(vertx, what, isSo);
  }

  static void until(Vertx vertx, String what, BooleanSupplier isSo) {
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
