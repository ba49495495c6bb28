package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The programs of perftest, connecting with {@code -R}, on the kernel's rxe; we are the other end.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
abstract class PerftestInterop {

  private static final int PORT = 18515;

  private final String address;
  private OurSide ours;

  /** On a provider that listens on that address. */
  PerftestInterop(String address) {
    this.address = address;
  }

  /** Starts it. */
  abstract OurSide start() throws Exception;

  final OurSide ours() {
    return ours;
  }

  @BeforeAll
  void start_our_side() throws Exception {
    ours = start();
    // perftest spins on one of the guest's few processors: what a JVM loads first, it loads before.
    ours.does("refusal connect " + Command.ADDRESS + " 7399 hello", "^reason 8, ");
  }

  @AfterAll
  void end_our_side() {
    if (ours != null) {
      ours.close();
    }
  }

  private static Command perftest(String program, int iterations, int size, String... server)
      throws Exception {
    List<String> command =
        new ArrayList<>(List.of(program, "-R", "-d", "rxe0", "-n", String.valueOf(iterations)));
    if (!program.startsWith("ib_atomic")) {
      command.addAll(List.of("-s", String.valueOf(size)));
    }
    command.addAll(List.of(server));
    return Command.program(program, command.toArray(String[]::new));
  }

  private static String part(
      String program, String role, String address, int iterations, int size) {
    return String.join(
        " ",
        program,
        role,
        address,
        String.valueOf(PORT),
        String.valueOf(iterations),
        String.valueOf(size));
  }

  /** The line with bytes, iterations and figures, of which the last one must be above zero. */
  private static void requireResult(Command program, int iterations, int size) {
    List<String> results =
        program.out().stream()
            .map(String::strip)
            .filter(line -> line.matches(size + "\\s+" + iterations + "\\s+[0-9.\\s]+"))
            .toList();
    assertThat(results).as(program.transcript()).hasSize(1);
    assertThat(results.get(0).split("\\s+"))
        .allSatisfy(figure -> assertThat(Double.parseDouble(figure)).isNotNegative());
    System.out.println(results.get(0));
  }

  final void serve(String program, int iterations, int size, String answer) throws Exception {
    Command client =
        ours.serves(
            part(program, "serve", address, iterations, size),
            answer,
            () -> perftest(program, iterations, size, address));
    requireResult(client, iterations, size);
  }

  private Command ask(String program, int iterations, int size) throws Exception {
    return ours.connects(
        part(program, "connect", Command.ADDRESS, iterations, size),
        "^" + iterations + " of " + size + " bytes done$",
        perftest(program, iterations, size).listensOn(PORT));
  }

  @ParameterizedTest(name = "{0}, {1} of {2} bytes")
  @CsvSource({
    "ib_send_bw, 64, 4096, messages of 4096 bytes came",
    "ib_send_lat, 20, 64, messages of 64 bytes came",
    "ib_write_lat, 20, 3000, writes of 3000 bytes came"
  })
  void everything_perftest_sends_arrives(String program, int iterations, int size, String answer)
      throws Exception {
    serve(program, iterations, size, "^" + iterations + " " + answer + ", reported: none$");
  }

  @Test
  void ib_write_bw_writes_our_memory() throws Exception {
    serve("ib_write_bw", 64, 8192, "^the memory was written, reported: 64 of 8192 bytes$");
  }

  @Test
  void each_add_of_ib_atomic_lat_counts_once() throws Exception {
    serve("ib_atomic_lat", 20, 8, "^counted 20, reported: none$");
  }

  @Test
  void each_add_of_ib_atomic_bw_counts_once() throws Exception {
    serve("ib_atomic_bw", 100, 8, "^counted 100, reported: 100 of 8 bytes$");
  }

  /** The servers that print how much came. */
  @ParameterizedTest(name = "{0}, {1} of {2} bytes")
  @CsvSource({"ib_send_bw, 64, 4096", "ib_send_lat, 10, 64", "ib_write_lat, 20, 3000"})
  void everything_we_send_arrives_at_perftest(String program, int iterations, int size)
      throws Exception {
    requireResult(ask(program, iterations, size), iterations, size);
  }

  /** That server prints what we report. */
  @Test
  void ib_write_bw_takes_our_writes_and_our_report() throws Exception {
    requireResult(ask("ib_write_bw", 64, 8192), 64, 8192);
  }

  @Test
  void we_read_the_same_random_bytes_from_ib_read_bw_each_time() throws Exception {
    requireResult(ask("ib_read_bw", 20, 8192), 20, 8192);
  }

  @Test
  void each_of_our_adds_counts_once_at_ib_atomic_lat() throws Exception {
    ask("ib_atomic_lat", 20, 8);
  }
}
