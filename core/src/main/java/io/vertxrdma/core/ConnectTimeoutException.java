package io.vertxrdma.core;

/** A step of connecting, or all of it, took longer than its deadline. */
public class ConnectTimeoutException extends RdmaException {

  /**
   * Makes the exception; for the parameters see {@link RdmaException}.
   *
   * @param operation what was tried
   * @param code the raw number
   * @param symbol its symbolic name
   * @param message the whole message
   */
  public ConnectTimeoutException(String operation, int code, String symbol, String message) {
    super(operation, code, symbol, message);
  }
}
