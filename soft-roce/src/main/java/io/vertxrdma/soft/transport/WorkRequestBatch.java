package io.vertxrdma.soft.transport;

/**
 * A chain of work requests in plain arrays, send or receive: what the two have in common. Used by
 * one thread.
 */
abstract class WorkRequestBatch {

  final Engine engine;
  final long[] ids;
  final int[] elementCounts;
  final long[] addresses;
  final int[] lengths;
  final int[] keys;
  final int scatterGather;
  private boolean open = true;
  private int size;
  private int posted;

  WorkRequestBatch(Engine engine, int capacity, int scatterGather) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be 1 or more, was " + capacity);
    }
    if (scatterGather < 0) {
      throw new IllegalArgumentException("scatterGather must be 0 or more, was " + scatterGather);
    }
    int elements = Math.multiplyExact(capacity, scatterGather);
    this.engine = engine;
    this.scatterGather = scatterGather;
    this.ids = new long[capacity];
    this.elementCounts = new int[capacity];
    this.addresses = new long[elements];
    this.lengths = new int[elements];
    this.keys = new int[elements];
  }

  private void requireBatchOpen() {
    if (!open) {
      throw new IllegalStateException("the work request batch is closed");
    }
  }

  public int capacity() {
    return ids.length;
  }

  public int size() {
    return size;
  }

  public void clear() {
    requireBatchOpen();
    size = 0;
  }

  /** Starts the next request and returns its index. */
  final int addRequest(long workRequestId) {
    requireBatchOpen();
    if (size == ids.length) {
      throw new IllegalStateException("the work request batch is full, capacity " + ids.length);
    }
    ids[size] = workRequestId;
    elementCounts[size] = 0;
    return size++;
  }

  /** The index of the request added last. */
  final int lastRequest() {
    requireBatchOpen();
    if (size == 0) {
      throw new IllegalStateException("the work request batch is empty: add a request first");
    }
    return size - 1;
  }

  public void addScatterGather(long address, int length, int localKey) {
    int request = lastRequest();
    if (elementCounts[request] == scatterGather) {
      throw new IllegalStateException(
          "the request has all its " + scatterGather + " scatter/gather elements");
    }
    int element = request * scatterGather + elementCounts[request]++;
    addresses[element] = address;
    lengths[element] = length;
    keys[element] = localKey;
  }

  public int post() {
    requireBatchOpen();
    posted = 0;
    if (size == 0) {
      return 0;
    }
    engine.enter();
    try {
      requireTargetOpen();
      int errno = 0;
      while (errno == 0 && posted < size) {
        errno = submit(posted);
        if (errno == 0) {
          posted++;
        }
      }
      submitted();
      return errno;
    } finally {
      engine.leave();
    }
  }

  /**
   * Checks that what this posts to can be used.
   *
   * @throws IllegalStateException when closed
   */
  abstract void requireTargetOpen();

  /** Posts one request; returns 0 or the errno of the refusal. */
  abstract int submit(int index);

  /** Called once after the requests of a chain. */
  void submitted() {}

  public int posted() {
    return posted;
  }

  public void close() {
    open = false;
    size = 0;
  }
}
