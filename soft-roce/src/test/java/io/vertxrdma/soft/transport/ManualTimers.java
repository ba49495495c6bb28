package io.vertxrdma.soft.transport;

import io.vertxrdma.soft.io.Timers;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Timers on a clock that only the test moves. */
final class ManualTimers implements Timers {

  private record Entry(long at, long order, Runnable task) {}

  private final PriorityQueue<Entry> entries =
      new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::order));
  private long now;
  private long order;

  @Override
  public synchronized Timeout schedule(long delayNanos, Runnable task) {
    Entry entry = new Entry(now + delayNanos, order++, task);
    entries.add(entry);
    return () -> remove(entry);
  }

  private synchronized void remove(Entry entry) {
    entries.remove(entry);
  }

  @Override
  public synchronized long nanoTime() {
    return now;
  }

  synchronized int running() {
    return entries.size();
  }

  /** Moves the clock to the next timeout and runs it; false if there is none before the limit. */
  boolean runNext(long limit) {
    Entry next;
    synchronized (this) {
      if (entries.isEmpty() || entries.peek().at > limit) {
        return false;
      }
      next = entries.poll();
      now = Math.max(now, next.at);
    }
    next.task.run();
    return true;
  }

  synchronized void setNow(long nanos) {
    now = nanos;
  }
}
