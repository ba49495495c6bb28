package io.vertxrdma.demos.chat;

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

/** A {@code vertx-rdma chat} process that a script types to and reads from. */
final class ChatProcess implements AutoCloseable {

  private static final int PATIENCE_SECONDS = 60;

  private final String name;
  private final Process process;
  private final Writer keyboard;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

  /**
   * Starts one.
   *
   * @param name for the transcript
   * @param shown gets every line it prints, as it prints it
   * @param arguments after {@code vertx-rdma}
   */
  ChatProcess(String name, Consumer<String> shown, List<String> arguments) {
    this.name = name;
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add("io.vertxrdma.tools.Main");
    command.addAll(arguments);
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    keyboard = process.outputWriter(StandardCharsets.UTF_8);
    Thread reader = new Thread(() -> read(shown), "chat-demo-" + name);
    reader.setDaemon(true);
    reader.start();
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
  void types(String line) {
    try {
      keyboard.write(line + "\n");
      keyboard.flush();
    } catch (IOException failure) {
      throw new UncheckedIOException(name + " is gone", failure);
    }
  }

  /**
   * Waits until it prints a line that has the text.
   *
   * @throws IllegalStateException when it does not within a minute, or ends before
   */
  void sees(String text) {
    try {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (System.nanoTime() < deadline) {
        String line = lines.poll(200, TimeUnit.MILLISECONDS);
        if (line != null && line.contains(text)) {
          return;
        }
        if (line == null && !process.isAlive() && lines.isEmpty()) {
          throw new IllegalStateException(
              name + " ended with exit status " + process.exitValue() + " before it saw: " + text);
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    throw new IllegalStateException(name + " never saw: " + text);
  }

  /** Waits for its end and returns the exit status. */
  int exitStatus() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(name + " does not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
