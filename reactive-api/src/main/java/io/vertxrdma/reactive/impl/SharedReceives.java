package io.vertxrdma.reactive.impl;

import io.vertxrdma.cm.CompletionHandler;
import java.nio.ByteBuffer;

/** What one connection takes from a shared pool of receives, and owes to it. On the loop. */
final class SharedReceives implements Receives {

  private final SharedReceivePool pool;
  private final CompletionHandler user;
  // Receives that completed for this connection and were not given back.
  private int held;
  // Those of them for which the pool has posted others.
  private int replaced;
  private boolean ended;

  SharedReceives(SharedReceivePool pool, CompletionHandler user) {
    this.pool = pool;
    this.user = user;
  }

  SharedReceivePool pool() {
    return pool;
  }

  /** From now on it is told when the queue breaks. */
  void join() {
    pool.join(user);
  }

  @Override
  public boolean owns(long workRequestId) {
    return pool.poster().owns(workRequestId);
  }

  @Override
  public boolean consumed(long workRequestId) {
    pool.poster().consumed();
    held++;
    if (held > pool.share() && pool.replace()) {
      replaced++;
    }
    return pool.poster().posted() == 0;
  }

  @Override
  public void freeMemory(long workRequestId) {
    pool.poster().freeMemory(workRequestId);
  }

  @Override
  public ByteBuffer memory(long workRequestId, int length) {
    return pool.poster().memory(workRequestId, length);
  }

  @Override
  public void releaseMessage(long workRequestId) {
    pool.poster().freeMemory(workRequestId);
    giveBack(1);
    if (ended) {
      pool.refill();
    }
  }

  @Override
  public void credit(int count) {
    if (!ended) {
      giveBack(count);
    }
  }

  private void giveBack(int count) {
    int ofReserve = Math.min(count, replaced);
    held -= count;
    replaced -= ofReserve;
    pool.replacementsReturned(ofReserve);
    pool.credit(count - ofReserve);
  }

  @Override
  public int refill() {
    return pool.refill();
  }

  /** The pool goes on for the others. */
  @Override
  public void stop() {}

  @Override
  public int posted() {
    return pool.poster().posted();
  }

  @Override
  public long total() {
    return pool.poster().total();
  }

  @Override
  public int depth() {
    return pool.depth();
  }

  @Override
  public boolean isShared() {
    return true;
  }

  /** Receives of a shared queue are not flushed; see {@link SharedReceivePool#poll}. */
  @Override
  public boolean isDrained() {
    return true;
  }

  @Override
  public void end(int messagesInUse) {
    if (!ended) {
      ended = true;
      pool.leave(user);
      giveBack(held - messagesInUse);
      pool.refill();
    }
  }

  @Override
  public void close() {}
}
