package io.vertxrdma.core;

/** The port is taken. */
public class AddressInUseException extends AddressException {

  /**
   * Makes the exception; for the parameters see {@link RdmaException}.
   *
   * @param operation what was tried
   * @param code the raw number
   * @param symbol its symbolic name
   * @param message the whole message
   */
  public AddressInUseException(String operation, int code, String symbol, String message) {
    super(operation, code, symbol, message);
  }
}
