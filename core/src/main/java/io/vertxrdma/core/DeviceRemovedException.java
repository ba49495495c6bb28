package io.vertxrdma.core;

/**
 * The device under the connection or listener was removed (RDMA_CM_EVENT_DEVICE_REMOVAL) or failed
 * as a whole (IBV_EVENT_DEVICE_FATAL).
 */
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

  /** The device reported that it failed as a whole. */
  public static DeviceRemovedException of(AsyncEvent event) {
    return new DeviceRemovedException(
        AsyncEventType.OPERATION,
        event.rawType(),
        event.type().nativeName(),
        event.type().nativeName()
            + " ("
            + event.rawType()
            + "): device "
            + event.device().name()
            + " failed");
  }
}
