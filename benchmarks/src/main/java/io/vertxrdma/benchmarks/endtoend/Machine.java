package io.vertxrdma.benchmarks.endtoend;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

/** Where and when figures were measured. */
public final class Machine {

  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  private Machine() {}

  /** Figures with the machine they are from. */
  public static JsonObject json(List<Measurement> measured) {
    return new JsonObject().put("machine", json()).put("figures", Measurement.json(measured));
  }

  /** This machine, now. */
  public static JsonObject json() {
    return new JsonObject()
        .put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
        .put("java", System.getProperty("java.vm.name") + " " + Runtime.version())
        .put("flags", flags())
        .put(
            "system",
            System.getProperty("os.name")
                + " "
                + System.getProperty("os.version")
                + " "
                + System.getProperty("os.arch"))
        .put("processor", processor())
        .put("processors", Runtime.getRuntime().availableProcessors())
        // Of the last minute; the benchmark's own is in it.
        .put("load", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  /** How the JVM was started, class path left out. */
  public static String flags() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("-X"))
        .collect(Collectors.joining(" "));
  }

  private static String processor() {
    try {
      return Files.readAllLines(PROCESSORS).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("");
    } catch (IOException unknown) {
      return "";
    }
  }
}
