package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.Errno;

/**
 * A chain of work requests over one piece of memory, send or receive: the two structs begin alike.
 *
 * <pre>
 *   capacity × request | capacity × scatterGather × ibv_sge | bad_wr
 * </pre>
 *
 * <p>Each request's {@code next} and {@code sg_list} are set once; posting cuts the chain after the
 * last request and mends it. Used by one thread.
 */
abstract class WorkRequestBatch {

  private final NativeCalls calls;
  private final int requestSize;
  private final int capacity;
  private final int scatterGather;
  private Memory.Arena arena;
  private final long requests;
  private final long elements;
  private final long badOut;
  private int size;
  private int elementsOfLast;
  private int posted;

  WorkRequestBatch(NativeCalls calls, int requestSize, int capacity, int scatterGather) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be 1 or more, was " + capacity);
    }
    if (scatterGather < 0) {
      throw new IllegalArgumentException("scatterGather must be 0 or more, was " + scatterGather);
    }
    this.calls = calls;
    this.requestSize = requestSize;
    this.capacity = capacity;
    this.scatterGather = scatterGather;
    long elementBytes = (long) scatterGather * Layout.SGE_SIZE;
    long bytes = capacity * (requestSize + elementBytes) + Long.BYTES;
    this.arena = Memory.arena(Math.toIntExact(bytes));
    this.requests = arena.address();
    this.elements = requests + (long) capacity * requestSize;
    this.badOut = elements + capacity * elementBytes;
    for (int i = 0; i < capacity; i++) {
      long request = requests + (long) i * requestSize;
      linkNext(request);
      Memory.putLong(
          request + Layout.RECV_WR_SG_LIST, scatterGather == 0 ? 0 : elements + i * elementBytes);
    }
  }

  private void linkNext(long request) {
    Memory.putLong(request + Layout.RECV_WR_NEXT, request + requestSize);
  }

  private void requireOpen() {
    if (arena == null) {
      throw new IllegalStateException("the work request batch is closed");
    }
  }

  public int capacity() {
    return capacity;
  }

  public int size() {
    return size;
  }

  public void clear() {
    requireOpen();
    size = 0;
  }

  /** Starts the next request and returns its address. */
  final long addRequest(long workRequestId) {
    requireOpen();
    if (size == capacity) {
      throw new IllegalStateException("the work request batch is full, capacity " + capacity);
    }
    long request = requests + (long) size * requestSize;
    Memory.putLong(request + Layout.RECV_WR_WR_ID, workRequestId);
    Memory.putInt(request + Layout.RECV_WR_NUM_SGE, 0);
    size++;
    elementsOfLast = 0;
    return request;
  }

  /** The address of the request added last. */
  final long lastRequest() {
    requireOpen();
    if (size == 0) {
      throw new IllegalStateException("the work request batch is empty: add a request first");
    }
    return requests + (long) (size - 1) * requestSize;
  }

  public void addScatterGather(long address, int length, int localKey) {
    long request = lastRequest();
    if (elementsOfLast == scatterGather) {
      throw new IllegalStateException(
          "the request has all its " + scatterGather + " scatter/gather elements");
    }
    long element =
        elements + ((long) (size - 1) * scatterGather + elementsOfLast) * Layout.SGE_SIZE;
    Memory.putLong(element + Layout.SGE_ADDR, address);
    Memory.putInt(element + Layout.SGE_LENGTH, length);
    Memory.putInt(element + Layout.SGE_LKEY, localKey);
    elementsOfLast++;
    Memory.putInt(request + Layout.RECV_WR_NUM_SGE, elementsOfLast);
  }

  public int post() {
    requireOpen();
    posted = 0;
    if (size == 0) {
      return 0;
    }
    int wanted = acceptable();
    if (wanted == 0) {
      return Errno.EINVAL.number();
    }
    long last = requests + (long) (wanted - 1) * requestSize;
    Memory.putLong(last + Layout.RECV_WR_NEXT, 0);
    Memory.putLong(badOut, 0);
    int result;
    try {
      result = submit(requests, badOut);
    } finally {
      linkNext(last);
    }
    if (result == 0) {
      posted = wanted;
      return wanted == size ? 0 : Errno.EINVAL.number();
    }
    int errno = NativeErrors.number(calls, result);
    long accepted = Memory.getLong(badOut) - requests;
    // A driver that names no refused request of ours took none.
    posted = accepted > 0 && accepted <= last - requests ? (int) (accepted / requestSize) : 0;
    return errno;
  }

  /** How many requests, from the first on, can be handed over; the next one is invalid. */
  int acceptable() {
    return size;
  }

  /** Posts the chain; returns what the driver returned. */
  abstract int submit(long first, long badOut);

  public int posted() {
    return posted;
  }

  public void close() {
    arena = null;
    size = 0;
  }
}
