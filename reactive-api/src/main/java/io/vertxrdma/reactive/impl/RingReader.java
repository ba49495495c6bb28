package io.vertxrdma.reactive.impl;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RingMessage;
import io.vertxrdma.reactive.RingProtocolException;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/**
 * The reading half of a ring channel: messages between the completion queue and their subscriber,
 * and which slots the peer gets back.
 *
 * <p>Four counts of messages, each at most the ring's slots behind the one before: received, handed
 * over, released (and all before it), given back. Confined to the event loop.
 */
final class RingReader extends LoopFlowable<RingMessage> {

  private final LoopEndpoint endpoint;
  private final RegisteredBuffer memory;
  private final int slots;
  private final int slotSize;
  private final int half;
  private final IntConsumer giveBack;
  private final int[] lengths;
  private final boolean[] released;
  private long received;
  private long handedOver;
  private long releasedInOrder;
  private long givenBack;

  /**
   * A reader of a ring that is empty.
   *
   * @param giveBack tells the peer of so many free slots
   */
  RingReader(
      LoopEndpoint endpoint, ContextInternal context, InboxRingImpl ring, IntConsumer giveBack) {
    super(context, "messages()");
    this.endpoint = endpoint;
    this.memory = ring.memory();
    this.slots = ring.slots();
    this.slotSize = ring.slotSize();
    this.half = Math.max(1, slots / 2);
    this.giveBack = giveBack;
    this.lengths = new int[slots];
    this.released = new boolean[slots];
  }

  /**
   * The peer wrote a message.
   *
   * @param byteLength unsigned
   * @throws RingProtocolException when it may not have
   */
  void received(long slot, int byteLength) {
    if (received - givenBack == slots) {
      throw new RingProtocolException(
          "the peer wrote to slot "
              + slot
              + " while none of the ring's "
              + slots
              + " slots was free");
    }
    int expected = (int) (received % slots);
    if (slot != expected) {
      throw new RingProtocolException(
          "the peer wrote to slot "
              + slot
              + ", the next in order of "
              + slots
              + " was "
              + expected);
    }
    if (Integer.compareUnsigned(byteLength, slotSize) > 0) {
      throw new RingProtocolException(
          "the peer wrote a message of "
              + Integer.toUnsignedLong(byteLength)
              + " bytes, a slot has "
              + slotSize);
    }
    lengths[expected] = byteLength;
    received++;
    drain();
  }

  @Override
  RingMessage poll() {
    if (queueEmpty()) {
      return null;
    }
    int slot = (int) (handedOver % slots);
    handedOver++;
    return new Message(slot, lengths[slot]);
  }

  @Override
  boolean queueEmpty() {
    return handedOver == received;
  }

  @Override
  void handedOver() {
    giveBackWhatIsDue();
  }

  private void released(int slot) {
    released[slot] = true;
    for (int next = (int) (releasedInOrder % slots);
        releasedInOrder < handedOver && released[next];
        next = (int) (releasedInOrder % slots)) {
      released[next] = false;
      releasedInOrder++;
    }
    giveBackWhatIsDue();
  }

  /** Half of the ring at a time, or less when the reader waits and the peer has little room. */
  private void giveBackWhatIsDue() {
    int free = (int) (releasedInOrder - givenBack);
    long room = slots - (received - givenBack);
    if (!isDone() && free > 0 && (free >= half || (queueEmpty() && room < half))) {
      givenBack += free;
      giveBack.accept(free);
    }
  }

  private final class Message implements RingMessage {

    private final int slot;
    private final int length;
    private final AtomicBoolean over = new AtomicBoolean();

    Message(int slot, int length) {
      this.slot = slot;
      this.length = length;
    }

    @Override
    public int length() {
      return length;
    }

    @Override
    public int slot() {
      return slot;
    }

    private void check() {
      if (over.get()) {
        throw new IllegalStateException("the message was released; its slot is the peer's again");
      }
    }

    @Override
    public ByteBuffer byteBuffer() {
      check();
      return memory.byteBuffer().slice(slot * slotSize, length).asReadOnlyBuffer();
    }

    @Override
    public Buffer copy() {
      check();
      return memory.getBuffer(slot * slotSize, length);
    }

    @Override
    public void release() {
      if (over.compareAndSet(false, true)) {
        try {
          endpoint.run(() -> released(slot));
        } catch (RejectedExecutionException loopEnded) {
          // And the connection with it: nobody wants the slot.
        }
      }
    }

    @Override
    public String toString() {
      return "message of " + length + " bytes in slot " + slot;
    }
  }
}
