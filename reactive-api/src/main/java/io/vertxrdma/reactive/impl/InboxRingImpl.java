package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertxrdma.reactive.InboxRing;
import io.vertxrdma.reactive.RdmaMemory;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RingDescriptor;
import java.util.concurrent.atomic.AtomicBoolean;

/** The memory of a ring, and whether it has its channel. */
public final class InboxRingImpl implements InboxRing {

  private final RegisteredBuffer memory;
  private final RingDescriptor descriptor;
  private final AtomicBoolean used = new AtomicBoolean();

  private InboxRingImpl(RegisteredBuffer memory, int slots, int slotSize) {
    this.memory = memory;
    this.descriptor = new RingDescriptor(memory.remote(), slots, slotSize);
  }

  /** See {@link InboxRing#allocate}. */
  public static Future<InboxRing> allocate(RdmaMemory memory, int slots, int slotSize) {
    if (slots < 1) {
      throw new IllegalArgumentException("slots must be 1 or more, was " + slots);
    }
    if (slotSize < 1) {
      throw new IllegalArgumentException("slotSize must be 1 or more bytes, was " + slotSize);
    }
    long size = (long) slots * slotSize;
    if (size > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "a ring must be below 2 GiB, " + slots + " slots of " + slotSize + " bytes are " + size);
    }
    return memory.allocateInbox((int) size).map(made -> new InboxRingImpl(made, slots, slotSize));
  }

  /** Whether this call made it the ring of a channel. */
  boolean claim() {
    return used.compareAndSet(false, true);
  }

  /** Nothing came of the channel. */
  void unclaim() {
    used.set(false);
  }

  RegisteredBuffer memory() {
    return memory;
  }

  @Override
  public int slots() {
    return descriptor.slots();
  }

  @Override
  public int slotSize() {
    return descriptor.slotSize();
  }

  @Override
  public RingDescriptor descriptor() {
    return descriptor;
  }

  @Override
  public Future<Void> close() {
    return memory.close();
  }

  @Override
  public String toString() {
    return "InboxRing[" + slots() + " slots of " + slotSize() + " bytes]";
  }
}
