package io.vertxrdma.reactive.impl;

import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.core.RdmaException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Finds out that a peer's host is dead, which only sending can: after an interval in which nothing
 * was sent, a write of no bytes goes out. What is under way asks the same question, so then it
 * waits. On the event loop.
 */
final class Heartbeat {

  private final ContextInternal context;
  private final SendQueue sends;
  private final long interval;
  private final Consumer<RdmaException> dead;
  private long seenPosted;
  private long quietSince;
  private long timer = -1;
  private boolean stopped;

  /**
   * Prepares it.
   *
   * @param interval milliseconds of silence
   * @param dead told why a heartbeat failed
   */
  Heartbeat(ContextInternal context, SendQueue sends, int interval, Consumer<RdmaException> dead) {
    this.context = context;
    this.sends = sends;
    this.interval = interval;
    this.dead = dead;
  }

  void start() {
    seenPosted = sends.posted();
    quietSince = System.nanoTime();
    next(interval);
  }

  /** No further one is sent; one that is under way ends with the send queue. */
  void stop() {
    stopped = true;
    if (timer != -1) {
      context.owner().cancelTimer(timer);
      timer = -1;
    }
  }

  private void next(long millis) {
    timer = context.setTimer(Math.max(1, millis), fired -> look());
  }

  /** Looks twice in an interval, so that silence is noticed half an interval late at most. */
  private void look() {
    timer = -1;
    if (stopped) {
      return;
    }
    long now = System.nanoTime();
    if (sends.size() > 0 || sends.posted() != seenPosted) {
      seenPosted = sends.posted();
      quietSince = now;
      next(interval / 2);
      return;
    }
    long left = interval - TimeUnit.NANOSECONDS.toMillis(now - quietSince);
    if (left > 0) {
      next(Math.min(left, Math.max(1, interval / 2)));
      return;
    }
    beat();
    next(interval / 2);
  }

  private void beat() {
    Promise<Void> answered = Promise.promise();
    answered
        .future()
        .onFailure(
            failure -> {
              if (!stopped
                  && failure instanceof RdmaException cause
                  && !(failure instanceof FlushedException)) {
                dead.accept(cause);
              }
            });
    sends.submit(SendOperation.heartbeat(answered));
  }
}
