package io.vertxrdma.reactive.impl;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.ReceivedPayload;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/** Bytes in the memory of their receive, or in a copy when the queue pair has ended. */
abstract class ReceivedPayloadImpl implements ReceivedPayload {

  private final PayloadQueue<?> queue;
  private final long workRequestId;
  private final boolean hasImmediate;
  private final int immediate;
  private final AtomicBoolean released = new AtomicBoolean();
  private ByteBuffer memory;
  private boolean detached;

  ReceivedPayloadImpl(
      PayloadQueue<?> queue,
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

  /** Name for messages. */
  abstract String name();

  final boolean isReleased() {
    return released.get();
  }

  final long workRequestId() {
    return workRequestId;
  }

  final boolean isDetached() {
    return detached;
  }

  /** Copies the bytes; before anybody was given it. */
  final void detach() {
    memory = ByteBuffer.allocate(memory.remaining()).put(memory).flip().asReadOnlyBuffer();
    detached = true;
  }

  @Override
  public final int length() {
    return memory.limit();
  }

  @Override
  public final boolean hasImmediate() {
    return hasImmediate;
  }

  @Override
  public final long immediate() {
    if (!hasImmediate) {
      throw new IllegalStateException("there is no immediate");
    }
    return Integer.toUnsignedLong(immediate);
  }

  @Override
  public final ByteBuffer byteBuffer() {
    if (released.get()) {
      throw new IllegalStateException(name() + " was released");
    }
    return memory.duplicate();
  }

  @Override
  public final Buffer take() {
    byte[] bytes = new byte[memory.limit()];
    byteBuffer().get(bytes);
    release();
    return Buffer.buffer(bytes);
  }

  @Override
  public final void release() {
    if (released.compareAndSet(false, true) && !detached) {
      freed();
    }
  }

  /** Nobody reads it any more. Any thread. */
  void freed() {
    giveBack();
  }

  /** Lets the receive be posted again; once. Any thread. */
  final void giveBack() {
    queue.released(workRequestId);
  }

  @Override
  public String toString() {
    return name()
        + "["
        + length()
        + " bytes"
        + (hasImmediate ? ", immediate " + immediate() : "")
        + "]";
  }
}
