package io.vertxrdma.soft.transport;

/** A ring of posted send work requests; they are addressed by a number that only grows. */
final class SendQueue {

  private final SendRequest[] ring;
  private final int mask;
  private final int capacity;
  private long head;
  private long tail;

  SendQueue(int capacity) {
    this.capacity = capacity;
    // A power of two: a division for each look at a request would cost more than the look.
    this.ring = new SendRequest[Integer.highestOneBit(Math.max(1, capacity - 1)) << 1];
    this.mask = ring.length - 1;
  }

  /** The number of the oldest request that has not completed. */
  long head() {
    return head;
  }

  /** The number the next request will have. */
  long tail() {
    return tail;
  }

  boolean isEmpty() {
    return head == tail;
  }

  boolean isFull() {
    return tail - head == capacity;
  }

  /** The request of a number between head and tail. */
  SendRequest at(long number) {
    return ring[(int) number & mask];
  }

  /** Makes room at the end and returns the request to fill; the caller has checked for room. */
  SendRequest append() {
    int slot = (int) tail++ & mask;
    if (ring[slot] == null) {
      ring[slot] = new SendRequest();
    }
    ring[slot].started = false;
    return ring[slot];
  }

  /** Ends the oldest request. */
  void removeHead() {
    head++;
  }
}
