package io.vertxrdma.core;

/**
 * The state and parameters of a queue pair as the device has them ({@code struct ibv_qp_attr},
 * ibv_query_qp(3)).
 *
 * @param state the state
 * @param pathMtu bytes of payload in one packet
 * @param remoteQueuePairNumber whom it is connected to
 * @param maxReadAtomic READ and ATOMIC requests it may have outstanding
 * @param maxDestinationReadAtomic READ and ATOMIC requests it serves at once
 * @param minRnrTimer code 0..31 of the wait it asks senders for
 * @param timeout local ACK timeout code, 4.096 µs × 2^code; 0 means none
 * @param retryCount 0..7
 * @param rnrRetryCount 0..7; 7 means no end
 */
public record QueuePairAttributes(
    QueuePairState state,
    int pathMtu,
    int remoteQueuePairNumber,
    int maxReadAtomic,
    int maxDestinationReadAtomic,
    int minRnrTimer,
    int timeout,
    int retryCount,
    int rnrRetryCount) {}
