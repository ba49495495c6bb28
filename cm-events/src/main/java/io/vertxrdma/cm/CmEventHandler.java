package io.vertxrdma.cm;

import io.vertxrdma.core.CmEvent;

/**
 * Takes the events of the {@link io.vertxrdma.core.CmId} it is attached to, on the event loop. For
 * a listener that is every CONNECT_REQUEST; the new id has no handler until it is given one.
 */
@FunctionalInterface
public interface CmEventHandler {

  /** Handles one event; already acknowledged. */
  void handle(CmEvent event);
}
