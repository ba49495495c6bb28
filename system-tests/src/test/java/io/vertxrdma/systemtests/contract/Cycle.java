package io.vertxrdma.systemtests.contract;

import io.reactivex.rxjava3.disposables.Disposable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaConnection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** One connection that is ended by one side at one stage; keeps every future it was given. */
final class Cycle {

  /** When it is ended. */
  enum Stage {
    /** The client aborts at once, whatever is under way. */
    RESOLVING,
    /** The request has come and is not answered: the server rejects or the client aborts. */
    BEFORE_ACCEPT,
    /** One side closes what it gets while the other may still be on its way there. */
    AT_ACCEPT,
    /** Both sides know of the connection. */
    ESTABLISHED,
    /** Writes of both sides are under way. */
    MID_TRAFFIC
  }

  private static final int WRITES = 8;

  private final Stage stage;
  private final boolean byClient;
  private final Queue<Future<?>> futures = new ConcurrentLinkedQueue<>();
  private final Promise<ConnectRequest> request = Promise.promise();
  private final Promise<RdmaConnection> accepted = Promise.promise();

  Cycle(Stage stage, boolean byClient) {
    this.stage = stage;
    this.byClient = byClient;
  }

  /** The server has got the request of this cycle. */
  void requested(ConnectRequest came) {
    request.tryComplete(came);
    switch (stage) {
      case RESOLVING, ESTABLISHED, MID_TRAFFIC -> accept(came);
      case AT_ACCEPT -> {
        Future<RdmaConnection> accepting = accept(came);
        if (!byClient) {
          accepting.onSuccess(connection -> kept(connection.close()));
        }
      }
      case BEFORE_ACCEPT -> {
        // The test answers.
      }
    }
  }

  private Future<RdmaConnection> accept(ConnectRequest came) {
    Future<RdmaConnection> accepting = kept(came.accept());
    accepting
        .onSuccess(connection -> connection.immediateHandler((from, value, length) -> {}))
        .onComplete(accepted);
    return accepting;
  }

  /** Runs it; the future ends when both sides have, and fails when one did what it should not. */
  Future<Void> run(RdmaClient client, int port, String address, Buffer name) {
    return switch (stage) {
      case RESOLVING -> {
        client.rxConnect(port, address, name).subscribe(c -> {}, failure -> {}).dispose();
        yield Future.succeededFuture();
      }
      case BEFORE_ACCEPT ->
          byClient
              ? abortUnanswered(client, port, address, name)
              : rejected(client, port, address, name);
      case AT_ACCEPT -> {
        Future<RdmaConnection> connecting = kept(client.connect(port, address, name));
        yield connecting
            .compose(c -> byClient ? kept(c.close()) : c.closed())
            // The server may have closed before the client knew.
            .otherwiseEmpty()
            .compose(closed -> bothEnded(connecting));
      }
      case ESTABLISHED, MID_TRAFFIC -> {
        Future<RdmaConnection> connecting = kept(client.connect(port, address, name));
        yield Future.all(connecting, accepted.future())
            .compose(both -> end(connecting.result(), accepted.future().result()))
            .compose(closed -> bothEnded(connecting));
      }
    };
  }

  private Future<Void> abortUnanswered(RdmaClient client, int port, String address, Buffer name) {
    Disposable attempt =
        client.rxConnect(port, address, name).subscribe(connection -> {}, failure -> {});
    return request
        .future()
        .compose(
            came -> {
              attempt.dispose();
              // Either it is known already that nobody waits, or it turns out.
              return kept(came.accept()).compose(RdmaConnection::closed).otherwiseEmpty();
            });
  }

  private Future<Void> rejected(RdmaClient client, int port, String address, Buffer name) {
    Future<RdmaConnection> connecting = kept(client.connect(port, address, name));
    return request
        .future()
        .compose(came -> kept(came.reject()))
        .eventually(() -> connecting.otherwiseEmpty())
        .compose(
            done ->
                connecting.failed()
                    ? Future.succeededFuture()
                    : Future.failedFuture("connected although rejected"));
  }

  private Future<Void> end(RdmaConnection clientEnd, RdmaConnection serverEnd) {
    if (stage == Stage.MID_TRAFFIC) {
      clientEnd.immediateHandler((from, value, length) -> {});
      for (int i = 0; i < WRITES; i++) {
        kept(clientEnd.writeImmediate(i));
        kept(serverEnd.writeImmediate(i));
      }
    }
    return kept((byClient ? clientEnd : serverEnd).close());
  }

  private Future<Void> bothEnded(Future<RdmaConnection> connecting) {
    Future<Void> clientEnd = connecting.compose(RdmaConnection::closed).otherwiseEmpty();
    Future<Void> serverEnd = accepted.future().compose(RdmaConnection::closed).otherwiseEmpty();
    return Future.all(clientEnd, serverEnd).mapEmpty();
  }

  private <T> Future<T> kept(Future<T> future) {
    futures.add(future);
    return future;
  }

  /** How many futures are not complete. */
  long incomplete() {
    return futures.stream().filter(future -> !future.isComplete()).count();
  }

  @Override
  public String toString() {
    return stage + " by the " + (byClient ? "client" : "server");
  }
}
