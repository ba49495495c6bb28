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
    if (entries > queue.capacity() - reserved) {
      return false;
    }
    reserved += entries;
    return true;
  }

  void release(int entries) {
    reserved -= entries;
  }

  void stop() {
    stopped = true;
  }

  /** Arms and looks once, for what came before. */
  void arm() {
    drain();
  }

  void drain() {
    drain(1);
  }

  /** Takes all that was in the queue when called, which its capacity bounds. */
  void drainNow() {
    drain(1 + queue.capacity() / BUDGET);
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

  /** Returns false when the budget ran out first: the queue is then not armed. */
  private boolean pollUntilArmed() {
    int budget = BUDGET;
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
    CompletionHandler last = null;
    int lastNumber = -1;
    for (int i = 0; i < count; i++) {
      int number = batch.queuePairNumber(i);
      if (last == null || number != lastNumber) {
        last = owner.handler(number);
        lastNumber = number;
        if (last == null) {
          continue;
        }
        if (!touched.contains(last)) {
          touched.add(last);
        }
      }
      try {
        last.completion(batch, i);
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
