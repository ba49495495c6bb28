package io.vertxrdma.demos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A {@code vertx-rdma} process that a script reads from and types to. */
public final class DemoProcess implements AutoCloseable {

  private static final int PATIENCE_SECONDS = 300;

  private final String name;
  private final Process process;
  private final Writer keyboard;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

  /**
   * Starts one.
   *
   * @param name for the transcript
   * @param shown gets every line it prints on either stream, as it prints it
   * @param arguments after {@code vertx-rdma}
   */
  public DemoProcess(String name, Consumer<String> shown, List<String> arguments) {
    this.name = name;
    try {
      process = new ProcessBuilder(command(arguments)).redirectErrorStream(true).start();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    keyboard = process.outputWriter(StandardCharsets.UTF_8);
    Thread reader = new Thread(() -> read(shown), "demo-" + name);
    reader.setDaemon(true);
    reader.start();
  }

  private static List<String> command(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    // Processes of one demonstration talk to each other: they share the soft provider's UDP port.
    System.getProperties().stringPropertyNames().stream()
        .filter(property -> property.startsWith("vertx.rdma.soft."))
        .forEach(property -> command.add("-D" + property + '=' + System.getProperty(property)));
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("io.vertxrdma.tools.Main");
    command.addAll(arguments);
    return command;
  }

  private void read(Consumer<String> shown) {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      String line;
      while ((line = output.readLine()) != null) {
        shown.accept(line);
        lines.add(line);
      }
    } catch (IOException ended) {
      lines.add(name + ": " + ended.getMessage());
    }
  }

  /** Types a line. */
  public void types(String line) {
    try {
      keyboard.write(line + "\n");
      keyboard.flush();
    } catch (IOException failure) {
      throw new UncheckedIOException(name + " is gone", failure);
    }
  }

  /** Says that nothing more is typed. */
  public void typesNoMore() {
    try {
      keyboard.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(name + " is gone", failure);
    }
  }

  /**
   * Waits until it prints a line that has the text; what it printed before is passed over.
   *
   * @return the line
   * @throws IllegalStateException when it does not within five minutes, or ends before
   */
  public String sees(String text) throws InterruptedException {
    return sees(text, line -> line.contains(text));
  }

  /**
   * Waits until it prints a line that fits.
   *
   * @param what for the one who reads that it did not
   * @throws IllegalStateException when it does not within five minutes, or ends before
   */
  public String sees(String what, Predicate<String> wanted) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (System.nanoTime() < deadline) {
      String line = lines.poll(200, TimeUnit.MILLISECONDS);
      if (line != null && wanted.test(line)) {
        return line;
      }
      if (line == null && !process.isAlive() && lines.isEmpty()) {
        throw new IllegalStateException(
            name + " ended with exit status " + process.exitValue() + " before it saw: " + what);
      }
    }
    throw new IllegalStateException(name + " never saw: " + what);
  }

  /** Waits for its end and returns the exit status. */
  public int exitStatus() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(name + " does not end");
    }
    return process.exitValue();
  }

  /** Kills it (SIGKILL where there are signals), and waits until it is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
