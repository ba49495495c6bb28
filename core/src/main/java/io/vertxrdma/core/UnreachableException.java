package io.vertxrdma.core;

/** The peer does not answer (RDMA_CM_EVENT_UNREACHABLE). */
public class UnreachableException extends RdmaException {

  /**
   * Makes the exception; for the parameters see {@link RdmaException}.
   *
   * @param operation what was tried
   * @param code the raw number
   * @param symbol its symbolic name
   * @param message the whole message
   */
  public UnreachableException(String operation, int code, String symbol, String message) {
    super(operation, code, symbol, message);
  }
}
