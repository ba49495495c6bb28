package io.vertxrdma.core;

/**
 * A send and a receive queue ({@code struct ibv_qp}). It is created by {@link
 * CmId#createQueuePair}; the connection manager moves it through its states.
 */
public interface QueuePair extends AutoCloseable {

  /** The queue pair number, 24 bits. */
  int number();

  /** RC or UD. */
  QueuePairType type();

  /** The capacities the device gave, at least those asked for. */
  QueuePairCapabilities capabilities();

  /** The present state and parameters. Blocking: a system call. */
  QueuePairAttributes query();

  /**
   * Sets the RNR timer once connected; the connection manager leaves it at 0, which means 655 ms.
   *
   * @param code 0..31, see ibv_modify_qp(3); 12 is 0.64 ms
   */
  void setMinRnrTimer(int code);

  /** Moves the queue pair to the error state: everything posted completes as flushed. */
  void toError();

  /**
   * Makes a chain of up to {@code capacity} send work requests with {@code scatterGather} entries
   * each; to be used again and again, and closed before the queue pair.
   */
  SendBatch allocateSendBatch(int capacity, int scatterGather);

  /** Makes a chain of up to {@code capacity} receive work requests, likewise. */
  ReceiveBatch allocateReceiveBatch(int capacity, int scatterGather);

  /** Destroys the queue pair; nothing posted on it will complete any more. Blocking. Idempotent. */
  @Override
  void close();
}
