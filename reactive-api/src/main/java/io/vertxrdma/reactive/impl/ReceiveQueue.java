package io.vertxrdma.reactive.impl;

import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.reactive.RdmaOptions;
import java.nio.ByteBuffer;

/**
 * The receives of a queue pair's own queue.
 *
 * <p>All are posted before the connection exists; each is posted again when its immediate was
 * handed over, in chains: once enough have come back, or at once when few are left.
 */
final class ReceiveQueue implements Receives {

  private final ReceivePoster poster;
  private final int depth;
  private final int chainThreshold;
  private final int lowWatermark;
  private int returned;
  private boolean stopped;

  /**
   * Prepares it.
   *
   * @param slotSize bytes of memory of each receive, 0 for none
   */
  ReceiveQueue(
      QueuePair queuePair,
      ProtectionDomain protectionDomain,
      RdmaOptions<?> options,
      int slotSize,
      long generation) {
    this.depth = options.getReceiveDepth();
    this.poster =
        new ReceivePoster(
            queuePair.allocateReceiveBatch(Math.min(depth, ReceivePoster.CHAIN), 1),
            protectionDomain,
            depth,
            slotSize,
            RECEIVE_BIT | generation);
    this.chainThreshold = chainThreshold(options, depth);
    int low = options.getReceiveLowWatermark();
    this.lowWatermark = low == RdmaOptions.DERIVED ? depth / 2 : low;
  }

  /** How many receives must have come back to be worth a call. */
  static int chainThreshold(RdmaOptions<?> options, int depth) {
    int refill = options.getReceiveRefillBatch();
    return Math.max(
        1, Math.min(ReceivePoster.CHAIN, refill == RdmaOptions.DERIVED ? depth / 4 : refill));
  }

  /** Registers what memory receives have. Blocking: on a worker. */
  void prepare() {
    poster.prepare();
  }

  /**
   * Posts all receives; before connect or accept. Blocking, on a worker, if they have no memory.
   */
  void fill() {
    poster.fill(depth);
  }

  @Override
  public boolean owns(long workRequestId) {
    return poster.owns(workRequestId);
  }

  @Override
  public boolean consumed(long workRequestId) {
    poster.consumed();
    return poster.posted() == 0;
  }

  @Override
  public ByteBuffer memory(long workRequestId, int length) {
    return poster.memory(workRequestId, length);
  }

  @Override
  public void freeMemory(long workRequestId) {
    poster.freeMemory(workRequestId);
  }

  @Override
  public void releaseMessage(long workRequestId) {
    poster.freeMemory(workRequestId);
    returned++;
  }

  @Override
  public void credit(int count) {
    returned += count;
  }

  @Override
  public int refill() {
    while (!stopped
        && returned > 0
        && (returned >= chainThreshold || poster.posted() <= lowWatermark)) {
      int before = poster.posted();
      int errno = poster.post(returned);
      returned -= poster.posted() - before;
      if (errno != 0) {
        return errno;
      }
    }
    return 0;
  }

  /** No more receives: the queue pair is ending, and some drivers never flush what comes now. */
  @Override
  public void stop() {
    stopped = true;
  }

  @Override
  public int posted() {
    return poster.posted();
  }

  @Override
  public long total() {
    return poster.total();
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public boolean isDrained() {
    return poster.posted() == 0;
  }

  @Override
  public void end(int messagesInUse) {}

  @Override
  public void close() {
    poster.close();
  }
}
