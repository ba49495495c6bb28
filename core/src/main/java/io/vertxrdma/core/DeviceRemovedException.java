package io.vertxrdma.core;

/** The device under the connection or listener was removed (RDMA_CM_EVENT_DEVICE_REMOVAL). */
public class DeviceRemovedException extends RdmaException {

  /**
   * Makes the exception; for the parameters see {@link RdmaException}.
   *
   * @param operation what was tried
   * @param code the raw number
   * @param symbol its symbolic name
   * @param message the whole message
   */
  public DeviceRemovedException(String operation, int code, String symbol, String message) {
    super(operation, code, symbol, message);
  }
}
