package io.vertxrdma.cm;

/** Which end of a connection this is. */
public enum Role {
  /** The one who connects. */
  ACTIVE("rdma_connect", ConnectionState.IDLE),
  /** The one who listens and was asked. */
  PASSIVE("rdma_accept", ConnectionState.REQUESTED);

  private final String operation;
  private final ConnectionState initialState;

  Role(String operation, ConnectionState initialState) {
    this.operation = operation;
    this.initialState = initialState;
  }

  /**
   * The call by which this end gets its connection, {@code rdma_connect} or {@code rdma_accept}.
   */
  public String operation() {
    return operation;
  }

  /** The state in which a connection of this role begins. */
  public ConnectionState initialState() {
    return initialState;
  }
}
