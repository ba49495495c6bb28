package io.vertxrdma.cm;

/**
 * What a transition asks of the one who drives the connection. Terminal outcomes come once per
 * connection and are the signal for everything that ends with it.
 */
public enum Outcome {
  /** Make the native call of the stimulus. */
  PERFORM(false),
  /** Create the queue pair, then resolve the route. */
  PROCEED_TO_ROUTE(false),
  /** Send the request. */
  PROCEED_TO_CONNECT(false),
  /** Tell the application that the connection stands. */
  ESTABLISHED(false),
  /** Call rdma_disconnect and wait for the answer, up to the close deadline. */
  DISCONNECT(false),
  /** Nothing: a late, duplicate or foreign event. It was acked; log it at DEBUG. */
  IGNORE(false),
  /**
   * The call is not allowed now: throw {@link IllegalStateException}, make no native call. If the
   * connection has ended by itself before, fail the call with the reason for that instead.
   */
  ILLEGAL_CALL(false),

  /** The attempt failed; {@link CmFailures} has the typed error. */
  FAIL(true),
  /** The attempt took too long; {@link CmFailures#timeout}. */
  TIMED_OUT(true),
  /** The peer went away before the connection stood. */
  PEER_GONE(true),
  /** Reject the request, destroy the id. */
  REJECT(true),
  /** The peer closed an established connection: answer with rdma_disconnect, drain, destroy. */
  DISCONNECTED_BY_PEER(true),
  /** An established connection broke; {@link CmFailures} has the typed error. */
  LOST(true),
  /** The device goes away: everything on it must be destroyed. */
  DEVICE_REMOVED(true),
  /**
   * Closed by this end. A pending attempt fails with {@link
   * io.vertxrdma.core.ConnectionClosedException}; destroying the id tells the peer.
   */
  CLOSED(true),
  /** Closed by this end, but the peer never answered: WARN, destroy all the same. */
  CLOSE_TIMED_OUT(true);

  private final boolean terminal;

  Outcome(boolean terminal) {
    this.terminal = terminal;
  }

  /** Whether the connection is over with this outcome. */
  public boolean isTerminal() {
    return terminal;
  }
}
