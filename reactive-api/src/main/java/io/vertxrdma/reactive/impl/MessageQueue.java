package io.vertxrdma.reactive.impl;

import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.ReceivedMessage;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;

/**
 * Messages between the completion queue and their subscriber.
 *
 * <p>It can't overflow: each message holds a posted receive until it is released.
 */
final class MessageQueue extends LoopFlowable<ReceivedMessage> {

  private final ContextInternal context;
  private final RdmaConnection connection;
  private final boolean expected;
  private final Runnable credited;
  private final ArrayDeque<ReceivedMessageImpl> waiting = new ArrayDeque<>();
  private Receives receives;
  private int handedOut;

  /**
   * Of one connection.
   *
   * @param expected whether receives have memory
   * @param credited told when a receive came back
   */
  MessageQueue(
      ContextInternal context, RdmaConnection connection, boolean expected, Runnable credited) {
    super(context, "messages()");
    this.expected = expected;
    this.context = context;
    this.connection = connection;
    this.credited = credited;
  }

  /** The receives that the messages hold; before the first push. */
  void setReceives(Receives receives) {
    this.receives = receives;
  }

  /** Whether receives have memory for messages. */
  boolean isExpected() {
    return expected;
  }

  /** Adds one; delivered by the next drain. */
  void push(long workRequestId, int length, boolean hasImmediate, int immediate) {
    ByteBuffer memory = receives.memory(workRequestId, length);
    waiting.add(new ReceivedMessageImpl(this, workRequestId, memory, hasImmediate, immediate));
  }

  RdmaConnection connection() {
    return connection;
  }

  int size() {
    return waiting.size();
  }

  /** Drops what nobody was given; returns how many. */
  int discard() {
    int count = waiting.size();
    ReceivedMessageImpl message;
    while ((message = waiting.poll()) != null) {
      receives.releaseMessage(message.workRequestId());
    }
    return count;
  }

  /**
   * The queue pair is gone: what waits is copied, so that its receives can go back.
   *
   * @return how many messages the application still has
   */
  int detach() {
    for (ReceivedMessageImpl message : waiting) {
      message.detach();
      receives.releaseMessage(message.workRequestId());
    }
    return handedOut;
  }

  /** A message that the application had was released. Any thread. */
  void released(long workRequestId) {
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
  ReceivedMessage poll() {
    ReceivedMessageImpl next = waiting.poll();
    if (next != null && !next.isDetached()) {
      handedOut++;
    }
    return next;
  }

  @Override
  boolean queueEmpty() {
    return waiting.isEmpty();
  }
}
