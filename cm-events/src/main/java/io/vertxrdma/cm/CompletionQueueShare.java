package io.vertxrdma.cm;

import io.vertxrdma.core.CompletionQueue;

/** Room in a shared completion queue that one queue pair has reserved. */
public final class CompletionQueueShare {

  private final SharedCompletionQueue queue;
  private final int entries;
  private boolean released;

  CompletionQueueShare(SharedCompletionQueue queue, int entries) {
    this.queue = queue;
    this.entries = entries;
  }

  /** The queue to create the queue pair with. */
  public CompletionQueue queue() {
    return queue.queue();
  }

  /**
   * Dispatches what is in the queue now, on the event loop; without effect inside of a dispatch of
   * this queue.
   */
  public void drain() {
    queue.drainNow();
  }

  /** Gives the room back, after the queue pair was destroyed. Idempotent. */
  public void release() {
    if (!released) {
      released = true;
      queue.release(entries);
    }
  }
}
