package io.vertxrdma.tools.bench;

import io.vertx.core.Vertx;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;

/** The four parts there are to play. */
final class Exchanges {

  private Exchanges() {}

  static Exchange client(
      Vertx vertx, RdmaConnection connection, RegisteredBuffer source, BenchOptions options) {
    return options.mode == Mode.PINGPONG
        ? new Ping(vertx, connection, source, options)
        : new Writer(vertx, connection, source, options);
  }

  static Exchange server(
      Vertx vertx, RdmaConnection connection, RegisteredBuffer source, BenchOptions options) {
    return options.mode == Mode.PINGPONG
        ? new Pong(vertx, connection, source, options)
        : new Counter(vertx, connection, source, options);
  }

  /** Writes, waits for the answer, writes the next; has the half round trip. */
  private static final class Ping extends Exchange {

    private final Figures figures;
    private long started;

    Ping(Vertx vertx, RdmaConnection connection, RegisteredBuffer source, BenchOptions options) {
      super(vertx, connection, source, options);
      this.figures = new Figures(options);
    }

    @Override
    void begin() {
      started = System.nanoTime();
      write();
    }

    @Override
    void next() {
      if (received == count) {
        leave(figures.halfRoundTrip(System.nanoTime() - started));
      } else {
        write();
      }
    }
  }

  /** Answers each immediate with one. */
  private static final class Pong extends Exchange {

    Pong(Vertx vertx, RdmaConnection connection, RegisteredBuffer source, BenchOptions options) {
      super(vertx, connection, source, options);
    }

    @Override
    void begin() {}

    @Override
    void next() {
      if (received == count) {
        writeLast("");
      } else {
        write();
      }
    }
  }

  /** Writes as fast as the queue takes it. */
  private static final class Writer extends Exchange {

    /** Writes under way; as many as the yardstick in C has, and as the peer has receives. */
    private static final int WINDOW = 256;

    Writer(Vertx vertx, RdmaConnection connection, RegisteredBuffer source, BenchOptions options) {
      super(vertx, connection, source, options);
    }

    @Override
    void begin() {
      connection().setWriteQueueMaxSize(WINDOW);
      connection().drainHandler(drained -> fill());
      fill();
    }

    private void fill() {
      while (sent < count - 1) {
        if (connection().writeQueueFull()) {
          return;
        }
        write();
      }
      if (sent == count - 1) {
        writeLast("");
      }
    }

    @Override
    void next() {}
  }

  /** Counts what comes; has the rate. */
  private static final class Counter extends Exchange {

    private final Figures figures;
    private long started;

    Counter(Vertx vertx, RdmaConnection connection, RegisteredBuffer source, BenchOptions options) {
      super(vertx, connection, source, options);
      this.figures = new Figures(options);
    }

    @Override
    void begin() {
      started = System.nanoTime();
    }

    @Override
    void next() {
      if (received == count) {
        leave(figures.rate(System.nanoTime() - started));
      }
    }
  }
}
