package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.PortCounters;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the counters of a port where the kernel shows them: one file for each, a number in it
 * (Documentation/ABI/stable/sysfs-class-infiniband).
 */
final class SysfsCounters {

  /** The system property with another folder than {@code /sys/class/infiniband}. */
  static final String ROOT_PROPERTY = "vertx.rdma.sysfs";

  private static final Logger LOG = LoggerFactory.getLogger(SysfsCounters.class);
  private static final String DEFAULT_ROOT = "/sys/class/infiniband";

  /** Not a counter: how long, in milliseconds, the kernel answers from memory. */
  private static final String LIFESPAN = "lifespan";

  /** Folders with a file for each kind of message; their sum is the counter. */
  private static final Set<String> SUMS =
      Set.of("cm_tx_msgs", "cm_tx_retries", "cm_rx_msgs", "cm_rx_duplicates");

  private final Path root;

  SysfsCounters(Path root) {
    this.root = root;
  }

  static SysfsCounters ofSystem() {
    return new SysfsCounters(Path.of(System.getProperty(ROOT_PROPERTY, DEFAULT_ROOT)));
  }

  PortCounters read(String device, int port) {
    Path folder = root.resolve(device).resolve("ports").resolve(Integer.toString(port));
    SortedMap<String, Long> values = new TreeMap<>();
    readAll(folder.resolve("counters"), values);
    readAll(folder.resolve("hw_counters"), values);
    for (String name : SUMS) {
      SortedMap<String, Long> parts = new TreeMap<>();
      readAll(folder.resolve(name), parts);
      if (!parts.isEmpty()) {
        values.put(name, parts.values().stream().mapToLong(Long::longValue).sum());
      }
    }
    return new PortCounters(device, port, values);
  }

  private static void readAll(Path folder, SortedMap<String, Long> into) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        readOne(file, into);
      }
    } catch (IOException failure) {
      LOG.debug("{}: {}", folder, failure.toString());
    }
  }

  /** Some files hold no number, for example "N/A (no PMA)", or answer EINVAL: left out. */
  private static void readOne(Path file, SortedMap<String, Long> into) {
    String name = file.getFileName().toString();
    if (name.equals(LIFESPAN)) {
      return;
    }
    try {
      into.put(name, Long.parseUnsignedLong(Files.readString(file).strip()));
    } catch (IOException | NumberFormatException unreadable) {
      LOG.debug("{}: {}", file, unreadable.toString());
    }
  }
}
