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
   * Says where the send added last goes; on datagram queue pairs every send needs it.
   *
   * @param addressHandle of the queue pair's protection domain
   * @param remoteQueuePairNumber the peer's queue pair, 24 bits
   * @param remoteQueueKey the Q_Key the peer's queue pair has; a datagram with another is dropped
   *     there in silence
   * @throws IllegalStateException when the queue pair is not of type UD
   * @throws IllegalArgumentException when the handle is of another domain, device or provider, or
   *     the number has more than 24 bits
   */
  void setUdAddress(AddressHandle addressHandle, int remoteQueuePairNumber, int remoteQueueKey);

  /**
   * Posts the chain with one call.
   *
   * <p>On a datagram queue pair a request is refused with 22, EINVAL, when it is no send, has no
   * address handle or a closed one, or has more bytes than the port's MTU. (Devices themselves lose
   * too long a datagram in silence, IBTA volume 1 C10-93.1.1.)
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
