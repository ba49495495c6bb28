package io.vertxrdma.soft.io;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Timers whose clock stands still until a test moves it. One thread only. */
public final class ManualTimers implements Timers {

  private final PriorityQueue<Entry> entries =
      new PriorityQueue<>(
          Comparator.<Entry>comparingLong(entry -> entry.due)
              .thenComparingLong(entry -> entry.number));

  private long now;
  private long numbers;

  private final class Entry implements Timeout {
    private final long due;
    private final long number;
    private final Runnable task;

    private Entry(long due, Runnable task) {
      this.due = due;
      this.number = numbers++;
      this.task = task;
    }

    @Override
    public void cancel() {
      entries.remove(this);
    }
  }

  @Override
  public Timeout schedule(long delayNanos, Runnable task) {
    Entry entry = new Entry(now + delayNanos, task);
    entries.add(entry);
    return entry;
  }

  @Override
  public long nanoTime() {
    return now;
  }

  /** Moves the clock, running what is due on the way, each at its time. */
  public void advance(long nanos) {
    long until = now + nanos;
    while (!entries.isEmpty() && entries.peek().due <= until) {
      Entry next = entries.poll();
      now = Math.max(now, next.due);
      next.task.run();
    }
    now = until;
  }

  /** Moves the clock to the next timeout and runs it; false when there is none. */
  public boolean advanceToNext() {
    if (entries.isEmpty()) {
      return false;
    }
    advance(Math.max(0, entries.peek().due - now));
    return true;
  }

  /** Timeouts that run. */
  public int pending() {
    return entries.size();
  }
}
