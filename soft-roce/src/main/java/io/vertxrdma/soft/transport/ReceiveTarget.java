package io.vertxrdma.soft.transport;

/** Where receives are posted: a queue pair or a shared receive queue. */
@FunctionalInterface
interface ReceiveTarget {

  /**
   * Posts one receive of a batch; device lock held.
   *
   * @return 0 or the errno of the refusal
   */
  int post(SoftReceiveBatch batch, int index);
}
