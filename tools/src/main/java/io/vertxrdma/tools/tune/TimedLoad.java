package io.vertxrdma.tools.tune;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.core.DeviceContext;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** Keeps a number of operations under way for some time. On the connection's event loop. */
final class TimedLoad {

  private static final long LONGEST = TimeUnit.HOURS.toNanos(1);
  private static final int DIGITS = 3;

  private final Vertx vertx;
  private final DeviceContext device;
  private final Supplier<Future<Void>> operation;
  private final long duration;
  private final Histogram latency = new Histogram(LONGEST, DIGITS);
  private final Handler<AsyncResult<Void>> onDone = this::completed;
  private final Promise<Void> over = Promise.promise();

  // When the operations under way were posted; they complete in that order.
  private final long[] posted;
  private long sent;
  private long done;
  private long started;
  private long ended;

  /**
   * A load.
   *
   * @param device whose counters tell of trouble
   * @param operation posts one
   * @param depth how many are under way, 1 or more
   * @param millis for how long more are posted
   */
  TimedLoad(
      Vertx vertx, DeviceContext device, Supplier<Future<Void>> operation, int depth, int millis) {
    this.vertx = vertx;
    this.device = device;
    this.operation = operation;
    this.posted = new long[depth];
    this.duration = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Runs it; fails with the first operation that does. */
  Future<Measured> run() {
    return Troubles.read(vertx, device)
        .compose(
            before ->
                load()
                    .compose(loaded -> Troubles.read(vertx, device))
                    .map(after -> measured(after.since(before))));
  }

  private Future<Void> load() {
    started = System.nanoTime();
    // What one turn of the loop posts completes together: two halves, or the queue would run dry.
    int half = (posted.length + 1) / 2;
    post(half);
    vertx.runOnContext(next -> post(posted.length - half));
    return over.future();
  }

  private void post(int count) {
    long now = System.nanoTime();
    for (int i = 0; i < count && !over.future().isComplete(); i++) {
      posted[(int) (sent++ % posted.length)] = now;
      try {
        operation.get().onComplete(onDone);
      } catch (RuntimeException refused) {
        over.tryFail(refused);
      }
    }
  }

  private void completed(AsyncResult<Void> result) {
    if (result.failed()) {
      over.tryFail(result.cause());
      return;
    }
    ended = System.nanoTime();
    latency.recordValue(Math.min(LONGEST, ended - posted[(int) (done++ % posted.length)]));
    if (ended - started < duration) {
      post(1);
    } else if (done == sent) {
      over.tryComplete();
    }
  }

  private Measured measured(Troubles troubles) {
    return new Measured(
        done,
        ended - started,
        latency.getValueAtPercentile(50),
        latency.getValueAtPercentile(99),
        troubles.rnr(),
        troubles.retries());
  }
}
