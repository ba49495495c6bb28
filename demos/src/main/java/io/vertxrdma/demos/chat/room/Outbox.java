package io.vertxrdma.demos.chat.room;

import java.util.ArrayDeque;
import java.util.function.Predicate;

/**
 * What waits for one member. Bounded: a member that does not keep up misses lines, and is told how
 * many; nobody else notices.
 */
public final class Outbox {

  private final Predicate<ChatMessage> way;
  private final int limit;
  private final ArrayDeque<ChatMessage> waiting = new ArrayDeque<>();
  private long missed;
  private long missedInAll;

  /**
   * Makes an outbox.
   *
   * @param way takes a message, or says false when it can't now
   * @param limit messages that may wait, 2 or more
   */
  public Outbox(Predicate<ChatMessage> way, int limit) {
    this.way = way;
    this.limit = limit;
  }

  /** Sends now, later, or never. */
  public void send(ChatMessage message) {
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
    waiting.add(ChatMessage.gap(missed));
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
