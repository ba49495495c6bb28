package io.vertxrdma.demos.logsync;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.cm.HandshakeRejectedException;
import io.vertxrdma.demos.ProtocolException;
import io.vertxrdma.demos.logsync.Greeting.Hello;
import io.vertxrdma.demos.logsync.Greeting.Welcome;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.ReconnectPolicy;
import io.vertxrdma.tools.CommandFailure;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Ships one file to the server, over as many connections as it takes: when one ends, the next goes
 * on where the server says. On the event loop.
 */
final class LogSender implements Subscriber<RdmaConnection> {

  private static final long FIRST_DELAY_MILLIS = 100;
  private static final long LONGEST_DELAY_MILLIS = 1_000;

  private final Vertx vertx;
  private final Path file;
  private final int window;
  private final int attempts;
  private final ClientFigures figures;
  private final Consumer<String> screen;
  private final Promise<Void> outcome = Promise.promise();
  private Subscription connections;
  // What the server had at the last connection, and how many in a row have not made it more.
  private long known = -1;
  private int fruitless;

  private LogSender(
      Vertx vertx,
      Path file,
      int window,
      int attempts,
      ClientFigures figures,
      Consumer<String> screen) {
    this.vertx = vertx;
    this.attempts = attempts;
    this.file = file;
    this.window = window;
    this.figures = figures;
    this.screen = screen;
  }

  /**
   * Ships a file under its name.
   *
   * @param window segments to have under way, at most
   * @param attempts to connect that may fail in a row, and connections that may bring nothing
   * @param screen gets every line there is to see; must not block
   * @return completes when all of it is durable and the connection closed
   */
  static Future<Void> ship(
      Vertx vertx,
      RdmaClient client,
      InetSocketAddress server,
      Path file,
      int window,
      int attempts,
      ClientFigures figures,
      Consumer<String> screen) {
    LogSender sender = new LogSender(vertx, file, window, attempts, figures, screen);
    ReconnectPolicy policy =
        ReconnectPolicy.exponential(FIRST_DELAY_MILLIS, LONGEST_DELAY_MILLIS, TimeUnit.MILLISECONDS)
            .withMaxAttempts(attempts)
            .withRetryable(LogSender::isTransient);
    client
        .connections(
            server.getPort(),
            server.getHostString(),
            new Hello(sender.name(), window).encode(),
            policy)
        .subscribe(sender);
    return sender.outcome.future();
  }

  private static boolean isTransient(Throwable failure) {
    return ReconnectPolicy.isTransient(failure)
        || failure instanceof HandshakeRejectedException rejected
            && rejected.rejection().code() == Greeting.BUSY;
  }

  private String name() {
    return file.getFileName().toString();
  }

  @Override
  public void onSubscribe(Subscription granted) {
    connections = granted;
    granted.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(RdmaConnection connection) {
    Welcome welcome;
    try {
      welcome = Welcome.decode(connection.peerPrivateData(), window);
    } catch (HandshakeException | ProtocolException stranger) {
      end(connection, "the server is no logsync server: " + stranger.getMessage());
      return;
    }
    vertx
        .executeBlocking(
            () -> LogSource.open(file, welcome.durableBytes(), welcome.checksum()), false)
        .compose(
            source -> {
              if (known < 0) {
                figures.found(welcome.durableBytes());
              }
              fruitless = welcome.durableBytes() > known ? 0 : fruitless + 1;
              known = welcome.durableBytes();
              if (welcome.durableBytes() > 0) {
                screen.accept(
                    "* "
                        + name()
                        + ": the server has "
                        + welcome.durableBytes()
                        + " bytes, going on with segment "
                        + welcome.nextSequence());
              }
              return Shipping.over(vertx, connection, welcome, source, figures);
            })
        .onComplete(
            done -> {
              if (done.succeeded()) {
                figures.complete();
                connections.cancel();
                connection.close().onComplete(closed -> outcome.tryComplete());
              } else if (done.cause() instanceof LostConnection lost && fruitless < attempts) {
                figures.reconnect();
                screen.accept("* " + name() + ": " + lost.getMessage() + "; trying again");
                // In case it has not ended by itself; the policy brings the next one.
                connection.close();
              } else {
                end(connection, done.cause().getMessage());
              }
            });
  }

  private void end(RdmaConnection connection, String reason) {
    connections.cancel();
    connection
        .close()
        .onComplete(closed -> outcome.tryFail(new CommandFailure(name() + ": " + reason)));
  }

  @Override
  public void onError(Throwable failure) {
    String reason =
        failure instanceof HandshakeRejectedException rejected
            ? "the server refused: " + rejected.rejection().text()
            : failure.getMessage();
    outcome.tryFail(new CommandFailure(name() + ": " + reason));
  }

  @Override
  public void onComplete() {
    outcome.tryFail(new CommandFailure(name() + ": the client was closed"));
  }
}
