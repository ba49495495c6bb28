package io.vertxrdma.reactive.impl;

import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.reactive.ReceivedPayload;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;

/**
 * What receives brought, between the completion queue and its subscriber.
 *
 * <p>It can't overflow: each item holds a receive until it is released.
 */
abstract class PayloadQueue<P extends ReceivedPayload> extends LoopFlowable<P> {

  private final ContextInternal context;
  private final Runnable credited;
  private final ArrayDeque<P> waiting = new ArrayDeque<>();
  private Receives receives;
  private int handedOut;

  /**
   * Empty.
   *
   * @param name for messages
   * @param credited told when a receive came back
   */
  PayloadQueue(ContextInternal context, String name, Runnable credited) {
    super(context, name);
    this.context = context;
    this.credited = credited;
  }

  /** The receives that the items hold; before the first push. */
  final void setReceives(Receives receives) {
    this.receives = receives;
  }

  final Receives receives() {
    return receives;
  }

  /** Adds one; delivered by the next drain. */
  final void add(P item) {
    waiting.add(item);
  }

  /** Every item is made by this package. */
  private static ReceivedPayloadImpl own(ReceivedPayload item) {
    return (ReceivedPayloadImpl) item;
  }

  final int size() {
    return waiting.size();
  }

  /** Drops what nobody was given; returns how many. */
  final int discard() {
    int count = waiting.size();
    P item;
    while ((item = waiting.poll()) != null) {
      receives.releaseMessage(own(item).workRequestId());
    }
    return count;
  }

  /**
   * The queue pair is gone: what waits is copied, so that its receives can go back.
   *
   * @return how many items the application still has
   */
  final int detach() {
    for (P item : waiting) {
      own(item).detach();
      receives.releaseMessage(own(item).workRequestId());
    }
    return handedOut;
  }

  /** An item that the application had was released. Any thread. */
  final void released(long workRequestId) {
    if (context.nettyEventLoop().inEventLoop()) {
      releasedOnLoop(workRequestId);
      return;
    }
    try {
      context.nettyEventLoop().execute(() -> releasedOnLoop(workRequestId));
    } catch (RejectedExecutionException loopEnded) {
      // And the receive with it.
    }
  }

  private void releasedOnLoop(long workRequestId) {
    handedOut--;
    receives.releaseMessage(workRequestId);
    credited.run();
  }

  @Override
  final P poll() {
    P next = waiting.poll();
    if (next != null && !own(next).isDetached()) {
      handedOut++;
    }
    return next;
  }

  @Override
  final boolean queueEmpty() {
    return waiting.isEmpty();
  }
}
