package io.vertxrdma.core;

/** A queue has no room and the caller asked not to wait. */
public class QueueFullException extends RdmaException {

  /**
   * Makes the exception; for the parameters see {@link RdmaException}.
   *
   * @param operation what was tried
   * @param code the raw number
   * @param symbol its symbolic name
   * @param message the whole message
   */
  public QueueFullException(String operation, int code, String symbol, String message) {
    super(operation, code, symbol, message);
  }
}
