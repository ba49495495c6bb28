package io.vertxrdma.cm;

import io.vertxrdma.core.AsyncEvent;

/** Takes asynchronous events of devices, on an event loop. */
public interface AsyncEventHandler {

  /** Handles an event; it is acknowledged already. */
  void handle(AsyncEvent event);
}
