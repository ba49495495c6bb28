package io.vertxrdma.soft.transport;

/**
 * A ring of posted receives, of a queue pair or shared. Requests are taken by exchange: the taker
 * keeps the request and leaves the one it had before, so nothing is allocated.
 */
final class ReceiveQueue {

  private final ReceiveRequest[] ring;
  private int head;
  private int size;

  ReceiveQueue(int capacity) {
    ring = new ReceiveRequest[capacity];
  }

  int size() {
    return size;
  }

  boolean isFull() {
    return size == ring.length;
  }

  private int slot(int index) {
    int slot = head + index;
    return slot >= ring.length ? slot - ring.length : slot;
  }

  /** Makes room at the end and returns the request to fill; the caller has checked for room. */
  ReceiveRequest append() {
    int slot = slot(size++);
    if (ring[slot] == null) {
      ring[slot] = new ReceiveRequest();
    }
    return ring[slot];
  }

  /** The first request, or null. */
  ReceiveRequest peek() {
    return size == 0 ? null : ring[head];
  }

  /** Takes the first request, which must exist, and keeps {@code spare} in its place. */
  ReceiveRequest take(ReceiveRequest spare) {
    ReceiveRequest taken = ring[head];
    ring[head] = spare;
    head = slot(1);
    size--;
    return taken;
  }

  void clear() {
    size = 0;
  }
}
