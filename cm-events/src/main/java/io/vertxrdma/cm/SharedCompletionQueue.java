package io.vertxrdma.cm;

import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.WorkCompletions;
import java.util.ArrayList;

/**
 * A completion queue that the connections of one event loop share: polled in batches until empty,
 * armed, polled again.
 *
 * <p>The order matters. Arming does not fire for completions that are already queued, so after
 * arming the queue is polled once more. A budget keeps one busy queue from starving the rest of the
 * loop: what is left is drained by a task, since leftovers fire nothing.
 */
final class SharedCompletionQueue {

  private static final int BATCH = 32;

  /** Completions all queues of a device may dispatch in one turn of the event loop. */
  private static final int BUDGET = 1024;

  private final DeviceLoop owner;
  private final CompletionQueue queue;
  private final WorkCompletions batch;
  private final long spinNanos;
  private final Runnable drainTask;
  private final ArrayList<CompletionHandler> touched = new ArrayList<>(BATCH);
  private int reserved;
  private boolean stopped;
  private boolean draining;
  private boolean resizing;

  SharedCompletionQueue(DeviceLoop owner, CompletionQueue queue, long spinNanos) {
    this.owner = owner;
    this.queue = queue;
    this.batch = queue.allocate(BATCH);
    this.spinNanos = spinNanos;
    this.drainTask = () -> owner.loop().context().emit(null, nothing -> drain());
  }

  CompletionQueue queue() {
    return queue;
  }

  long spinNanos() {
    return spinNanos;
  }

  boolean tryReserve(int entries) {
    if (entries > room()) {
      return false;
    }
    reserved += entries;
    return true;
  }

  void release(int entries) {
    reserved -= entries;
  }

  /** Entries that are not reserved. */
  int room() {
    return queue.capacity() - reserved;
  }

  void stop() {
    stopped = true;
  }

  /** The device gives the queue more room; a poll would have to wait for that. */
  void beginResize() {
    resizing = true;
  }

  /** Takes what came meanwhile, whose event may have been read already. */
  void endResize() {
    resizing = false;
    drain();
  }

  /** Arms and looks once, for what came before. */
  void arm() {
    drain();
  }

  void drain() {
    if (!resizing) {
      drain(1);
    }
  }

  /**
   * Takes all that was in the queue when called, which its capacity bounds; even if that has to
   * wait.
   */
  void drainNow() {
    drain(1 + queue.capacity() / budget());
  }

  private void drain(int rounds) {
    if (stopped || draining) {
      return;
    }
    draining = true;
    try {
      boolean armed = false;
      for (int i = 0; i < rounds && !armed; i++) {
        armed = pollUntilArmed();
      }
      if (!armed) {
        owner.loop().context().nettyEventLoop().execute(drainTask);
      }
    } catch (RdmaException failure) {
      stopped = true;
      owner.loop().context().reportException(failure);
      owner.failed(this, failure);
    } finally {
      draining = false;
    }
  }

  /** The queues of a device share its turn. */
  private int budget() {
    return Math.max(BATCH, BUDGET / owner.queueCount());
  }

  /** Returns false when the budget ran out first: the queue is then not armed. */
  private boolean pollUntilArmed() {
    int budget = budget();
    boolean armed = false;
    long spinUntil = spinNanos == 0 ? 0 : System.nanoTime() + spinNanos;
    while (!stopped) {
      int count = queue.poll(batch);
      if (count > 0) {
        dispatch(count);
        budget -= count;
        if (budget <= 0) {
          return false;
        }
        if (spinNanos != 0) {
          spinUntil = System.nanoTime() + spinNanos;
        }
      } else if (armed) {
        return true;
      } else if (spinNanos == 0 || System.nanoTime() - spinUntil >= 0) {
        queue.requestNotification();
        armed = true;
      } else {
        Thread.onSpinWait();
      }
    }
    return true;
  }

  private void dispatch(int count) {
    long poll = owner.nextPoll();
    RegisteredHandler last = null;
    int lastNumber = -1;
    for (int i = 0; i < count; i++) {
      int number = batch.queuePairNumber(i);
      if (last == null || number != lastNumber) {
        last = owner.handler(number);
        lastNumber = number;
        if (last == null) {
          continue;
        }
        if (last.isFirstOf(poll)) {
          touched.add(last.handler);
        }
      }
      try {
        last.handler.completion(batch, i);
      } catch (Throwable failure) {
        owner.loop().context().reportException(failure);
      }
    }
    for (int i = 0; i < touched.size(); i++) {
      try {
        touched.get(i).batchEnd();
      } catch (Throwable failure) {
        owner.loop().context().reportException(failure);
      }
    }
    touched.clear();
  }
}
