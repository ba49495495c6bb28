package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Single;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/**
 * Registered memory by the piece: registering pins pages and takes long, a piece of a region that
 * is registered already takes next to nothing.
 *
 * <p>Pieces come in sizes of powers of two from {@value #SMALLEST} bytes to {@value #SLAB}, cut
 * from regions of {@value #SLAB} bytes; from 4096 on they start at a page. Larger ones are
 * registered one by one. No peer has access to any of it, since a key that a peer was given would
 * outlive the piece. Pieces that are never closed stay taken; Netty's leak detector ({@code
 * -Dio.netty.leakDetection.level}) tells of those that were lost. Any thread.
 */
public interface RegisteredPool {

  /** The smallest piece, bytes. */
  int SMALLEST = 256;

  /** What is registered at once, and the largest piece, bytes. */
  int SLAB = 1 << 20;

  /**
   * A piece; its close gives it back. Completed already when one is there.
   *
   * @param size 1 or more; the capacity is exactly this. The content is undefined.
   * @throws IllegalArgumentException for a size below 1
   * @return fails with {@link IllegalStateException} when the pool is closed or as large as it may
   *     become
   */
  Future<RegisteredBuffer> allocate(int size);

  /** A piece with a copy of the bytes (one byte at least is allocated). */
  Future<RegisteredBuffer> copyOf(Buffer bytes);

  /** {@link #allocate}, when subscribed to. */
  default Single<RegisteredBuffer> rxAllocate(int size) {
    return Rx.single(() -> allocate(size));
  }

  /** {@link #copyOf}, when subscribed to. */
  default Single<RegisteredBuffer> rxCopyOf(Buffer bytes) {
    return Rx.single(() -> copyOf(bytes));
  }

  /** Bytes registered now. */
  long registeredBytes();

  /** Pieces that were not given back. */
  int piecesInUse();

  /**
   * Gives the memory back as soon as no piece is in use; idempotent. It is also given back with the
   * server or client it belongs to.
   */
  Future<Void> close();
}
