package io.vertxrdma.demos.logsync;

/** The longest time in which writes were under way and none completed. */
final class PauseMeter {

  private int underWay;
  private long since;
  private long longest;

  /**
   * Writes were posted.
   *
   * @param now in nanoseconds, as {@link System#nanoTime()} tells it
   */
  void posted(int count, long now) {
    if (underWay == 0) {
      since = now;
    }
    underWay += count;
  }

  /** One of them completed. */
  void completed(long now) {
    underWay--;
    longest = Math.max(longest, now - since);
    since = now;
  }

  /** Nanoseconds. */
  long longest() {
    return longest;
  }
}
