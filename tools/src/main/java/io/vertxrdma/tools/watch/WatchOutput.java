package io.vertxrdma.tools.watch;

import io.vertxrdma.core.AsyncEvent;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/** Where a watch tells what it sees; on the event loop. */
interface WatchOutput {

  /**
   * From now on nothing is missed.
   *
   * @param devices names of the devices there are
   */
  void watching(Instant time, List<String> devices);

  /** A device has come. */
  void appeared(Instant time, String provider, String device);

  /** A device has gone. */
  void gone(Instant time, String provider, String device);

  /** A device told of something. */
  void event(Instant time, String provider, AsyncEvent event);

  /**
   * Counters of a port moved.
   *
   * @param moved differences, unsigned, of the counters that moved; not empty
   * @param seconds in how long; above 0
   */
  void moved(
      Instant time,
      String provider,
      String device,
      int port,
      SortedMap<String, Long> moved,
      double seconds);

  /** The devices of a provider can't be read now; it is tried again. */
  void unreadable(Instant time, String provider, String reason);

  /** The watch has ended. */
  void ended();
}
