package io.vertxrdma.reactive;

/**
 * Counts of one connection at one moment.
 *
 * @param receivesPosted receives posted now: the credits the peer has
 * @param receivesPostedTotal receives posted since the beginning
 * @param immediatesReceived immediates that came
 * @param immediatesWaiting immediates not handed over yet
 * @param operationsWaiting send operations not posted yet
 * @param operationsOutstanding send operations posted and not completed
 * @param operationsCompleted send operations that succeeded
 */
public record ConnectionCounters(
    int receivesPosted,
    long receivesPostedTotal,
    long immediatesReceived,
    int immediatesWaiting,
    int operationsWaiting,
    int operationsOutstanding,
    long operationsCompleted) {}
