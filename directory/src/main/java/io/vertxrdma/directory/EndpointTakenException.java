package io.vertxrdma.directory;

/** The same service is registered at the same host and port already, by a node that is there. */
public final class EndpointTakenException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String node;

  EndpointTakenException(RdmaEndpoint endpoint, String node) {
    super(
        endpoint
            + " is registered already, by "
            + (node.isEmpty() ? "this process" : "node " + node));
    this.node = node;
  }

  /** The node that registered it; empty when Vert.x is not clustered. */
  public String node() {
    return node;
  }
}
