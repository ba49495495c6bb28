package io.vertxrdma.cm;

/**
 * How far a connection is. The active side goes {@link #IDLE} … {@link #CONNECTING}, the passive
 * side {@link #REQUESTED} and {@link #ACCEPTING}; the last three are common to both.
 */
public enum ConnectionState {
  /** Active: nothing asked of the CM yet; the host name may be under lookup. */
  IDLE("before resolving the address"),
  /** Active: waits for ADDR_RESOLVED. */
  RESOLVING_ADDRESS("while resolving the address"),
  /** Active: the device is known, the queue pair is being created. */
  ADDRESS_RESOLVED("after resolving the address"),
  /** Active: waits for ROUTE_RESOLVED. */
  RESOLVING_ROUTE("while resolving the route"),
  /** Active: the path is known, the request not yet sent. */
  ROUTE_RESOLVED("after resolving the route"),
  /** Active: the request is sent; waits for ESTABLISHED. */
  CONNECTING("while connecting"),
  /** Passive: a peer asks; the application has not answered. */
  REQUESTED("while the request awaits an answer"),
  /**
   * Passive: the application accepted; waits for ESTABLISHED. The queue pair already receives: data
   * may come before the event (rdma_accept(3)).
   */
  ACCEPTING("while accepting"),
  /** The connection stands. */
  ESTABLISHED("while connected"),
  /** Closed by this end; waits for the peer's answer. */
  DISCONNECTING("while disconnecting"),
  /** Over, whatever the reason; nothing leads out of here. */
  CLOSED("after the end");

  private final String words;

  ConnectionState(String words) {
    this.words = words;
  }

  /** For messages, for example {@code while resolving the route}. */
  public String words() {
    return words;
  }

  /** Whether the connection is over. */
  public boolean isTerminal() {
    return this == CLOSED;
  }

  /** Whether someone waits for the connection to stand. */
  public boolean isAttempt() {
    return ordinal() < ESTABLISHED.ordinal();
  }

  /** Whether data may arrive: also before ESTABLISHED at the passive side. */
  public boolean mayReceive() {
    return this == ACCEPTING || this == ESTABLISHED;
  }

  /** Whether sends may be posted. */
  public boolean maySend() {
    return this == ESTABLISHED;
  }
}
