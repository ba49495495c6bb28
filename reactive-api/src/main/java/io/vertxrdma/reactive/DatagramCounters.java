package io.vertxrdma.reactive;

/**
 * Counts of one datagram socket at one moment; all 0 before it is bound.
 *
 * @param receivesPosted receives posted now: what may come at once without loss
 * @param receivesPostedTotal receives posted since the beginning
 * @param receivesExhausted how often the last posted receive was used up: from then until one was
 *     posted again the card dropped what came, uncounted
 * @param datagramsReceived datagrams that came
 * @param datagramsWaiting datagrams not handed over yet
 * @param sendsWaiting sends not posted yet
 * @param sendsOutstanding sends posted and not completed
 * @param sendsCompleted sends that succeeded
 * @param peers address handles that are open
 */
public record DatagramCounters(
    int receivesPosted,
    long receivesPostedTotal,
    long receivesExhausted,
    long datagramsReceived,
    int datagramsWaiting,
    int sendsWaiting,
    int sendsOutstanding,
    long sendsCompleted,
    int peers) {}
