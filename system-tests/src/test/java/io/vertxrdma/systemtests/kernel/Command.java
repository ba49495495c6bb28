package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.vertxrdma.core.Availability;
import io.vertxrdma.core.RdmaProviders;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A process under test: what it prints can be waited for, what it reads can be typed. */
final class Command implements AutoCloseable {

  /** How long anything may take: the guest is emulated, and a JVM alone takes its time there. */
  static final int TIMEOUT_SECONDS = 300;

  /** The address of the device under test. */
  static final String ADDRESS = System.getProperty("vertx.rdma.test.address", "10.77.0.1");

  /** The far end of its wire, where the kernel has no RDMA. */
  static final String SOFT_ADDRESS = "10.77.0.2";

  /** The same by IPv6. */
  static final String SOFT_ADDRESS_6 = "fd77::2";

  private final String name;
  private final Process process;
  private final Lines out;
  private final Lines err;

  /** The lines of one stream, read as they come. */
  private static final class Lines implements Runnable {

    private final BufferedReader reader;
    private final List<String> lines = new ArrayList<>();
    private final Thread thread;
    private int seen;
    private boolean ended;

    Lines(String name, InputStream stream) {
      reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
      thread = new Thread(this, name);
      thread.setDaemon(true);
      thread.start();
    }

    @Override
    public void run() {
      try {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          synchronized (this) {
            lines.add(line);
            notifyAll();
          }
        }
      } catch (IOException closed) {
        // A stream that can't be read has ended.
      } finally {
        synchronized (this) {
          ended = true;
          notifyAll();
        }
      }
    }

    /** The next line that fits; null when the stream or the patience ends without. */
    synchronized String await(Predicate<String> wanted) throws InterruptedException {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
      while (true) {
        while (seen < lines.size()) {
          String line = lines.get(seen++);
          if (wanted.test(line)) {
            return line;
          }
        }
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (ended || left <= 0) {
          return null;
        }
        wait(left);
      }
    }

    synchronized List<String> all() {
      return List.copyOf(lines);
    }
  }

  private Command(String name, List<String> arguments) throws IOException {
    this.name = name;
    this.process = new ProcessBuilder(arguments).start();
    this.out = new Lines(name + "-out", process.getInputStream());
    this.err = new Lines(name + "-err", process.getErrorStream());
  }

  /** Fails, and never skips, when these tests run where they can't. */
  static void requireNativeProvider() {
    Availability availability = RdmaProviders.named("native").availability();
    assertThat(availability.isAvailable())
        .as(
            "the native provider works here, %s; ./verify runs these tests in the guest",
            availability)
        .isTrue();
  }

  /** Starts {@code vertx-rdma} in a JVM of its own, from the class path of the tests. */
  static Command vertxRdma(String name, String... arguments) throws IOException {
    List<String> command = javaCommand();
    command.add("io.vertxrdma.tools.Main");
    command.addAll(List.of(arguments));
    // Not left to the automatic choice: a test on another provider would prove nothing.
    command.addAll(List.of("--provider", "native"));
    return new Command(name, command);
  }

  /** Starts a class of the tests in a JVM of its own. */
  static Command java(String name, Class<?> main, String... arguments) throws IOException {
    List<String> command = javaCommand();
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new Command(name, command);
  }

  private static List<String> javaCommand() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx256m"));
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    return command;
  }

  /** Starts a program from the PATH. */
  static Command program(String name, String... command) throws IOException {
    return new Command(name, List.of(command));
  }

  /** Starts a class of the tests in a JVM of its own, through another program if one is given. */
  static Command java(
      String name, List<String> through, List<String> options, String main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(through);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    command.addAll(List.of(arguments));
    return new Command(name, command);
  }

  /**
   * Starts {@link io.vertxrdma.systemtests.interop.ProviderPeer} in the network namespace {@code
   * peer}, the far end of the wire of the device under test.
   */
  static Command softPeer() throws IOException {
    return java(
        "soft peer",
        List.of("ip", "netns", "exec", "peer"),
        List.of("-Dvertx.rdma.soft.addresses=" + SOFT_ADDRESS + ',' + SOFT_ADDRESS_6),
        "io.vertxrdma.systemtests.interop.ProviderPeer",
        "soft");
  }

  /** The same of the native provider, beside the programs it speaks with. */
  static Command nativePeer() throws IOException {
    return java(
        "native peer",
        List.of(),
        List.of(),
        "io.vertxrdma.systemtests.interop.ProviderPeer",
        "native");
  }

  /** Starts the C peer. */
  static Command peer(String name, String... arguments) throws IOException {
    String path = System.getProperty("vertx.rdma.test.peer");
    assertThat(path).as("system property vertx.rdma.test.peer").isNotNull();
    assertThat(Files.isExecutable(Path.of(path))).as("the C peer %s is there", path).isTrue();
    List<String> command = new ArrayList<>(List.of(path));
    command.addAll(List.of(arguments));
    return new Command(name, command);
  }

  /** Types lines. */
  Command types(String... lines) {
    try {
      for (String line : lines) {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      }
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " reads no more: " + transcript(), e);
    }
    return this;
  }

  /** Waits for a line on standard output; what comes before it is passed over. */
  Command sees(String line) throws InterruptedException {
    seesLine("'" + line + "'", line::equals);
    return this;
  }

  /** Waits for a line that fits, and returns it. */
  String seesLine(String what, Predicate<String> wanted) throws InterruptedException {
    String found = out.await(wanted);
    return found != null ? found : fail("%s never showed %s: %s", name, what, transcript());
  }

  /** Waits until it says, wherever it does, that it listens. */
  Command listens(boolean onStandardError) throws InterruptedException {
    String found = (onStandardError ? err : out).await(line -> line.startsWith("listening"));
    assertThat(found).as("%s listens: %s", name, transcript()).isNotNull();
    return this;
  }

  /** Waits until it listens on a port of the kernel's, for programs that don't say so. */
  Command listensOn(int port) {
    Awaitility.await(name + " listens")
        .atMost(Duration.ofSeconds(TIMEOUT_SECONDS))
        .until(
            () -> {
              assertThat(process.isAlive()).as(transcript()).isTrue();
              Process listing = new ProcessBuilder("rdma", "resource", "show", "cm_id").start();
              try (InputStream lines = listing.getInputStream()) {
                return new String(lines.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .anyMatch(line -> line.contains(":" + port) && line.contains("LISTEN"));
              }
            });
    return this;
  }

  /** Waits for its end. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      fail("%s does not end: %s", name, transcript());
    }
    out.thread.join(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
    err.thread.join(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
    return process.exitValue();
  }

  /** Sends a signal that Java has no method for. */
  Command signal(String signal) throws IOException, InterruptedException {
    assertThat(
            new ProcessBuilder("bash", "-c", "kill -" + signal + " " + process.pid())
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
    return this;
  }

  /** All lines of standard output so far. */
  List<String> out() {
    return out.all();
  }

  /** All lines of standard error so far. */
  List<String> err() {
    return err.all();
  }

  /** What it printed so far, for the one who reads of a failure. */
  String transcript() {
    return name
        + (process.isAlive() ? " (running)" : " (exit " + process.exitValue() + ")")
        + "\n  out: "
        + String.join("\n       ", out())
        + "\n  err: "
        + String.join("\n       ", err());
  }

  /** Ends it, however. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
