package io.vertxrdma.tools.ping;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.tools.verbs.VerbsConnection;

/**
 * The side that answers: reads the client's source, says go on, writes what it read to the client's
 * sink, says go on; until the client disconnects. On the event loop.
 */
public final class PingServer {

  private final VerbsConnection connection;
  private final int size;
  private final Promise<Integer> ended = Promise.promise();
  private int served;

  /**
   * A server.
   *
   * @param connection with memory of {@link PingMemory#bytes}
   * @param size bytes of a ping at most
   */
  public PingServer(VerbsConnection connection, int size) {
    this.connection = connection;
    this.size = size;
  }

  /** Starts; the future has the number of pings answered. */
  public Future<Integer> start() {
    round();
    return ended.future();
  }

  private void round() {
    connection
        .receive()
        .onFailure(this::gone)
        .map(message -> Advertisement.read(message, size))
        .compose(
            source ->
                connection
                    .read(PingMemory.DATA, source.length(), source.address(), source.key())
                    .compose(done -> goOn())
                    .compose(sent -> connection.receive())
                    .map(message -> Advertisement.read(message, size))
                    .compose(sink -> echo(source, sink)))
        .compose(done -> goOn())
        .onComplete(
            done -> {
              if (done.succeeded()) {
                served++;
                round();
              } else {
                ended.tryFail(done.cause());
              }
            });
  }

  private Future<Void> echo(Advertisement source, Advertisement sink) {
    int length = Math.min(source.length(), sink.length());
    return connection.write(PingMemory.DATA, length, sink.address(), sink.key());
  }

  private Future<Void> goOn() {
    return connection.send(PingMemory.MESSAGE, Advertisement.BYTES);
  }

  /** Between two pings the client may go. */
  private void gone(Throwable failure) {
    if (connection.disconnected().isComplete()) {
      ended.tryComplete(served);
    } else {
      ended.tryFail(failure);
    }
  }
}
