package io.vertxrdma.benchmarks.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Promise;

/** Times one round trip after the other. Confined to one thread. */
final class RoundTrips {

  private final long[] nanos;
  private final int warmUp;
  private final Runnable send;
  private final Promise<long[]> done = Promise.promise();
  private int count;
  private long sentAt;

  RoundTrips(int warmUp, int rounds, Runnable send) {
    this.warmUp = warmUp;
    this.nanos = new long[rounds];
    this.send = send;
  }

  /** Sends the first message. */
  Future<long[]> start() {
    sentAt = System.nanoTime();
    send.run();
    return done.future();
  }

  /** An answer has come: on to the next. */
  void answered() {
    long now = System.nanoTime();
    int measured = count++ - warmUp;
    if (measured >= 0) {
      nanos[measured] = now - sentAt;
    }
    if (measured == nanos.length - 1) {
      done.complete(nanos);
      return;
    }
    sentAt = System.nanoTime();
    send.run();
  }
}
