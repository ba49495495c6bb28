package io.vertxrdma.tools.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import io.vertxrdma.tools.CommandRun;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.ExitCode;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The self-test on a soft device that works, and on soft devices that are broken in some way. */
@Timeout(180)
class SelftestCommandTest {

  private static final int WRITE_MIDDLE = 0x07;
  private static final int WRITE_ONLY_WITH_IMMEDIATE = 0x0B;
  private static final int READ_RESPONSE_FIRST = 0x0D;
  private static final int READ_RESPONSE_ONLY = 0x10;
  private static final int ATOMIC_ACKNOWLEDGE = 0x12;

  /** Where an immediate is after BTH and RETH, and data after a BTH alone. */
  private static final int IMMEDIATE_AT = 28;

  private static final int DATA_AT = 12;

  private static int freeUdpPort() {
    try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0))) {
      return probe.getLocalPort();
    } catch (SocketException none) {
      throw new AssertionError(none);
    }
  }

  private static RdmaProvider sound() {
    return broken(packet -> packet);
  }

  private static RdmaProvider broken(UnaryOperator<ByteBuffer> how) {
    return new SoftProvider(
        new SoftProviderOptions()
            .setUdpPort(freeUdpPort())
            .setLinkDecorator((link, timers) -> new AlteringLink(link, how)));
  }

  private static int opcode(ByteBuffer packet) {
    return packet.get(0) & 0xFF;
  }

  /** What a run with checks of the test's choice printed. */
  private record Run(int exitCode, String out) {}

  private static Run run(RdmaProvider provider, List<Check> checks, String... options) {
    StringWriter out = new StringWriter();
    Environment environment =
        new Environment(
            InputStream.nullInputStream(),
            new PrintWriter(out, true),
            new PrintWriter(PrintWriter.nullWriter()),
            () -> List.of(provider));
    String[] arguments = new String[options.length + 2];
    arguments[0] = "--address";
    arguments[1] = "127.0.0.1";
    System.arraycopy(options, 0, arguments, 2, options.length);
    int exitCode = SelftestCommand.commandLine(environment, checks).execute(arguments);
    return new Run(exitCode, out.toString());
  }

  private static List<Check> checks(String... names) {
    List<Check> chosen =
        Checks.all().stream().filter(check -> List.of(names).contains(check.name())).toList();
    assertThat(chosen).hasSize(names.length);
    return chosen;
  }

  @Test
  void every_check_passes_on_a_soft_device() {
    CommandRun run = CommandRun.with(List.of(sound()), "selftest", "--address", "127.0.0.1");

    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    assertThat(run.err()).isEmpty();
    List<String> lines = run.out().lines().toList();
    int count = Checks.all().size();
    assertThat(lines).hasSize(2 + count + 1).allMatch(line -> line.length() <= 80);
    assertThat(lines.get(0)).isEqualTo("soft-127.0.0.1 (soft provider) at 127.0.0.1");
    for (int i = 0; i < count; i++) {
      assertThat(lines.get(2 + i)).startsWith(Checks.all().get(i).name()).matches(".* OK +\\d+");
    }
    assertThat(lines.get(lines.size() - 1))
        .isEqualTo(count + " checks: " + count + " OK, 0 failed");
  }

  @Test
  void json_is_one_object_with_an_entry_for_each_check() {
    Run run =
        run(
            sound(),
            List.of(
                checks("64 KiB read").get(0),
                new Check("wrong", trial -> Future.failedFuture("no")),
                new Check("rare", trial -> Future.failedFuture(new NotPossible("lacks it")))),
            "--json");

    JsonObject all = new JsonObject(run.out());
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(all.getString("provider")).isEqualTo("soft");
    assertThat(all.getString("device")).isEqualTo("soft-127.0.0.1");
    assertThat(all.getBoolean("passed")).isFalse();
    assertThat(all.getJsonArray("checks")).hasSize(3);
    assertThat(all.getJsonArray("checks").getJsonObject(0).getString("result")).isEqualTo("ok");
    assertThat(all.getJsonArray("checks").getJsonObject(0).getLong("micros")).isPositive();
    assertThat(all.getJsonArray("checks").getJsonObject(1).getString("detail"))
        .isEqualTo("expected success, saw no");
    assertThat(all.getJsonArray("checks").getJsonObject(2).getString("result")).isEqualTo("skip");
  }

  @Test
  void on_a_device_that_loses_everything_each_check_fails_at_its_deadline() {
    List<Check> checks =
        checks("private data, both ways", "immediates, client to server", "64 KiB read");

    Run run = run(broken(packet -> null), checks, "--timeout", "1");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out()).endsWith("3 checks: 0 OK, 3 failed" + System.lineSeparator());
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void data_altered_on_the_way_are_told_by_their_first_wrong_byte() {
    Run run =
        run(
            broken(
                packet ->
                    opcode(packet) == WRITE_MIDDLE
                        ? packet.put(DATA_AT + 5, (byte) ~packet.get(DATA_AT + 5))
                        : packet),
            checks("immediates, client to server", "64 KiB with immediate, client to server"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out())
        .containsPattern("immediates, client to server +OK")
        .containsPattern("64 KiB with immediate, client to server +FAIL")
        .containsPattern("byte \\d+ of the inbox of the server: expected 0x\\w+, saw 0x\\w+")
        .contains("2 checks: 1 OK, 1 failed");
  }

  @Test
  void immediates_in_the_wrong_byte_order_are_told_with_both_values() {
    Run run =
        run(
            broken(
                packet ->
                    opcode(packet) == WRITE_ONLY_WITH_IMMEDIATE
                        ? packet.putInt(
                            IMMEDIATE_AT, Integer.reverseBytes(packet.getInt(IMMEDIATE_AT)))
                        : packet),
            checks("immediates, server to client", "64 KiB read"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out())
        .contains("immediates at the client: expected [0x12345678,", "saw", "[0x78563412,")
        .containsPattern("64 KiB read +OK");
  }

  @Test
  void a_device_that_does_not_answer_reads_fails_those_and_no_others() {
    Run run =
        run(
            broken(
                packet ->
                    opcode(packet) >= READ_RESPONSE_FIRST && opcode(packet) <= READ_RESPONSE_ONLY
                        ? null
                        : packet),
            checks("64 KiB read", "fetch-and-add", "a wrong key is refused"),
            "--timeout",
            "10");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out())
        .containsPattern("64 KiB read +FAIL")
        .containsPattern("fetch-and-add +OK")
        .containsPattern("a wrong key is refused +OK");
  }

  @Test
  void a_wrong_value_of_an_atomic_operation_is_told() {
    Run run =
        run(
            broken(
                packet ->
                    opcode(packet) == ATOMIC_ACKNOWLEDGE
                        ? packet.putLong(packet.limit() - 8, 42)
                        : packet),
            checks("fetch-and-add", "compare-and-swap"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out())
        .contains("value before: expected 0x123456789abcdef, saw 0x2a")
        .contains("2 checks: 0 OK, 2 failed");
  }

  @Test
  void a_check_that_hangs_says_what_it_waited_for_and_the_next_one_runs() {
    Run run =
        run(
            sound(),
            List.of(
                new Check(
                    "hangs",
                    trial -> {
                      trial.waitFor("a miracle");
                      return Future.future(never -> {});
                    }),
                new Check(
                    "throws",
                    trial -> {
                      throw new IllegalStateException("at once");
                    }),
                new Check("works", trial -> trial.pair().mapEmpty())),
            "--timeout",
            "5");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out())
        .contains("after 5.0 s: expected a miracle, saw nothing")
        .contains("expected success, saw at once")
        .containsPattern("works +OK")
        .contains("3 checks: 1 OK, 2 failed");
  }

  @Test
  void what_the_device_is_not_made_for_is_no_failure_but_said() {
    Run run =
        run(
            sound(),
            List.of(
                new Check("rare", trial -> Future.failedFuture(new NotPossible("it has none")))));

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("rare +SKIP")
        .contains("it has none")
        .contains("1 checks: 0 OK, 0 failed, 1 not possible on this device");
  }

  @Test
  void an_address_of_no_device_is_one_sentence() {
    CommandRun run = CommandRun.with(List.of(sound()), "selftest", "--address", "192.0.2.1");

    assertThat(run.exitCode()).isEqualTo(ExitCode.NO_DEVICE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines())
        .containsExactly("vertx-rdma: 192.0.2.1 is no address of a device of the soft provider");
  }

  @Test
  void an_address_somebody_else_has_is_one_sentence_and_no_table() throws Exception {
    int port = freeUdpPort();
    try (DatagramSocket other = new DatagramSocket(new InetSocketAddress("127.0.0.1", port))) {
      assertThat(other.isBound()).isTrue();
      CommandRun run =
          CommandRun.with(
              List.of(new SoftProvider(new SoftProviderOptions().setUdpPort(port))),
              "selftest",
              "--address",
              "127.0.0.1");

      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.out()).isEmpty();
      assertThat(run.err().lines()).hasSize(1);
    }
  }
}
