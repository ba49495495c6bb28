package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Single;
import io.vertx.core.Future;
import io.vertxrdma.reactive.impl.InboxRingImpl;

/**
 * Memory that one peer writes messages into, divided into slots of the same size, which it uses in
 * turn. Tell the peer its {@link #descriptor()}, in private data for example, and read it through a
 * {@link RingChannel}.
 */
public interface InboxRing {

  /**
   * Registers a ring.
   *
   * @param memory of the device of the connection the messages will come on
   * @param slots messages that can be under way or unread, 1 or more
   * @param slotSize bytes of the longest message, 1 or more; all slots together are below 2 GiB
   * @throws IllegalArgumentException naming the limit and what was given
   */
  static Future<InboxRing> allocate(RdmaMemory memory, int slots, int slotSize) {
    return InboxRingImpl.allocate(memory, slots, slotSize);
  }

  /** {@link #allocate}, when subscribed to. */
  static Single<InboxRing> rxAllocate(RdmaMemory memory, int slots, int slotSize) {
    return Rx.single(() -> allocate(memory, slots, slotSize));
  }

  /** Messages it holds. */
  int slots();

  /** Bytes of the longest message. */
  int slotSize();

  /** What the peer needs to write here. */
  RingDescriptor descriptor();

  /**
   * Gives the memory back; idempotent. Close the connection first: to a peer that still writes here
   * it is an access error.
   */
  Future<Void> close();
}
