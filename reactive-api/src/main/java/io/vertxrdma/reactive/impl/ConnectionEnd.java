package io.vertxrdma.reactive.impl;

import io.vertxrdma.cm.ConnectionState;

/**
 * The end of one connection or attempt, in stages. On the event loop.
 *
 * <p>They are the same whatever the reason: the state machine gives its one terminal outcome;
 * nothing is posted any more; the queue pair is in error and its work flushes, up to the close
 * timeout; queue pair and id are destroyed on a worker; room in the completion queue is given back;
 * last, whoever waits is told.
 */
final class ConnectionEnd {

  /** A NAK takes microseconds; this is for busy machines that are devices in software. */
  private static final long NAK_MILLIS = 100;

  private final ConnectionImpl connection;
  private final Deadline deadline;
  private ConnectionState endedIn;
  private Throwable failure;
  private boolean peerIsTold;
  private Teardown teardown;

  ConnectionEnd(ConnectionImpl connection, Deadline deadline) {
    this.connection = connection;
    this.deadline = deadline;
  }

  /** This side's device answers the peer with the reason, a NAK. */
  void peerIsTold() {
    peerIsTold = true;
  }

  /** The state it ended in, or null before that. */
  ConnectionState endedIn() {
    return endedIn;
  }

  /** Why it ended, or null. */
  Throwable failure() {
    return failure;
  }

  /** The state machine's terminal outcome. */
  void because(ConnectionState before, Throwable cause) {
    endedIn = before;
    failure = cause;
  }

  /** Nothing is posted any more. */
  void begin() {
    if (endedIn == ConnectionState.ESTABLISHED && peerIsTold) {
      // Nothing orders the NAK before a DREQ, and a peer that sees the DREQ first never learns why.
      deadline.start(NAK_MILLIS, this::tearDown);
    } else {
      tearDown();
    }
  }

  private void tearDown() {
    boolean wasEstablished = endedIn == ConnectionState.ESTABLISHED;
    if (wasEstablished) {
      // Answers the peer, and puts the queue pair in error so that everything flushes.
      connection.disconnectNative();
    }
    connection
        .building()
        .onComplete(
            built -> {
              teardown =
                  new Teardown(
                      connection.endpoint(),
                      connection.id(),
                      connection.dataPath(),
                      connection::released);
              teardown.start(wasEstablished || endedIn == ConnectionState.DISCONNECTING);
            });
  }

  /** Some completions came: goes on if they were the last. */
  void check() {
    if (teardown != null) {
      teardown.check();
    }
  }
}
