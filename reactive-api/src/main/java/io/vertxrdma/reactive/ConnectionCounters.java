package io.vertxrdma.reactive;

/**
 * Counts of one connection at one moment.
 *
 * @param receivesPosted receives posted now: the credits the peer has, or with shared receives all
 *     peers together
 * @param receivesPostedTotal receives posted since the beginning, likewise
 * @param receivesExhausted how often this side saw that the last posted receive was used up, after
 *     which the peer had to wait (RNR) if it had more to send. At least so often: the device may be
 *     without a receive while completions of others wait to be polled, and get new ones before the
 *     last is seen. Every refusal is in the port's counters, see {@link
 *     io.vertxrdma.core.PortCounters}
 * @param immediatesReceived immediates that came
 * @param immediatesWaiting immediates not handed over yet
 * @param messagesReceived messages that came
 * @param messagesWaiting messages not handed over yet
 * @param operationsWaiting send operations not posted yet
 * @param operationsOutstanding send operations posted and not completed
 * @param operationsCompleted send operations that succeeded
 */
public record ConnectionCounters(
    int receivesPosted,
    long receivesPostedTotal,
    long receivesExhausted,
    long immediatesReceived,
    int immediatesWaiting,
    long messagesReceived,
    int messagesWaiting,
    int operationsWaiting,
    int operationsOutstanding,
    long operationsCompleted) {}
