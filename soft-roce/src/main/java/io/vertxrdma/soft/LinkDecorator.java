package io.vertxrdma.soft;

import io.vertxrdma.soft.io.Link;
import io.vertxrdma.soft.io.Timers;

/** Wraps the link of a device, for example into one that loses packets. */
@FunctionalInterface
public interface LinkDecorator {

  /** Wraps nothing. */
  LinkDecorator NONE = (link, timers) -> link;

  /**
   * The link to use instead.
   *
   * @param link the device's
   * @param timers on its event loop
   */
  Link decorate(Link link, Timers timers);
}
