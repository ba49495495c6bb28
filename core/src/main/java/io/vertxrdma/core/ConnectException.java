package io.vertxrdma.core;

/** Connecting failed for a local or protocol reason (RDMA_CM_EVENT_CONNECT_ERROR and the like). */
public class ConnectException extends RdmaException {

  /**
   * Makes the exception; for the parameters see {@link RdmaException}.
   *
   * @param operation what was tried
   * @param code the raw number
   * @param symbol its symbolic name
   * @param message the whole message
   */
  public ConnectException(String operation, int code, String symbol, String message) {
    super(operation, code, symbol, message);
  }
}
