package io.vertxrdma.benchmarks.endtoend;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The connection benchmark of rdmacm-utils, in C: a server process and a client process that takes
 * all connections through one step before any of them begins the next.
 */
final class CmTime {

  private static final int SECONDS = 300;
  private static final Pattern STEP =
      Pattern.compile("(?m)^([a-z][a-z ]*[a-z]) *: +([0-9.]+) +[0-9.]+ +[0-9.]+ +[0-9.]+$");

  private final String address;
  private final int port;

  CmTime(String address, int port) {
    this.address = address;
    this.port = port;
  }

  /** Milliseconds of each step, over all connections. */
  Map<String, Double> run(int connections) throws IOException, InterruptedException {
    String count = Integer.toString(connections);
    String there = Integer.toString(port);
    Process server =
        new ProcessBuilder("cmtime", "-b", address, "-c", count, "-p", there)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      awaitListener(server);
      return steps(output(new ProcessBuilder("cmtime", "-s", address, "-c", count, "-p", there)));
    } finally {
      // It waits for the end of connections whose end its client no longer waits for.
      server.destroyForcibly().waitFor();
    }
  }

  /** Its output is of no use for this: it says nothing while nobody comes. */
  private void awaitListener(Process server) throws IOException, InterruptedException {
    Pattern listener = Pattern.compile("(?m)^.*LISTEN.*:" + port + "\\b.*$");
    while (!listener
        .matcher(output(new ProcessBuilder("rdma", "resource", "show", "cm_id")))
        .find()) {
      if (!server.isAlive()) {
        throw new IOException("cmtime's server ended with " + server.exitValue());
      }
      Thread.sleep(50);
    }
  }

  private static String output(ProcessBuilder program) throws IOException, InterruptedException {
    Process process = program.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    // A client that hangs would never close its output.
    ProcessHandle handle = process.toHandle();
    Thread limit =
        new Thread(
            () -> {
              try {
                if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                  handle.destroyForcibly();
                }
              } catch (InterruptedException ended) {
                // No longer wanted.
              }
            });
    limit.setDaemon(true);
    limit.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    limit.interrupt();
    if (exit != 0) {
      throw new IOException(program.command() + " ended with " + exit + ": " + text);
    }
    return text;
  }

  /** Milliseconds of each step in what a client printed. */
  static Map<String, Double> steps(String text) throws IOException {
    Map<String, Double> steps = new LinkedHashMap<>();
    Matcher matcher = STEP.matcher(text);
    while (matcher.find()) {
      steps.put(matcher.group(1), Double.valueOf(matcher.group(2)));
    }
    if (!steps.keySet().containsAll(List.of("connect", "disconnect", "destroy"))) {
      throw new IOException("not what cmtime of rdmacm-utils 44 prints: " + text);
    }
    return steps;
  }
}
