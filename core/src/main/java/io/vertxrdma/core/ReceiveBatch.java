package io.vertxrdma.core;

/** A reusable chain of receive work requests over preallocated memory. */
public interface ReceiveBatch extends AutoCloseable {

  /** Requests one chain holds. */
  int capacity();

  /** Requests added since {@link #clear}. */
  int size();

  /** Empties the chain. */
  void clear();

  /**
   * Adds a receive without memory, which is all a write with immediate needs.
   *
   * @throws IllegalStateException when the chain is full
   */
  void add(long workRequestId);

  /**
   * Appends local memory to the receive added last. For datagrams it must have room for {@value
   * WorkCompletions#GLOBAL_ROUTING_HEADER_LENGTH} bytes more than the payload; one that is too long
   * for its receive fails the receive and with it the queue pair.
   */
  void addScatterGather(long address, int length, int localKey);

  /** Posts the chain with one call; see {@link SendBatch#post}. */
  int post();

  /** How many requests the last {@link #post} handed over. */
  int posted();

  /** Frees the memory. Idempotent. */
  @Override
  void close();
}
