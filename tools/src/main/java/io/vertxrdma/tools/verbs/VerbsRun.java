package io.vertxrdma.tools.verbs;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.CloseFuture;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.tools.CommandFailure;
import io.vertxrdma.tools.Session;
import java.net.InetSocketAddress;
import java.util.function.Function;

/**
 * One run of a protocol over one connection, within a command: what it opens it closes, and it
 * takes a bounded time.
 */
public final class VerbsRun {

  private final Session session;
  private final RdmaProvider provider;
  private final VerbsOptions options;
  private final int timeoutSeconds;

  /**
   * A run.
   *
   * @param timeoutSeconds for waiting for a connection, and again for the protocol; 1..600
   */
  public VerbsRun(
      Session session, RdmaProvider provider, VerbsOptions options, int timeoutSeconds) {
    this.session = session;
    this.provider = provider;
    this.options = options;
    this.timeoutSeconds = timeoutSeconds;
  }

  /** Connects and speaks. */
  public <T> Future<T> connect(
      InetSocketAddress peer, ConnParam parameters, Function<VerbsConnection, Future<T>> protocol) {
    return onLoop(
        loop ->
            VerbsConnector.connect(loop, peer, options, parameters, timeoutSeconds * 1_000)
                .compose(connection -> speak(connection, protocol)));
  }

  /**
   * Listens, accepts the first that comes, and speaks.
   *
   * @param listening called when a peer may come
   */
  public <T> Future<T> serve(
      InetSocketAddress local, Runnable listening, Function<VerbsConnection, Future<T>> protocol) {
    return onLoop(
        loop ->
            VerbsListener.listen(loop, local)
                .compose(
                    listener -> {
                      listening.run();
                      return inTime(listener.next(), "no client came")
                          .compose(
                              request ->
                                  inTime(request.accept(options, null), "the client went away"))
                          .compose(connection -> speak(connection, protocol))
                          .eventually(listener::close);
                    }));
  }

  /**
   * Listens and rejects the first that comes; the future has what that sent.
   *
   * @param listening called when a peer may come
   * @param data for the peer, up to 148 bytes
   */
  public Future<byte[]> reject(InetSocketAddress local, Runnable listening, byte[] data) {
    return onLoop(
        loop ->
            VerbsListener.listen(loop, local)
                .compose(
                    listener -> {
                      listening.run();
                      return inTime(listener.next(), "no client came")
                          .compose(request -> request.reject(data).map(request.privateData()))
                          .eventually(listener::close);
                    }));
  }

  private <T> Future<T> onLoop(Function<RdmaLoop, Future<T>> work) {
    CloseFuture use = new CloseFuture();
    return RdmaLoop.acquire(session.context(), provider, use).compose(work).eventually(use::close);
  }

  private <T> Future<T> speak(
      VerbsConnection connection, Function<VerbsConnection, Future<T>> protocol) {
    Future<T> spoken;
    try {
      spoken = protocol.apply(connection);
    } catch (RuntimeException failure) {
      spoken = Future.failedFuture(failure);
    }
    return inTime(spoken, "not done").eventually(connection::close);
  }

  private <T> Future<T> inTime(Future<T> future, String otherwise) {
    Promise<T> promise = Promise.promise();
    long timer =
        session
            .vertx()
            .setTimer(
                timeoutSeconds * 1_000L,
                fired ->
                    promise.tryFail(
                        new CommandFailure(otherwise + " within " + timeoutSeconds + " seconds")));
    future.onComplete(
        done -> {
          session.vertx().cancelTimer(timer);
          if (done.succeeded()) {
            promise.tryComplete(done.result());
          } else {
            promise.tryFail(done.cause());
          }
        });
    return promise.future();
  }
}
