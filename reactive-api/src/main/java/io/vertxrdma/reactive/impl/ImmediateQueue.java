package io.vertxrdma.reactive.impl;

import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.ImmediateHandler;
import io.vertxrdma.reactive.RdmaConnection;

/**
 * Immediates between the completion queue and their subscriber.
 *
 * <p>A ring of ints that grows up to the receives there are. It can't overflow: a receive is posted
 * again only for an immediate that left the ring. Objects are made at hand-over, and none at all
 * for a handler.
 */
final class ImmediateQueue extends LoopFlowable<Immediate> {

  /** Told of each immediate that was handed over, so that its receive can be posted again. */
  interface Credits {
    void returned(int count);
  }

  /** Enough for the default receive depth. */
  private static final int FIRST_SIZE = 256;

  private final RdmaConnection connection;
  private final Credits credits;
  private int[] values;
  private int[] lengths;
  private long[] times;
  private int mask;
  private int head;
  private int tail;
  private int taken;
  private ImmediateHandler handler;
  private boolean handling;

  ImmediateQueue(ContextInternal context, RdmaConnection connection, int depth, Credits credits) {
    super(context, "immediates()");
    this.connection = connection;
    this.credits = credits;
    int size = powerOfTwo(Math.min(depth, FIRST_SIZE));
    this.values = new int[size];
    this.lengths = new int[size];
    this.times = new long[size];
    this.mask = size - 1;
  }

  private static int powerOfTwo(int least) {
    return Integer.highestOneBit(Math.max(1, least - 1)) << 1;
  }

  /** Adds one; delivered by the next {@link #deliver}. */
  void push(int value, int byteLength, long nanoTime) {
    if (tail - head > mask) {
      grow();
    }
    values[tail & mask] = value;
    lengths[tail & mask] = byteLength;
    times[tail & mask] = nanoTime;
    tail++;
  }

  private void grow() {
    int size = values.length;
    int[] moreValues = new int[2 * size];
    int[] moreLengths = new int[2 * size];
    long[] moreTimes = new long[2 * size];
    for (int i = 0; i < size; i++) {
      moreValues[i] = values[head + i & mask];
      moreLengths[i] = lengths[head + i & mask];
      moreTimes[i] = times[head + i & mask];
    }
    values = moreValues;
    lengths = moreLengths;
    times = moreTimes;
    mask = 2 * size - 1;
    head = 0;
    tail = size;
  }

  /** Hands over what is asked for. */
  void deliver() {
    if (handler != null) {
      runHandler();
    } else {
      drain();
    }
  }

  @Override
  void turn() {
    deliver();
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
    if (handling || isResting()) {
      return;
    }
    handling = true;
    int left = TURN;
    try {
      while (head != tail && handler != null) {
        if (left-- == 0) {
          rest();
          break;
        }
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
    int at = head & mask;
    Immediate next = new Immediate(connection, values[at], lengths[at], times[at]);
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
