package io.vertxrdma.tools.watch;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Time as a watch sees it; another one in tests. */
interface Pacer {

  /** Completes after a while. */
  Future<Void> pause(Vertx vertx, Duration duration);

  /** A clock for differences, see {@link System#nanoTime()}. */
  long nanoTime();

  /** The time of day. */
  Instant now();

  /** Real time. */
  static Pacer ofSystem() {
    return new Pacer() {
      @Override
      public Future<Void> pause(Vertx vertx, Duration duration) {
        return vertx.timer(duration.toMillis(), TimeUnit.MILLISECONDS);
      }

      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public Instant now() {
        return Instant.now();
      }
    };
  }
}
