package io.vertxrdma.reactive.impl;

import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.ReceivedMessage;
import java.nio.ByteBuffer;

/** A message of a connection. */
final class ReceivedMessageImpl extends ReceivedPayloadImpl implements ReceivedMessage {

  private final RdmaConnection connection;

  ReceivedMessageImpl(
      MessageQueue queue,
      long workRequestId,
      ByteBuffer memory,
      boolean hasImmediate,
      int immediate) {
    super(queue, workRequestId, memory, hasImmediate, immediate);
    this.connection = queue.connection();
  }

  @Override
  public RdmaConnection connection() {
    return connection;
  }

  @Override
  String name() {
    return "ReceivedMessage";
  }
}
