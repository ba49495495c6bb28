package io.vertxrdma.reactive.impl;

import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.ReceivedMessage;

/** The messages of a connection that were not handed over yet. */
final class MessageQueue extends PayloadQueue<ReceivedMessage> {

  private final RdmaConnection connection;
  private final boolean expected;

  /**
   * Of one connection.
   *
   * @param expected whether receives have memory
   * @param credited told when a receive came back
   */
  MessageQueue(
      ContextInternal context, RdmaConnection connection, boolean expected, Runnable credited) {
    super(context, "messages()", credited);
    this.connection = connection;
    this.expected = expected;
  }

  /** Whether receives have memory for messages. */
  boolean isExpected() {
    return expected;
  }

  RdmaConnection connection() {
    return connection;
  }

  /** Adds one; delivered by the next drain. */
  void push(long workRequestId, int length, boolean hasImmediate, int immediate) {
    add(
        new ReceivedMessageImpl(
            this,
            workRequestId,
            receives().memory(workRequestId, length),
            hasImmediate,
            immediate));
  }
}
