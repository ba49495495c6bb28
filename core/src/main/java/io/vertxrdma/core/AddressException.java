package io.vertxrdma.core;

/** An address can't be used for RDMA: no device has it, or nothing leads there. */
public class AddressException extends RdmaException {

  /**
   * Makes the exception; for the parameters see {@link RdmaException}.
   *
   * @param operation what was tried
   * @param code the raw number
   * @param symbol its symbolic name
   * @param message the whole message
   */
  public AddressException(String operation, int code, String symbol, String message) {
    super(operation, code, symbol, message);
  }
}
