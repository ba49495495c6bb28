package io.vertxrdma.benchmarks.endtoend;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The plain C peer of the system tests, a process for one exchange: the yardstick. */
final class CPeer implements AutoCloseable {

  /** The port it always uses. */
  static final int PORT = 18_515;

  private static final int SECONDS = 120;
  private static final Pattern FIGURE =
      Pattern.compile("(?:half round trip ([0-9.]+) us|, ([0-9]+) immediates/s)$");

  private final Process process;
  private final BufferedReader out;

  /**
   * Starts it.
   *
   * @param program where it is
   * @param role {@code server} or {@code client}
   * @param count immediates, or round trips
   * @param length bytes of each write
   */
  CPeer(Path program, String role, String address, int count, int length, PeerKind kind)
      throws IOException {
    process =
        new ProcessBuilder(
                program.toString(),
                role,
                address,
                Integer.toString(count),
                Integer.toString(length),
                kind.mode(),
                kind.waiting())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
  }

  /** Waits until a client may come. */
  void awaitListening() throws IOException {
    String line = out.readLine();
    if (!"listening".equals(line)) {
      throw new IOException("the C peer does not listen but says " + line);
    }
  }

  /** Waits for its end; what it measured, or NaN when it was the other side's turn to. */
  double figure() throws IOException, InterruptedException {
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("the C peer is not done after " + SECONDS + " seconds");
    }
    String last = "";
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      last = line;
    }
    if (process.exitValue() != 0) {
      throw new IOException("the C peer ended with " + process.exitValue());
    }
    return figure(last);
  }

  /** The figure in a line of its output. */
  static double figure(String line) {
    Matcher matcher = FIGURE.matcher(line);
    if (!matcher.find()) {
      return Double.NaN;
    }
    return Double.parseDouble(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
