package io.vertxrdma.core;

/**
 * A reusable chain of send work requests over preallocated memory: fill, post, fill again.
 *
 * <p>Nothing is allocated between {@link #clear} and {@link #post}. Local keys and addresses are
 * not checked here; a wrong one fails the request, not the process. The exception is {@link
 * SendFlag#INLINE}: the CPU copies the data when posting, so its address must be that of memory the
 * caller owns.
 */
public interface SendBatch extends AutoCloseable {

  /** Requests one chain holds. */
  int capacity();

  /** Requests added since {@link #clear}. */
  int size();

  /** Empties the chain. */
  void clear();

  /**
   * Adds a request.
   *
   * @param workRequestId comes back in the completion
   * @param opcode the operation
   * @param flags of {@link SendFlag}
   * @param immediate in host order; used by the WITH_IMM operations
   * @param remoteAddress for RDMA and atomics, else 0
   * @param remoteKey for RDMA and atomics, else 0
   * @throws IllegalStateException when the chain is full
   */
  void add(
      long workRequestId,
      SendOpcode opcode,
      int flags,
      int immediate,
      long remoteAddress,
      int remoteKey);

  /** Appends local memory to the request added last. */
  void addScatterGather(long address, int length, int localKey);

  /** Sets the operands of the atomic request added last. */
  void setAtomicOperands(long compareOrAdd, long swap);

  /**
   * Posts the chain with one call.
   *
   * @return 0, or the errno of the request that was refused (12, ENOMEM, for a full queue); the
   *     requests before it, {@link #posted()} of them, are posted, it and those after it are not
   */
  int post();

  /** How many requests the last {@link #post} handed over. */
  int posted();

  /** Frees the memory. Idempotent. */
  @Override
  void close();
}
