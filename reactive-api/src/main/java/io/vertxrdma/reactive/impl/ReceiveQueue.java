package io.vertxrdma.reactive.impl;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.reactive.RdmaOptions;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * The posted receives of a connection, which are the credits its peer has.
 *
 * <p>All are posted before the connection exists; each is posted again when its immediate was
 * handed over, in chains: once enough have come back, or at once when few are left.
 */
final class ReceiveQueue implements AutoCloseable {

  /** Marks a receive in the work request id; the rest of it belongs to sends. */
  static final long RECEIVE_BIT = 1L << 63;

  private static final int CHAIN = 64;

  private final QueuePair queuePair;
  private final ProtectionDomain protectionDomain;
  private final ReceiveBatch batch;
  private final int depth;
  private final int chainThreshold;
  private final int lowWatermark;
  private final long workRequestId;
  private MemoryRegion dummy;
  private int posted;
  private int returned;
  private long total;
  private boolean stopped;

  ReceiveQueue(
      QueuePair queuePair,
      ProtectionDomain protectionDomain,
      RdmaOptions<?> options,
      long generation) {
    this.queuePair = queuePair;
    this.protectionDomain = protectionDomain;
    this.depth = options.getReceiveDepth();
    this.batch = queuePair.allocateReceiveBatch(Math.min(depth, CHAIN), 1);
    int refill = options.getReceiveRefillBatch();
    this.chainThreshold =
        Math.max(1, Math.min(CHAIN, refill == RdmaOptions.DERIVED ? depth / 4 : refill));
    int low = options.getReceiveLowWatermark();
    this.lowWatermark = low == RdmaOptions.DERIVED ? depth / 2 : low;
    this.workRequestId = RECEIVE_BIT | generation;
  }

  /** Posts all receives; before connect or accept. Blocking: on a worker. */
  void fill() {
    int errno = post(1);
    if (errno == Errno.EINVAL.number()) {
      // Some devices refuse a receive without memory; a write with immediate never touches it.
      ByteBuffer memory = ByteBuffer.allocateDirect(8192).alignedSlice(4096);
      dummy = protectionDomain.register(memory.limit(4096).slice(), Set.of(AccessFlag.LOCAL_WRITE));
      errno = post(1);
    }
    while (errno == 0 && posted < depth) {
      errno = post(depth - posted);
    }
    if (errno != 0) {
      throw RdmaException.ofErrno(
          "ibv_post_recv", errno, (posted + 1) + " of " + depth + " receives");
    }
  }

  private int post(int count) {
    batch.clear();
    int chain = Math.min(count, batch.capacity());
    for (int i = 0; i < chain; i++) {
      batch.add(workRequestId);
      if (dummy != null) {
        batch.addScatterGather(dummy.address(), (int) dummy.length(), dummy.localKey());
      }
    }
    int errno = batch.post();
    posted += batch.posted();
    total += batch.posted();
    return errno;
  }

  /** One receive completed, whatever its status. */
  void consumed() {
    posted--;
  }

  /** Immediates were handed over: their receives may be posted again. */
  void credit(int count) {
    returned += count;
  }

  /** Posts what has come back, if it is worth a call. Returns 0 or the errno of a refusal. */
  int refill() {
    while (!stopped && returned > 0 && (returned >= chainThreshold || posted <= lowWatermark)) {
      int before = posted;
      int errno = post(returned);
      returned -= posted - before;
      if (errno != 0) {
        return errno;
      }
    }
    return 0;
  }

  /** No more receives: the queue pair is ending, and some drivers never flush what comes now. */
  void stop() {
    stopped = true;
  }

  int posted() {
    return posted;
  }

  /** Receives posted since the beginning. */
  long total() {
    return total;
  }

  QueuePair queuePair() {
    return queuePair;
  }

  /** Frees the chain and the dummy memory, before the queue pair. Blocking. */
  @Override
  public void close() {
    batch.close();
    if (dummy != null) {
      dummy.close();
    }
  }
}
