package io.vertxrdma.benchmarks.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;

/**
 * Our side of one exchange with a {@link CPeer}, immediates taken from the Flowable and checked:
 * they are 0, 1, 2 and so on in each direction. On the connection's event loop.
 */
final class PeerExchange {

  /** Writes under way at most, of a client in rate: as many as the peer keeps receives. */
  static final int DEPTH = 256;

  private final RdmaConnection connection;
  private final PeerKind kind;
  private final boolean client;
  private final int count;
  private final RegisteredBuffer.Slice source;
  private final RemoteMemory target;
  private final Promise<Double> figure = Promise.promise();
  private long started;
  private int received;
  private int sent;
  private int completed;

  PeerExchange(
      RdmaConnection connection,
      RegisteredBuffer memory,
      PeerKind kind,
      boolean client,
      int count,
      int length) {
    this.connection = connection;
    this.kind = kind;
    this.client = client;
    this.count = count;
    this.source = memory.slice(0, length);
    this.target = RemoteMemory.decode(connection.peerPrivateData()).slice(0, length);
  }

  /**
   * Starts. Completes when the connection has ended, with what this side measured; NaN when the
   * other side measures.
   */
  Future<Double> start() {
    connection.closed().onComplete(ended -> fail("the connection ended", ended.cause()));
    started = System.nanoTime();
    connection
        .immediates()
        .subscribe(this::arrived, failure -> fail("the immediates ended", failure));
    if (client && kind.rate()) {
      fill();
    } else if (client) {
      write();
    }
    return figure.future().eventually(connection::closed);
  }

  private void fail(String words, Throwable cause) {
    figure.tryFail(
        new IllegalStateException(
            words + " after " + received + " immediates received, " + sent + " sent", cause));
  }

  private void arrived(Immediate immediate) {
    if (immediate.intValue() != received || immediate.byteLength() != source.length()) {
      fail("wrong: " + immediate, null);
      connection.close();
      return;
    }
    received++;
    if (kind.rate()) {
      if (received == count) {
        figure.tryComplete(count / (elapsed() / 1e9));
      }
    } else if (!client) {
      Future<Void> written = write();
      if (received == count) {
        // Whoever wrote last closes, once the other has got it.
        written.onComplete(done -> end());
      }
    } else if (received < count) {
      write();
    } else {
      figure.tryComplete(elapsed() / 1e3 / count / 2);
    }
  }

  private long elapsed() {
    return System.nanoTime() - started;
  }

  private void end() {
    figure.tryComplete(Double.NaN);
    connection.close();
  }

  private Future<Void> write() {
    return connection.writeWithImmediate(source, target, sent++);
  }

  private void fill() {
    // Those of one task are posted together, at its end.
    while (sent < count && sent - completed < DEPTH) {
      write().onComplete(done -> completed(done.cause()));
    }
  }

  private void completed(Throwable failure) {
    if (failure != null) {
      fail("a write failed", failure);
      connection.close();
      return;
    }
    completed++;
    if (completed == count) {
      end();
    } else if (sent - completed <= DEPTH / 2) {
      fill();
    }
  }
}
