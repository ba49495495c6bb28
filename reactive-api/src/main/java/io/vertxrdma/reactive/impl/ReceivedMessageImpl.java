package io.vertxrdma.reactive.impl;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.ReceivedMessage;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/** A message in the memory of its receive, or in a copy when the connection has ended. */
final class ReceivedMessageImpl implements ReceivedMessage {

  private final MessageQueue queue;
  private final long workRequestId;
  private final boolean hasImmediate;
  private final int immediate;
  private final AtomicBoolean released = new AtomicBoolean();
  private ByteBuffer memory;
  private boolean detached;

  ReceivedMessageImpl(
      MessageQueue queue,
      long workRequestId,
      ByteBuffer memory,
      boolean hasImmediate,
      int immediate) {
    this.queue = queue;
    this.workRequestId = workRequestId;
    this.memory = memory.asReadOnlyBuffer();
    this.hasImmediate = hasImmediate;
    this.immediate = immediate;
  }

  long workRequestId() {
    return workRequestId;
  }

  boolean isDetached() {
    return detached;
  }

  /** Copies the bytes; before anybody was given the message. */
  void detach() {
    memory = ByteBuffer.allocate(memory.remaining()).put(memory).flip().asReadOnlyBuffer();
    detached = true;
  }

  @Override
  public RdmaConnection connection() {
    return queue.connection();
  }

  @Override
  public int length() {
    return memory.limit();
  }

  @Override
  public boolean hasImmediate() {
    return hasImmediate;
  }

  @Override
  public long immediate() {
    if (!hasImmediate) {
      throw new IllegalStateException("the message has no immediate");
    }
    return Integer.toUnsignedLong(immediate);
  }

  @Override
  public ByteBuffer byteBuffer() {
    if (released.get()) {
      throw new IllegalStateException("the message was released");
    }
    return memory.duplicate();
  }

  @Override
  public Buffer take() {
    byte[] bytes = new byte[memory.limit()];
    byteBuffer().get(bytes);
    release();
    return Buffer.buffer(bytes);
  }

  @Override
  public void release() {
    if (released.compareAndSet(false, true) && !detached) {
      queue.released(workRequestId);
    }
  }

  @Override
  public String toString() {
    return "ReceivedMessage["
        + length()
        + " bytes"
        + (hasImmediate ? ", immediate " + immediate() : "")
        + "]";
  }
}
