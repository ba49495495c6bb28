package io.vertxrdma.core;

/** The connection, or the peer that asked for it, is gone. */
public class ConnectionClosedException extends RdmaException {

  /**
   * Makes the exception; for the parameters see {@link RdmaException}.
   *
   * @param operation what was tried
   * @param code the raw number
   * @param symbol its symbolic name
   * @param message the whole message
   */
  public ConnectionClosedException(String operation, int code, String symbol, String message) {
    super(operation, code, symbol, message);
  }
}
