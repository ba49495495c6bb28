package io.vertxrdma.soft.io;

/** Timeouts on the event loop of a link, on a wheel: cheap to start and to cancel. Thread-safe. */
public interface Timers {

  /** A running timeout. */
  interface Timeout {
    /** Stops it; harmless when it ran. */
    void cancel();
  }

  /**
   * Runs a task once, on the event loop, not before the delay has passed.
   *
   * @param delayNanos 0 or more; kept to a granularity of about a millisecond
   */
  Timeout schedule(long delayNanos, Runnable task);

  /** A clock for the delays, monotonic. */
  default long nanoTime() {
    return System.nanoTime();
  }
}
