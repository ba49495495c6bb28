package io.vertxrdma.core;

import java.util.Objects;

/**
 * What a queue pair is made of ({@code struct ibv_qp_init_attr}).
 *
 * @param type RC or UD; ids of port space TCP take RC, those of UDP take UD
 * @param sendQueue where send completions go
 * @param receiveQueue where receive completions go; may be the same
 * @param sharedReceiveQueue where receives come from, or null for the queue pair's own
 * @param capabilities the capacities wanted
 * @param signalAll whether every send request completes visibly, signalled or not
 */
public record QueuePairInit(
    QueuePairType type,
    CompletionQueue sendQueue,
    CompletionQueue receiveQueue,
    SharedReceiveQueue sharedReceiveQueue,
    QueuePairCapabilities capabilities,
    boolean signalAll) {

  /** Checks what may not be null. */
  public QueuePairInit {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(sendQueue, "sendQueue");
    Objects.requireNonNull(receiveQueue, "receiveQueue");
    Objects.requireNonNull(capabilities, "capabilities");
  }
}
