package io.vertxrdma.reactive.impl;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts who uses something, its owner included, so that the last one to leave is seen once. */
final class Uses {

  private final AtomicInteger count = new AtomicInteger(1);

  /** One more; false when the last one has left. */
  boolean enter() {
    int now;
    do {
      now = count.get();
      if (now == 0) {
        return false;
      }
    } while (!count.compareAndSet(now, now + 1));
    return true;
  }

  /** One less; true for the last one. */
  boolean leave() {
    return count.decrementAndGet() == 0;
  }
}
