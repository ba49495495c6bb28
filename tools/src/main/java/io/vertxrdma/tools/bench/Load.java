package io.vertxrdma.tools.bench;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.WorkRequest;

/**
 * The client in rate: keeps operations under way, from half of the depth up to all of it, until all
 * are done; has the rate, and the time of each from being posted to its completion.
 */
final class Load extends Exchange {

  private final BenchOptions options;
  private final Figures figures;
  private final Latency latency = new Latency();
  private final Handler<AsyncResult<Object>> onDone = this::completed;

  // When the operations under way were posted; they complete in that order.
  private final long[] posted;
  private final WorkRequest request;
  private long started;
  private int completed;

  Load(Vertx vertx, RdmaConnection connection, RegisteredBuffer source, BenchOptions options) {
    super(vertx, connection, source, options);
    this.options = options;
    this.figures = new Figures(options);
    this.posted = new long[options.depth()];
    this.request =
        switch (options.verb) {
          case WRITE -> WorkRequest.write(target(), source());
          case SEND -> WorkRequest.send(source());
          case READ -> WorkRequest.read(target(), source());
          case WRITE_WITH_IMMEDIATE, FETCH_AND_ADD -> null;
        };
  }

  @Override
  void begin() {
    started = System.nanoTime();
    fill();
  }

  private void fill() {
    // Those of one loop are posted together, at its end.
    long now = System.nanoTime();
    while (sent < count && sent - completed < posted.length) {
      posted[sent % posted.length] = now;
      post().onComplete(onDone);
    }
  }

  @SuppressWarnings("unchecked") // A Future<Void> is as good as one of any object: it has none.
  private Future<Object> post() {
    Future<?> done =
        switch (options.verb) {
          case WRITE_WITH_IMMEDIATE -> write();
          case FETCH_AND_ADD -> connection().fetchAndAdd(target(), 1);
          default -> connection().post(request);
        };
    if (options.verb != Verb.WRITE_WITH_IMMEDIATE) {
      sent++;
    }
    return (Future<Object>) done;
  }

  private void completed(AsyncResult<Object> done) {
    if (done.failed()) {
      broken(done.cause());
      return;
    }
    if (options.verb == Verb.FETCH_AND_ADD && (Long) done.result() != completed) {
      fail("fetch-and-add " + completed + " brought " + done.result());
      return;
    }
    long now = System.nanoTime();
    latency.record(now - posted[completed % posted.length]);
    completed++;
    if (completed == count) {
      finish(figures.load(now - started, latency));
    } else if (sent - completed <= posted.length / 2) {
      // Not one for each that completes: the more are posted at once, the fewer calls it takes.
      fill();
    }
  }

  @Override
  void next() {
    fail("an immediate came, which this side does not expect");
  }

  @Override
  int done() {
    return completed;
  }

  @Override
  String progress() {
    return completed + " of " + count + " operations completed";
  }
}
