package io.vertxrdma.soft;

import io.vertxrdma.core.CmEvent;

/** An event that waits to be read. What reading it does happens in the reader's thread. */
abstract class PendingEvent {

  private final SoftCmId owner;

  /**
   * Makes an event.
   *
   * @param owner the id it counts on: with a request, the listener
   */
  PendingEvent(SoftCmId owner) {
    this.owner = owner;
  }

  final SoftCmId owner() {
    return owner;
  }

  /** The event, or null when it has become pointless. */
  abstract CmEvent read();

  /** It will not be read: its owner is closed. */
  void drop() {
    // Most have nothing to give back.
  }
}
