package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code vertx-rdma bench} against the plain C peer, as server and as client. Prints the figures
 * with their ratio to C against C; what is asserted is that every immediate came, in order.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class BenchInteropTest {

  private static final String COUNT = "10000";
  private static final String LENGTH = "8";
  private static final Pattern FIGURE =
      Pattern.compile(
          "(pingpong|rate) (event|poll|spin): 10000 of 8 bytes, "
              + "(?:half round trip ([0-9.]+) us|([0-9]+) immediates/s)");

  private final Map<String, Double> betweenCs = new HashMap<>();

  @BeforeAll
  static void there_is_a_device() {
    Command.requireNativeProvider();
  }

  private static Command peer(String role, String mode, String how) throws Exception {
    return Command.peer("C " + role, role, Command.ADDRESS, COUNT, LENGTH, mode, how);
  }

  private static Command bench(String side, String mode, String how) throws Exception {
    String[] arguments = {
      "bench",
      side,
      "--address",
      Command.ADDRESS,
      "--count",
      COUNT,
      "--length",
      LENGTH,
      "--mode",
      mode,
      "--timeout",
      String.valueOf(Command.TIMEOUT_SECONDS - 20),
      how.equals("spin") ? "--spin" : "--spin=0"
    };
    return Command.vertxRdma("bench " + side, arguments);
  }

  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource({"pingpong, event", "rate, event"})
  void a_C_client_measures_against_us(String mode, String how) throws Exception {
    String peerHow = how.equals("spin") ? "poll" : how;
    try (Command server = bench("serve", mode, how).listens(true);
        Command client = peer("client", mode, peerHow)) {
      conclude("C client, Java server", mode, how, server, client);
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource({"pingpong, event", "rate, event", "pingpong, spin"})
  void we_measure_against_a_C_server(String mode, String how) throws Exception {
    String peerHow = how.equals("spin") ? "poll" : how;
    try (Command server = peer("server", mode, peerHow).listens(false);
        Command client = bench("connect", mode, how)) {
      conclude("Java client, C server", mode, how, server, client);
    }
  }

  private void conclude(String who, String mode, String how, Command server, Command client)
      throws Exception {
    assertThat(client.exitCode()).as(client.transcript()).isZero();
    assertThat(server.exitCode()).as(server.transcript()).isZero();
    Command measuring = mode.equals("pingpong") ? client : server;
    String line = measuring.out().get(measuring.out().size() - 1);
    String peerHow = how.equals("spin") ? "poll" : how;
    double ratio = figure(line, mode) / betweenCs(mode, peerHow);
    System.out.printf(Locale.ROOT, "%s: %s; %.2f of C against C%n", who, line, ratio);
  }

  private static double figure(String line, String mode) {
    Matcher matcher = FIGURE.matcher(line);
    assertThat(matcher.matches()).as(line).isTrue();
    assertThat(matcher.group(1)).isEqualTo(mode);
    return Double.parseDouble(matcher.group(mode.equals("pingpong") ? 3 : 4));
  }

  /** The yardstick, measured once in the same guest. */
  private double betweenCs(String mode, String how) throws Exception {
    Double known = betweenCs.get(mode + how);
    if (known != null) {
      return known;
    }
    try (Command server = peer("server", mode, how).listens(false);
        Command client = peer("client", mode, how)) {
      assertThat(client.exitCode()).as(client.transcript()).isZero();
      assertThat(server.exitCode()).as(server.transcript()).isZero();
      Command measuring = mode.equals("pingpong") ? client : server;
      String line = measuring.out().get(measuring.out().size() - 1);
      System.out.println("C against C: " + line);
      double figure = figure(line, mode);
      betweenCs.put(mode + how, figure);
      return figure;
    }
  }
}
