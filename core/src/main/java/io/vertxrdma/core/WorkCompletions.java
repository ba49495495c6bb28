package io.vertxrdma.core;

/**
 * A reusable batch of work completions ({@code struct ibv_wc}), filled by {@link
 * CompletionQueue#poll}. Valid until the next poll into it.
 *
 * <p>When {@link #status} is not success, only {@link #workRequestId}, {@link #status}, {@link
 * #queuePairNumber} and {@link #vendorError} mean anything (ibv_poll_cq(3)).
 */
public interface WorkCompletions {

  /** The bytes in front of every received datagram's payload ({@code struct ibv_grh}). */
  int GLOBAL_ROUTING_HEADER_LENGTH = 40;

  /** How many one poll can bring. */
  int capacity();

  /** How many the last poll brought. */
  int size();

  /**
   * Keeps a completion of another batch, for what has to look at it after the next poll into that
   * one. A batch that keeps completions is not polled into; from the first one on its size is its
   * capacity.
   *
   * @param index where to keep it, below the capacity
   * @param from a batch of the same device
   * @param fromIndex which of its completions
   * @throws IllegalArgumentException when the batch is of another provider
   */
  void keep(int index, WorkCompletions from, int fromIndex);

  /** The id given when the request was posted. */
  long workRequestId(int index);

  /** The raw status, 0 for success; see {@link WorkCompletionStatus#of}. */
  int status(int index);

  /** The raw opcode; see {@link WorkCompletionOpcode}. */
  int opcode(int index);

  /** The device's own error code. */
  int vendorError(int index);

  /**
   * Bytes received, or written by the peer for a write with immediate. Unsigned. For a datagram it
   * counts the {@value #GLOBAL_ROUTING_HEADER_LENGTH} bytes in front of the payload.
   */
  int byteLength(int index);

  /** The raw completion flags: 1 GRH, 2 WITH_IMM. */
  int flags(int index);

  /** The immediate in host order, an unsigned 32-bit value; only if {@link #hasImmediate}. */
  int immediate(int index);

  /** The local queue pair's number. */
  int queuePairNumber(int index);

  /** The remote queue pair's number; unreliable datagrams only. */
  int sourceQueuePair(int index);

  /**
   * Whether the first {@value #GLOBAL_ROUTING_HEADER_LENGTH} bytes of a received datagram say where
   * it comes from; on RoCE always. They are an IPv6 header, or, in the last 20 bytes, an IPv4 one
   * (IBTA annex A17). Those bytes are there, with any content, even when this is false.
   */
  default boolean hasGlobalRoutingHeader(int index) {
    return (flags(index) & 1) != 0;
  }

  /** Whether the completion carries an immediate. */
  default boolean hasImmediate(int index) {
    return (flags(index) & 2) != 0;
  }

  /**
   * Whether it tells of a peer's write with immediate: the opcode and the flag must both say so.
   */
  default boolean isReceiveRdmaWithImmediate(int index) {
    return opcode(index) == WorkCompletionOpcode.RECV_RDMA_WITH_IMM && hasImmediate(index);
  }
}
