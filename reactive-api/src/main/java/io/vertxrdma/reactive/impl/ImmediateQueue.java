package io.vertxrdma.reactive.impl;

import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.ImmediateHandler;
import io.vertxrdma.reactive.RdmaConnection;

/**
 * Immediates between the completion queue and their subscriber.
 *
 * <p>A ring of ints as large as the receive depth. It can't overflow: a receive is posted again
 * only for an immediate that left the ring. Objects are made at hand-over, and none at all for a
 * handler.
 */
final class ImmediateQueue extends LoopFlowable<Immediate> {

  /** Told of each immediate that was handed over, so that its receive can be posted again. */
  interface Credits {
    void returned(int count);
  }

  private final RdmaConnection connection;
  private final Credits credits;
  private final int[] values;
  private final int[] lengths;
  private final int mask;
  private int head;
  private int tail;
  private int taken;
  private ImmediateHandler handler;
  private boolean handling;

  ImmediateQueue(ContextInternal context, RdmaConnection connection, int depth, Credits credits) {
    super(context, "immediates()");
    this.connection = connection;
    this.credits = credits;
    int size = Integer.highestOneBit(Math.max(1, depth - 1)) << 1;
    this.values = new int[size];
    this.lengths = new int[size];
    this.mask = size - 1;
  }

  /** Adds one; delivered by the next {@link #deliver}. */
  void push(int value, int byteLength) {
    assert tail - head <= mask : "more immediates than receives";
    values[tail & mask] = value;
    lengths[tail & mask] = byteLength;
    tail++;
  }

  /** Hands over what is asked for. */
  void deliver() {
    if (handler != null) {
      runHandler();
    } else {
      drain();
    }
  }

  void setHandler(ImmediateHandler next) {
    if (next != null && hasSubscriber()) {
      throw new IllegalStateException("immediates() has a subscriber already");
    }
    handler = next;
    deliver();
  }

  boolean hasHandler() {
    return handler != null;
  }

  /** Whether somebody takes what comes. */
  boolean isTaken() {
    return handler != null || hasSubscriber();
  }

  private void runHandler() {
    if (handling) {
      return;
    }
    handling = true;
    try {
      while (head != tail && handler != null) {
        int value = values[head & mask];
        int length = lengths[head & mask];
        head++;
        taken++;
        try {
          handler.handle(connection, value, length);
        } catch (Throwable thrown) {
          // The others of the batch are no less wanted.
          report(thrown);
        }
      }
    } finally {
      handling = false;
      handedOver();
    }
  }

  /** Drops what nobody was given; returns how many. */
  int discard() {
    int count = tail - head;
    head = tail;
    return count;
  }

  int size() {
    return tail - head;
  }

  @Override
  Immediate poll() {
    if (head == tail || handler != null) {
      return null;
    }
    Immediate next = new Immediate(connection, values[head & mask], lengths[head & mask]);
    head++;
    taken++;
    return next;
  }

  @Override
  boolean queueEmpty() {
    return head == tail;
  }

  @Override
  void handedOver() {
    if (taken > 0) {
      int count = taken;
      taken = 0;
      credits.returned(count);
    }
  }
}
