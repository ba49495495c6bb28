package io.vertxrdma.reactive.impl;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import io.netty.util.ResourceLeakTracker;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RegisteredPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Cuts regions into pieces of powers of two and keeps those that came back. */
final class PoolImpl implements RegisteredPool {

  private static final int SMALLEST_LOG = Integer.numberOfTrailingZeros(SMALLEST);
  private static final int CLASSES = Integer.numberOfTrailingZeros(SLAB) - SMALLEST_LOG + 1;

  private static final ResourceLeakDetector<RegisteredBuffer> LEAKS =
      ResourceLeakDetectorFactory.instance().newResourceLeakDetector(RegisteredBuffer.class);

  private final MemoryImpl memory;
  private final long maxBytes;
  private final List<Queue<Piece>> free = new ArrayList<>(CLASSES);
  private final AtomicLong registered = new AtomicLong();
  // One for the pool itself until it is closed, so that the last one to go is seen once.
  private final AtomicInteger users = new AtomicInteger(1);
  private final Queue<RegisteredBuffer> slabs = new ConcurrentLinkedQueue<>();
  private final Promise<Void> allClosed;
  private volatile boolean closed;

  /** Where a piece lies. */
  private record Piece(RegisteredBufferImpl slab, int offset, int sizeClass) {}

  PoolImpl(MemoryImpl memory, long maxBytes) {
    if (maxBytes < SLAB) {
      throw new IllegalArgumentException("maxBytes must be " + SLAB + " or more, was " + maxBytes);
    }
    this.memory = memory;
    this.maxBytes = maxBytes;
    this.allClosed = memory.promise();
    for (int i = 0; i < CLASSES; i++) {
      free.add(new ConcurrentLinkedQueue<>());
    }
  }

  private static int sizeClass(int size) {
    int log = Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
    return Math.max(0, log - SMALLEST_LOG);
  }

  @Override
  public Future<RegisteredBuffer> allocate(int size) {
    if (size < 1) {
      throw new IllegalArgumentException("size must be 1 or more bytes, was " + size);
    }
    if (!enter()) {
      return Future.failedFuture(new IllegalStateException("the pool is closed"));
    }
    if (size > SLAB) {
      return register(size).map(region -> whole(region, size));
    }
    int sizeClass = sizeClass(size);
    Piece piece = free.get(sizeClass).poll();
    return piece != null
        ? Future.succeededFuture(cut(piece, size))
        : register(SLAB).map(region -> cut(addSlab(region, sizeClass), size));
  }

  @Override
  public Future<RegisteredBuffer> copyOf(Buffer bytes) {
    return allocate(Math.max(1, bytes.length())).map(piece -> piece.setBuffer(0, bytes));
  }

  private boolean enter() {
    int count;
    do {
      count = users.get();
      if (count == 0 || closed || memory.isClosed()) {
        return false;
      }
    } while (!users.compareAndSet(count, count + 1));
    return true;
  }

  private Future<RegisteredBufferImpl> register(int size) {
    if (registered.addAndGet(size) > maxBytes) {
      long others = registered.addAndGet(-size);
      int inUse = piecesInUse() - 1;
      leave();
      return Future.failedFuture(
          new IllegalStateException(
              "the pool has "
                  + others
                  + " bytes registered, "
                  + inUse
                  + " pieces of it in use, and may have "
                  + maxBytes
                  + "; close some or raise the limit"));
    }
    Future<RegisteredBuffer> made;
    try {
      made = memory.allocate(size);
    } catch (RuntimeException refused) {
      made = Future.failedFuture(refused);
    }
    return made.map(region -> (RegisteredBufferImpl) region)
        .onFailure(
            failed -> {
              registered.addAndGet(-size);
              leave();
            });
  }

  private Piece addSlab(RegisteredBufferImpl slab, int sizeClass) {
    slabs.add(slab);
    int size = SMALLEST << sizeClass;
    for (int offset = size; offset < SLAB; offset += size) {
      free.get(sizeClass).add(new Piece(slab, offset, sizeClass));
    }
    return new Piece(slab, 0, sizeClass);
  }

  private RegisteredBuffer cut(Piece piece, int size) {
    return tracked(
        piece.slab(), piece.offset(), size, () -> free.get(piece.sizeClass()).add(piece));
  }

  private RegisteredBuffer whole(RegisteredBufferImpl region, int size) {
    return tracked(
        region,
        0,
        size,
        () -> {
          registered.addAndGet(-size);
          region.close();
        });
  }

  private RegisteredBuffer tracked(
      RegisteredBufferImpl region, int offset, int size, Runnable giveBack) {
    // The detector knows the buffer only when it is made, and the buffer must not be held here.
    AtomicReference<ResourceLeakTracker<RegisteredBuffer>> tracker = new AtomicReference<>();
    RegisteredBufferImpl buffer =
        region.piece(
            offset,
            size,
            closing -> {
              ResourceLeakTracker<RegisteredBuffer> sampled = tracker.get();
              if (sampled != null) {
                sampled.close(closing);
              }
              giveBack.run();
              leave();
            },
            memory.promise());
    tracker.set(LEAKS.track(buffer));
    return buffer;
  }

  /** A piece came back, or was never made. */
  private void leave() {
    if (users.decrementAndGet() == 0) {
      List<Future<Void>> closing = new ArrayList<>();
      slabs.forEach(slab -> closing.add(slab.close()));
      Future.join(closing)
          .<Void>mapEmpty()
          .onComplete(
              done -> {
                registered.set(0);
                allClosed.handle(done);
              });
    }
  }

  @Override
  public long registeredBytes() {
    return registered.get();
  }

  @Override
  public int piecesInUse() {
    return users.get() - (closed ? 0 : 1);
  }

  @Override
  public Future<Void> close() {
    synchronized (this) {
      if (closed) {
        return allClosed.future();
      }
      closed = true;
    }
    leave();
    return allClosed.future();
  }
}
