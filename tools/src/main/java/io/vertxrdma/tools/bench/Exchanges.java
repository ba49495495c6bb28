package io.vertxrdma.tools.bench;

import io.vertx.core.Vertx;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;

/** The parts there are to play. */
final class Exchanges {

  private Exchanges() {}

  static Exchange client(
      Vertx vertx, RdmaConnection connection, RegisteredBuffer source, BenchOptions options) {
    return options.mode() == Mode.PINGPONG
        ? new Ping(vertx, connection, source, options)
        : new Load(vertx, connection, source, options);
  }

  static Exchange server(
      Vertx vertx, RdmaConnection connection, RegisteredBuffer source, BenchOptions options) {
    if (options.verb != Verb.WRITE_WITH_IMMEDIATE) {
      return new Host(vertx, connection, source, options);
    }
    return options.mode() == Mode.PINGPONG
        ? new Pong(vertx, connection, source, options)
        : new Counter(vertx, connection, source, options);
  }

  /** Writes, waits for the answer, writes the next; has the half round trip. */
  private static final class Ping extends Exchange {

    private final Figures figures;
    private final Latency latency = new Latency();
    private long started;
    private long roundStarted;

    Ping(Vertx vertx, RdmaConnection connection, RegisteredBuffer source, BenchOptions options) {
      super(vertx, connection, source, options);
      this.figures = new Figures(options);
    }

    @Override
    void begin() {
      started = System.nanoTime();
      roundStarted = started;
      write();
    }

    @Override
    void next() {
      long now = System.nanoTime();
      latency.record((now - roundStarted) / 2);
      roundStarted = now;
      if (received == count) {
        leave(figures.halfRoundTrip(now - started, latency));
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
