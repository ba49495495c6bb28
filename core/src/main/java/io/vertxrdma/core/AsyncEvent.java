package io.vertxrdma.core;

/**
 * One asynchronous event of a device.
 *
 * @param device the device
 * @param type what happened
 * @param rawType the native number
 * @param element the {@link QueuePair}, {@link CompletionQueue} or {@link SharedReceiveQueue} it is
 *     about, or null when it is about a port, the device, or an object this library did not make
 * @param port the port it is about, or 0
 */
public record AsyncEvent(
    DeviceContext device, AsyncEventType type, int rawType, Object element, int port) {

  @Override
  public String toString() {
    return type.nativeName()
        + " ("
        + rawType
        + ") on "
        + device.name()
        + (port == 0 ? "" : " port " + port)
        + (element == null ? "" : ", " + element);
  }
}
