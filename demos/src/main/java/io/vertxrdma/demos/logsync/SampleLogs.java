package io.vertxrdma.demos.logsync;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes logs to ship: lines of varying length, the same in every run. */
final class SampleLogs {

  private static final String[] LEVELS = {"DEBUG", "INFO", "INFO", "INFO", "WARN", "ERROR"};

  private SampleLogs() {}

  /**
   * Writes logs of about the same size, none of which ends with a whole segment.
   *
   * @param size bytes of each, about
   */
  static List<Path> write(Path directory, int count, long size) throws IOException {
    Files.createDirectories(directory);
    List<Path> logs = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      Path log = directory.resolve("app-" + i + ".log");
      write(log, new Random(i), size);
      logs.add(log);
    }
    return logs;
  }

  private static void write(Path log, Random random, long size) throws IOException {
    try (BufferedWriter writer = Files.newBufferedWriter(log)) {
      long written = 0;
      for (int line = 1; written < size; line++) {
        String text =
            line
                + " "
                + LEVELS[random.nextInt(LEVELS.length)]
                + " request "
                + Long.toHexString(random.nextLong())
                + " took "
                + random.nextInt(1_000)
                + " ms"
                + ", retried".repeat(random.nextInt(5))
                + "\n";
        writer.write(text);
        written += text.length();
      }
    }
  }
}
