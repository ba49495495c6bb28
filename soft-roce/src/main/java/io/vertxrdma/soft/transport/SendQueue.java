package io.vertxrdma.soft.transport;

/** A ring of posted send work requests; they are addressed by a number that only grows. */
final class SendQueue {

  private final SendRequest[] ring;
  private long head;
  private long tail;

  SendQueue(int capacity) {
    ring = new SendRequest[capacity];
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
    return tail - head == ring.length;
  }

  /** The request of a number between head and tail. */
  SendRequest at(long number) {
    return ring[(int) (number % ring.length)];
  }

  /** Makes room at the end and returns the request to fill; the caller has checked for room. */
  SendRequest append() {
    int slot = (int) (tail++ % ring.length);
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
