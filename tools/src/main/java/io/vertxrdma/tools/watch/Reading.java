package io.vertxrdma.tools.watch;

import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortCounters;
import io.vertxrdma.core.RdmaProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The devices of a provider and their counters at one moment.
 *
 * @param nanoTime when
 * @param devices by name
 * @param counters of every port of every device
 */
record Reading(long nanoTime, Map<String, DeviceContext> devices, List<PortCounters> counters) {

  /** Reads; blocking: opens devices and files. */
  static Reading of(RdmaProvider provider, Pacer pacer) {
    Map<String, DeviceContext> devices = new LinkedHashMap<>();
    List<PortCounters> counters = new ArrayList<>();
    for (DeviceContext device : provider.devices()) {
      devices.put(device.name(), device);
      for (int port = 1; port <= device.attributes().portCount(); port++) {
        counters.add(device.readCounters(port));
      }
    }
    return new Reading(pacer.nanoTime(), devices, counters);
  }

  /** The counters of the same port in this reading; null when it isn't there. */
  PortCounters same(PortCounters other) {
    for (PortCounters each : counters) {
      if (each.port() == other.port() && each.device().equals(other.device())) {
        return each;
      }
    }
    return null;
  }
}
