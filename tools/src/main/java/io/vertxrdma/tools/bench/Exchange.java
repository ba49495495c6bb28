package io.vertxrdma.tools.bench;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.reactive.ImmediateHandler;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.tools.CommandFailure;

/**
 * One side of a measurement over an established connection: checks what comes, and ends once, with
 * a figure or a failure. On the connection's event loop.
 */
abstract class Exchange implements ImmediateHandler {

  /** How long the side that did not write last waits for the other to close, milliseconds. */
  private static final long GOODBYE = 5_000;

  private final Vertx vertx;
  private final RdmaConnection connection;
  private final RegisteredBuffer.Slice source;
  private final RemoteMemory target;
  private final int length;
  private final Promise<String> outcome;
  private Throwable connectionFailure;
  private Payload payload;
  private Progress progress = Progress.none();
  private boolean ended;

  /** Immediates wanted. */
  final int count;

  /** Immediates that came, all in order. */
  int received;

  /** Immediates written; the next one's value. */
  int sent;

  Exchange(Vertx vertx, RdmaConnection connection, RegisteredBuffer source, BenchOptions options) {
    this.vertx = vertx;
    this.connection = connection;
    this.count = options.count;
    this.length = options.length;
    this.source = source.slice(0, length);
    RemoteMemory inbox = RemoteMemory.decode(connection.peerPrivateData());
    if (inbox.length() < length) {
      throw new CommandFailure(
          length + " bytes do not fit into the peer's inbox of " + inbox.length());
    }
    this.target = inbox.slice(0, length);
    this.outcome = Promise.promise();
  }

  /** Makes this side fill what it writes and check what comes. */
  final Exchange checking(Payload wanted) {
    payload = wanted;
    return this;
  }

  /** Makes this side say how far it is. */
  final Exchange reporting(Progress wanted) {
    progress = wanted;
    return this;
  }

  /** Starts; the future has the figure, or "" on the side that has none. */
  final Future<String> start(long timeoutMillis) {
    connection.exceptionHandler(failure -> connectionFailure = failure);
    connection.closeHandler(closed -> peerGone());
    long timer =
        vertx.setTimer(
            timeoutMillis,
            fired -> fail("not done after " + timeoutMillis / 1_000 + " seconds: " + progress()));
    progress.start(vertx, this::done, count);
    begin();
    connection.immediateHandler(this);
    return outcome
        .future()
        .onComplete(
            ended -> {
              vertx.cancelTimer(timer);
              progress.end(vertx);
            });
  }

  /** The clock starts, and whoever writes first writes. */
  abstract void begin();

  /** The next immediate in order has come. */
  abstract void next();

  /** How many of {@link #count} are done. */
  int done() {
    return received;
  }

  /** The connection has ended before this side did. */
  void peerGone() {
    connectionEnded();
  }

  @Override
  public final void handle(RdmaConnection from, int immediate, int byteLength) {
    if (ended) {
      return;
    }
    if (received == count) {
      fail("immediate " + Integer.toUnsignedString(immediate) + " came after all " + count);
    } else if (immediate != received || byteLength != length) {
      fail(
          "immediate "
              + Integer.toUnsignedString(immediate)
              + " with "
              + Integer.toUnsignedString(byteLength)
              + " bytes came, expected "
              + received
              + " with "
              + length);
    } else if (payload != null && payload.firstWrong(received) >= 0) {
      fail("write " + received + " came with byte " + payload.firstWrong(received) + " wrong");
    } else {
      received++;
      next();
    }
  }

  /** Writes the next immediate. */
  final Future<Void> write() {
    if (payload != null) {
      payload.fill(sent);
    }
    return connection.writeWithImmediate(source, target, sent++);
  }

  /** Writes the last immediate, closes when it has arrived, and ends with the figure. */
  final void writeLast(String figure) {
    write()
        .onComplete(
            done -> {
              if (done.succeeded()) {
                finish(figure);
              } else {
                broken(done.cause());
              }
            });
  }

  /** All is done: ends with the figure and closes. */
  final void finish(String figure) {
    end(figure);
    connection.close();
  }

  /** An operation failed. */
  final void broken(Throwable cause) {
    connectionFailure = cause;
    connectionEnded();
  }

  /**
   * All that this side waited for has come. The other side, which wrote last, closes: closing first
   * could cut off the acknowledgement it waits for.
   */
  final void leave(String figure) {
    end(figure);
    long timer = vertx.setTimer(GOODBYE, fired -> connection.close());
    connection.closeHandler(closed -> vertx.cancelTimer(timer));
  }

  final RdmaConnection connection() {
    return connection;
  }

  final RegisteredBuffer.Slice source() {
    return source;
  }

  final RemoteMemory target() {
    return target;
  }

  /** Ends with the figure, unless it has ended. */
  final void end(String figure) {
    if (!ended) {
      ended = true;
      outcome.complete(figure);
    }
  }

  private void connectionEnded() {
    fail(
        connectionFailure == null
            ? "the peer closed the connection: " + progress()
            : connectionFailure.getMessage() + ": " + progress());
  }

  final void fail(String sentence) {
    if (!ended) {
      ended = true;
      connection.close();
      outcome.fail(new CommandFailure(sentence));
    }
  }

  /** How far it came, for a failure. */
  String progress() {
    return received + " of " + count + " immediates received, " + sent + " written";
  }
}
