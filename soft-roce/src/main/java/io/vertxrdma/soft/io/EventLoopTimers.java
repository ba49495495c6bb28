package io.vertxrdma.soft.io;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A wheel of one-millisecond ticks on an event loop. Starting and cancelling a timeout is a link in
 * a list; the event loop has at most one scheduled task, for the next slot that has something.
 */
public final class EventLoopTimers implements Timers, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventLoopTimers.class);

  static final long TICK = 1_000_000;
  static final int SLOTS = 4096;

  private static final int MASK = SLOTS - 1;
  private static final long NEVER = Long.MAX_VALUE;
  private static final long PLANNED_LATER = -1;
  private static final long MAX_DELAY = Long.MAX_VALUE / 4;

  private final EventLoop loop;
  private final LongSupplier clock;
  private final long start;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final Entry[] first = new Entry[SLOTS];
  private final Entry[] last = new Entry[SLOTS];
  private final long[] occupied = new long[SLOTS / Long.SIZE];
  private long done;
  private boolean closed;

  /** The tick the event loop will wake for; NEVER, or PLANNED_LATER while it runs timeouts. */
  private long planned = NEVER;

  // Event loop only.
  private ScheduledFuture<?> wakeup;

  /** Timers on that event loop. */
  public EventLoopTimers(EventLoop loop) {
    this(loop, System::nanoTime);
  }

  EventLoopTimers(EventLoop loop, LongSupplier clock) {
    this.loop = loop;
    this.clock = clock;
    this.start = clock.getAsLong();
  }

  @Override
  public long nanoTime() {
    return clock.getAsLong();
  }

  @Override
  public Timeout schedule(long delayNanos, Runnable task) {
    if (delayNanos < 0) {
      throw new IllegalArgumentException("delay " + delayNanos + " ns");
    }
    long due = clock.getAsLong() - start + Math.min(delayNanos, MAX_DELAY);
    Entry entry = new Entry(task);
    boolean earliest;
    lock.lock();
    try {
      if (closed) {
        return entry;
      }
      entry.tick = Math.max((due + TICK - 1) / TICK, done + 1);
      link(entry);
      earliest = entry.tick < planned;
      if (earliest) {
        planned = entry.tick;
      }
    } finally {
      lock.unlock();
    }
    if (earliest) {
      planOnLoop();
    }
    return entry;
  }

  private void planOnLoop() {
    try {
      if (loop.inEventLoop()) {
        plan();
      } else {
        loop.execute(this::plan);
      }
    } catch (RejectedExecutionException ended) {
      log.debug("event loop has ended, timeouts with it");
      close();
    }
  }

  /** Has the event loop wake for the planned tick. */
  private void plan() {
    long tick;
    lock.lock();
    try {
      tick = planned;
    } finally {
      lock.unlock();
    }
    if (tick == PLANNED_LATER) {
      return;
    }
    if (wakeup != null) {
      wakeup.cancel(false);
      wakeup = null;
    }
    if (tick != NEVER) {
      long delay = start + tick * TICK - clock.getAsLong();
      wakeup = loop.schedule(this::run, Math.max(0, delay), TimeUnit.NANOSECONDS);
    }
  }

  private void run() {
    wakeup = null;
    Entry due;
    lock.lock();
    try {
      planned = PLANNED_LATER;
      due = takeDue((clock.getAsLong() - start) / TICK);
    } finally {
      lock.unlock();
    }
    while (due != null) {
      Entry entry = due;
      due = entry.next;
      entry.next = null;
      entry.run();
    }
    lock.lock();
    try {
      planned = nextOccupied();
    } finally {
      lock.unlock();
    }
    planOnLoop();
  }

  /** Unlinks what is due up to a tick, and chains it in order. */
  private Entry takeDue(long now) {
    Entry head = null;
    Entry tail = null;
    long until = Math.min(now, done + SLOTS);
    for (long tick = done + 1; tick <= until; tick++) {
      Entry next;
      for (Entry entry = first[(int) tick & MASK]; entry != null; entry = next) {
        next = entry.next;
        if (entry.tick <= now) {
          unlink(entry);
          if (head == null) {
            head = entry;
          } else {
            tail.next = entry;
          }
          tail = entry;
        }
      }
    }
    done = Math.max(done, now);
    return head;
  }

  /** The tick of the next slot with something in it, perhaps of a later round; NEVER if none. */
  private long nextOccupied() {
    int from = (int) (done + 1) & MASK;
    for (int scanned = 0; scanned < SLOTS + Long.SIZE; ) {
      int slot = from + scanned & MASK;
      long word = occupied[slot / Long.SIZE] >>> slot;
      if (word != 0) {
        return done + 1 + Math.min(scanned + Long.numberOfTrailingZeros(word), SLOTS - 1);
      }
      scanned += Long.SIZE - slot % Long.SIZE;
    }
    return NEVER;
  }

  private void link(Entry entry) {
    int slot = (int) entry.tick & MASK;
    entry.linked = true;
    entry.previous = last[slot];
    if (entry.previous == null) {
      first[slot] = entry;
    } else {
      entry.previous.next = entry;
    }
    last[slot] = entry;
    occupied[slot / Long.SIZE] |= 1L << slot;
  }

  private void unlink(Entry entry) {
    int slot = (int) entry.tick & MASK;
    if (entry.previous == null) {
      first[slot] = entry.next;
    } else {
      entry.previous.next = entry.next;
    }
    if (entry.next == null) {
      last[slot] = entry.previous;
    } else {
      entry.next.previous = entry.previous;
    }
    if (first[slot] == null) {
      occupied[slot / Long.SIZE] &= ~(1L << slot);
    }
    entry.linked = false;
    entry.previous = null;
    entry.next = null;
  }

  /** Forgets all timeouts; those scheduled later never run. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      for (int slot = 0; slot < SLOTS; slot++) {
        while (first[slot] != null) {
          Entry entry = first[slot];
          unlink(entry);
          entry.task = null;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** A timeout and its place on the wheel. */
  private final class Entry implements Timeout {
    private volatile Runnable task;
    private long tick;
    private boolean linked;
    private Entry previous;
    private Entry next;

    Entry(Runnable task) {
      this.task = task;
    }

    void run() {
      Runnable todo = task;
      task = null;
      if (todo != null) {
        try {
          todo.run();
        } catch (RuntimeException e) {
          log.error("a timeout failed", e);
        }
      }
    }

    @Override
    public void cancel() {
      task = null;
      lock.lock();
      try {
        if (linked) {
          unlink(this);
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
