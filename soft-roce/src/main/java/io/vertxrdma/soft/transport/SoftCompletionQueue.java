package io.vertxrdma.soft.transport;

import io.vertxrdma.core.AsyncEventType;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.soft.SoftCounters;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A ring of work completions. When one does not fit, it is lost, an asynchronous CQ_ERR tells so,
 * and every queue pair of the queue goes to error, as rxe does it.
 *
 * <p><b>Why a payload is seen before its completion</b>, whichever threads sender, device and
 * receiver run on. The device's thread copies the payload with plain writes ({@link
 * SoftMemoryRegion#put}) and adds the completion ({@link #add}) afterwards, both inside the device
 * lock. Whoever polls it ({@link #poll}) takes the same lock later. Unlocking happens before the
 * next locking (JLS 17.4.4, java.util.concurrent.locks.Lock), and what came before that in each
 * thread is in program order; so everything written until the completion was added happens before
 * everything the polling thread reads after it, plain reads included. A thread that hands the
 * completion on owes the next one an edge of its own, which the task queue of an event loop is. The
 * notification that wakes the poller is not part of this: a poll without it sees as much.
 *
 * <p>In the other direction the sender's plain writes happen before its post, which takes the lock;
 * the payload is gathered inside the lock, then or at any later time and on any thread. What it
 * takes from one device to another is a copy ({@link io.vertxrdma.soft.io.Link#send}) that goes
 * through a concurrent queue or the kernel.
 */
final class SoftCompletionQueue extends SoftObject implements CompletionQueue {

  static final String KIND = "completion queues";

  private final SoftCompletionChannel channel;
  private SoftWorkCompletions ring;
  private final Set<SoftQueuePair> queuePairs = new LinkedHashSet<>();
  private int head;
  private int size;
  private boolean armed;
  private boolean overrun;
  // Events not drained from the channel yet; the channel's.
  int events;

  SoftCompletionQueue(Engine engine, int entries, SoftCompletionChannel channel) {
    super(engine, "completion queue");
    this.channel = channel;
    this.ring = new SoftWorkCompletions(entries);
  }

  void attach(SoftQueuePair queuePair) {
    queuePairs.add(queuePair);
  }

  void detach(SoftQueuePair queuePair) {
    queuePairs.remove(queuePair);
  }

  /**
   * Adds a completion.
   *
   * @return whether there was room
   */
  boolean add(
      long workRequestId,
      int status,
      int opcode,
      int byteLength,
      int flags,
      int immediate,
      int queuePairNumber,
      int sourceQueuePair) {
    if (size == ring.capacity()) {
      overrun();
      return false;
    }
    int at = head + size;
    if (at >= ring.capacity()) {
      at -= ring.capacity();
    }
    ring.ids[at] = workRequestId;
    ring.statuses[at] = status;
    ring.opcodes[at] = opcode;
    ring.byteLengths[at] = byteLength;
    ring.flags[at] = flags;
    ring.immediates[at] = immediate;
    ring.numbers[at] = queuePairNumber;
    ring.sources[at] = sourceQueuePair;
    size++;
    if (armed) {
      armed = false;
      channel.fire(this);
    }
    return true;
  }

  /** Adds the completion of a request that failed: only its id and status mean something. */
  boolean addFailed(long workRequestId, int status, int queuePairNumber) {
    return add(workRequestId, status, 0, 0, 0, 0, queuePairNumber, 0);
  }

  private void overrun() {
    engine.counters().increment(SoftCounters.Name.COMPLETION_QUEUE_OVERRUN);
    if (overrun) {
      return;
    }
    overrun = true;
    engine.asyncQueue().add(AsyncEventType.CQ_ERR, this);
    // Later: the queue pair that brought the completion is in the middle of something.
    engine.defer(() -> Set.copyOf(queuePairs).forEach(SoftQueuePair::breakOff));
  }

  @Override
  public int capacity() {
    engine.enter();
    try {
      requireOpen();
      return ring.capacity();
    } finally {
      engine.leave();
    }
  }

  @Override
  public void resize(int entries) {
    engine.enter();
    try {
      requireOpen();
      if (entries <= ring.capacity()) {
        throw new IllegalArgumentException(
            "entries must be more than the "
                + ring.capacity()
                + " of "
                + this
                + ", was "
                + entries);
      }
      engine.checkCompletionQueueEntries(entries);
      SoftWorkCompletions larger = new SoftWorkCompletions(entries);
      for (int i = 0; i < size; i++) {
        ring.copy(head, larger, i);
        head = head + 1 == ring.capacity() ? 0 : head + 1;
      }
      ring = larger;
      head = 0;
    } finally {
      engine.leave();
    }
  }

  @Override
  public WorkCompletions allocate(int capacity) {
    return new SoftWorkCompletions(capacity);
  }

  @Override
  public int poll(WorkCompletions into) {
    if (!(into instanceof SoftWorkCompletions completions)) {
      throw new IllegalArgumentException("completions of another provider: " + into);
    }
    completions.setSize(0);
    engine.enter();
    try {
      requireOpen();
      int count = Math.min(size, completions.capacity());
      for (int i = 0; i < count; i++) {
        ring.copy(head, completions, i);
        head = head + 1 == ring.capacity() ? 0 : head + 1;
      }
      size -= count;
      completions.setSize(count);
      return count;
    } finally {
      engine.leave();
    }
  }

  @Override
  public void requestNotification() {
    engine.enter();
    try {
      requireOpen();
      armed = channel != null;
    } finally {
      engine.leave();
    }
  }

  @Override
  void destroy() {
    engine.asyncQueue().forget(this);
    if (channel != null) {
      channel.forget(this);
      channel.users.release(KIND);
    }
  }
}
