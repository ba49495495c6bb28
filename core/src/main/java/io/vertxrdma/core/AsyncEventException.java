package io.vertxrdma.core;

/** The device reported, by an asynchronous event, that a queue is broken. */
public class AsyncEventException extends RdmaException {

  private final AsyncEventType type;

  /**
   * Makes the exception.
   *
   * @param event what the device reported
   * @param about the object that is broken, for example {@code queue pair 0x11}
   */
  public AsyncEventException(AsyncEvent event, String about) {
    super(
        AsyncEventType.OPERATION,
        event.rawType(),
        event.type().nativeName(),
        event.type().nativeName()
            + " ("
            + event.rawType()
            + "): "
            + event.type().text()
            + ", "
            + about
            + " of device "
            + event.device().name());
    this.type = event.type();
  }

  /** What the device reported. */
  public AsyncEventType type() {
    return type;
  }
}
