package io.vertxrdma.core;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The counters of a device port at one moment, by name. Names and meaning are the kernel's, from
 * {@code /sys/class/infiniband/DEVICE/ports/PORT/{counters,hw_counters}}; drivers differ in which
 * they have. Values only grow, but start at 0 when the device is made; they are unsigned 64-bit
 * numbers in a {@code long}.
 *
 * @param device the device's name
 * @param port the port, numbered from 1
 * @param values the counters, sorted by name; empty when the port has none that can be read
 */
public record PortCounters(String device, int port, SortedMap<String, Long> values) {

  /** Copies the values. */
  public PortCounters {
    Objects.requireNonNull(device, "device");
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  /** One counter, unsigned; empty when the port has none of that name. */
  public OptionalLong get(String name) {
    Long value = values.get(name);
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /**
   * How far counters have moved since another reading of the same port; those that have not moved
   * are left out. One that is smaller than before was reset in between: then its value counts.
   *
   * @throws IllegalArgumentException when the other reading is of another port
   */
  public SortedMap<String, Long> since(PortCounters earlier) {
    if (!device.equals(earlier.device) || port != earlier.port) {
      throw new IllegalArgumentException(
          "counters of "
              + device
              + " port "
              + port
              + " can't be compared with those of "
              + earlier.device
              + " port "
              + earlier.port);
    }
    SortedMap<String, Long> moved = new TreeMap<>();
    for (Map.Entry<String, Long> entry : values.entrySet()) {
      long now = entry.getValue();
      long before = earlier.values.getOrDefault(entry.getKey(), 0L);
      long difference = Long.compareUnsigned(now, before) < 0 ? now : now - before;
      if (difference != 0) {
        moved.put(entry.getKey(), difference);
      }
    }
    return moved;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(device).append(" port ").append(port).append(':');
    values.forEach(
        (name, value) ->
            text.append(' ').append(name).append('=').append(Long.toUnsignedString(value)));
    return text.toString();
  }
}
