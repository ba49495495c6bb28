package io.vertxrdma.reactive.impl;

import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * The send queue of a connection: operations wait here while the queue pair has no room, go out in
 * chains, and end in order.
 *
 * <p>Only the last request of a chain is signalled, but for datagrams; its completion ends all
 * before it. A full queue is flow control: nothing fails, nothing is lost. Confined to the event
 * loop.
 */
final class SendQueue implements AutoCloseable {

  private static final int CHAIN = 64;
  private static final long SEQUENCE_MASK = (1L << 40) - 1;
  private static final long RETRY_MILLIS = 1;

  private final RdmaLoop loop;
  private final SendBatch batch;
  private final int depth;
  private final int maxInlineData;
  private final boolean signalsAll;
  private final SendOperation[] slots;
  private final int mask;
  private final long generation;
  private final ArrayDeque<SendOperation> waiting = new ArrayDeque<>();
  private final Runnable flushTask;
  private Runnable onFlush = () -> {};
  private long head;
  private long tail;
  // Where a signalled request was posted last; beyond it nothing tells of a completion.
  private long signalledTail;
  private boolean flushScheduled;
  private boolean retryScheduled;
  private boolean inBatch;
  private boolean stopped;
  private boolean closed;

  SendQueue(RdmaLoop loop, QueuePair queuePair, int depth, int scatterGather, long generation) {
    this.loop = loop;
    this.depth = depth;
    this.batch = queuePair.allocateSendBatch(Math.min(depth, CHAIN), scatterGather);
    this.maxInlineData = queuePair.capabilities().maxInlineData();
    // A datagram can't be made to disappear, so nothing could stand in for a lost signalled one.
    this.signalsAll = queuePair.type() == QueuePairType.UD;
    int size = Integer.highestOneBit(Math.max(1, depth - 1)) << 1;
    this.slots = new SendOperation[size];
    this.mask = size - 1;
    this.generation = generation;
    this.flushTask =
        () -> {
          flushScheduled = false;
          flush();
          onFlush.run();
        };
  }

  /** Sets what looks at the queue after operations were posted outside of a batch. */
  void onFlush(Runnable task) {
    onFlush = task;
  }

  /** Takes an operation; it is posted at the end of the current batch or task. */
  void submit(SendOperation operation) {
    waiting.add(operation);
    if (!inBatch && !flushScheduled) {
      // After the current task, so that a loop of writes becomes one chain.
      flushScheduled = true;
      loop.context().nettyEventLoop().execute(flushTask);
    }
  }

  /** Completions are being handled: hold posts back until {@link #endBatch}. */
  void beginBatch() {
    inBatch = true;
  }

  /** Posts what came up meanwhile. */
  void endBatch() {
    inBatch = false;
    flush();
  }

  /** Operations posted and not completed. */
  int outstanding() {
    return (int) (tail - head);
  }

  /** Operations posted since the beginning. */
  long posted() {
    return tail;
  }

  /** Operations not ended yet. */
  int size() {
    return outstanding() + waiting.size();
  }

  private void flush() {
    while (!closed && !stopped && !waiting.isEmpty() && outstanding() < depth) {
      int room = Math.min(Math.min(depth - outstanding(), batch.capacity()), waiting.size());
      fill(room);
      int errno = batch.post();
      for (int i = batch.posted(); i > 0; i--) {
        slots[(int) tail++ & mask] = waiting.poll();
      }
      if (errno == 0 || signalsAll) {
        signalledTail = tail;
      }
      if (errno == 0) {
        continue;
      }
      if (errno == Errno.ENOMEM.number()) {
        // The device's queue is fuller than ours: wait for a completion, or look again soon.
        if (head == tail || signalledTail != tail) {
          lookAgainSoon();
        }
        return;
      }
      SendOperation refused = waiting.poll();
      refused.end(RdmaException.ofErrno("ibv_post_send", errno, refused.name()));
      if (signalledTail != tail && waiting.isEmpty() && !stopped && !refused.isMarker()) {
        // The signalled end of the chain is the one that was cut off.
        waiting.add(SendOperation.marker());
      }
    }
  }

  private void lookAgainSoon() {
    if (!retryScheduled) {
      retryScheduled = true;
      loop.context()
          .setTimer(
              RETRY_MILLIS,
              timer -> {
                retryScheduled = false;
                flush();
              });
    }
  }

  private void fill(int count) {
    batch.clear();
    int i = 0;
    for (SendOperation operation : waiting) {
      if (i == count) {
        break;
      }
      long workRequestId = generation | ((tail + i) & SEQUENCE_MASK);
      i++;
      operation.addTo(
          batch, workRequestId, signalsAll || i == count ? SendFlag.SIGNALED : 0, maxInlineData);
    }
  }

  /**
   * A request completed: those before it have succeeded, it ended with the status.
   *
   * @return the failure, or null
   */
  WorkCompletionException completed(long workRequestId, int status, int vendorError) {
    long ahead = (workRequestId - head) & SEQUENCE_MASK;
    if (ahead >= outstanding()) {
      // Already ended, for example abandoned at close.
      return null;
    }
    for (; ahead > 0; ahead--) {
      takeHead().end(null);
    }
    SendOperation operation = takeHead();
    if (status == WorkCompletionStatus.SUCCESS.ordinal()) {
      operation.end(null);
      return null;
    }
    WorkCompletionException failure =
        WorkCompletionException.of(operation.name(), status, vendorError);
    operation.end(failure);
    return failure;
  }

  private SendOperation takeHead() {
    int slot = (int) head++ & mask;
    SendOperation operation = slots[slot];
    slots[slot] = null;
    return operation;
  }

  /** Posts nothing any more; what waits fails. */
  void stop(Supplier<? extends Throwable> failure) {
    stopped = true;
    SendOperation operation;
    while ((operation = waiting.poll()) != null) {
      operation.end(failure.get());
    }
  }

  /** Ends what the device never completed; after the queue pair is gone. */
  void abandon(Supplier<? extends Throwable> failure) {
    stop(failure);
    while (outstanding() > 0) {
      takeHead().end(failure.get());
    }
  }

  boolean isStopped() {
    return stopped;
  }

  /** Frees the chain. */
  @Override
  public void close() {
    closed = true;
    batch.close();
  }
}
