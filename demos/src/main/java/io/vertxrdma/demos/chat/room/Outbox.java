package io.vertxrdma.demos.chat.room;

import java.util.ArrayDeque;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * What waits for one member. Bounded: a member that does not keep up misses lines, and is told how
 * many; nobody else notices.
 *
 * @param <T> what is sent
 */
public final class Outbox<T> {

  private final Predicate<T> way;
  private final int limit;
  private final LongFunction<T> gap;
  private final ArrayDeque<T> waiting = new ArrayDeque<>();
  private long missed;
  private long missedInAll;

  /**
   * Makes an outbox.
   *
   * @param way takes a message, or says false when it can't now
   * @param limit messages that may wait, 2 or more
   * @param gap makes the message that says how many were missed
   */
  public Outbox(Predicate<T> way, int limit, LongFunction<T> gap) {
    this.way = way;
    this.limit = limit;
    this.gap = gap;
  }

  /** Sends now, later, or never. */
  public void send(T message) {
    flush();
    if (missed > 0 && waiting.size() <= limit / 2) {
      tellMissed();
    }
    if (missed > 0 || waiting.size() >= limit) {
      missed++;
      missedInAll++;
    } else if (!waiting.isEmpty() || !way.test(message)) {
      waiting.add(message);
    }
  }

  /** The way may be free again. */
  public void flush() {
    while (!waiting.isEmpty() && way.test(waiting.peek())) {
      waiting.remove();
    }
    if (waiting.isEmpty() && missed > 0) {
      tellMissed();
      // At most once more: what waits is the notice.
      if (way.test(waiting.peek())) {
        waiting.remove();
      }
    }
  }

  private void tellMissed() {
    waiting.add(gap.apply(missed));
    missed = 0;
  }

  /** Messages that wait now. */
  public int waiting() {
    return waiting.size();
  }

  /** Messages skipped since the beginning. */
  public long missed() {
    return missedInAll;
  }
}
