package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The soft provider on one end of a wire, the kernel's rdma_cm and rxe under C programs on the
 * other. One process plays all parts of the soft side, see {@link
 * io.vertxrdma.systemtests.interop.ProviderPeer}; its counters are judged last.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class SoftInteropTest {

  /** The fraction of each count that is run; {@code -Dvertx.rdma.test.interopShare=1} is all. */
  private static final int SHARE = Integer.getInteger("vertx.rdma.test.interopShare", 5);

  private OurSide soft;

  @BeforeAll
  void start_the_soft_side() throws Exception {
    soft = OurSide.soft();
  }

  private static int part(int whole) {
    return Math.max(10, whole / SHARE);
  }

  @AfterAll
  void end_the_soft_side() {
    if (soft != null) {
      soft.close();
    }
  }

  @Test
  @Order(1)
  void we_reject_a_C_client_and_it_reads_why() throws Exception {
    String words = "no-room-here";
    String part = "refusal serve " + Command.SOFT_ADDRESS + " 7301 " + words;
    soft.serves(
        part,
        "^asked: may-I-come$",
        () -> {
          Command client =
              Command.peer("C", "refused-client", Command.SOFT_ADDRESS, "7301", "may-I-come");
          client.sees("reason 28, answered: " + words);
          return client;
        });
  }

  @Test
  @Order(2)
  void a_C_server_rejects_us_and_we_read_why() throws Exception {
    Command server =
        Command.peer("C", "refusing-server", Command.ADDRESS, "7302", "come-back-later")
            .listens(false);
    soft.connects(
        "refusal connect " + Command.ADDRESS + " 7302 let-me-in",
        "^reason 28, answered: come-back-later$",
        server);
    assertThat(server.out()).contains("asked: let-me-in");
  }

  @Test
  @Order(3)
  void nobody_listening_is_a_rejection_with_its_reason() throws Exception {
    soft.does("refusal connect " + Command.ADDRESS + " 7303 hello", "^reason 8, ");
  }

  /** Each role counts in both directions. The server, which writes last, disconnects. */
  @ParameterizedTest(name = "{1} bytes")
  @Order(4)
  @CsvSource({"5000, 8", "500, 65536"})
  void data_arrive_as_written_both_ways(int whole, int length) throws Exception {
    int count = part(whole);
    String options = " --count " + count + " --length " + length + " --check --timeout 280";
    String[] c = {String.valueOf(count), String.valueOf(length), "checked", "event"};
    soft.serves(
        "bench serve --address " + Command.SOFT_ADDRESS + options,
        "",
        () -> Command.peer("C", "client", Command.SOFT_ADDRESS, c[0], c[1], c[2], c[3]));
    soft.connects(
        "bench connect --address " + Command.ADDRESS + options,
        "pingpong event: " + count + " of " + length + " bytes",
        Command.peer("C", "server", Command.ADDRESS, c[0], c[1], c[2], c[3]).listens(false));
  }

  /** The client, which alone writes, disconnects. */
  @ParameterizedTest(name = "{1} bytes")
  @Order(5)
  @CsvSource({"10000, 8", "1000, 65536"})
  void many_writes_under_way_arrive_in_order(int whole, int length) throws Exception {
    int count = part(whole);
    String options = " --count " + count + " --length " + length + " --mode rate --timeout 200";
    String[] c = {String.valueOf(count), String.valueOf(length), "rate", "event"};
    soft.serves(
        "bench serve --address " + Command.SOFT_ADDRESS + options,
        "rate event: " + count + " of " + length + " bytes",
        () -> Command.peer("C", "client", Command.SOFT_ADDRESS, c[0], c[1], c[2], c[3]));
    soft.connects(
        "bench connect --address " + Command.ADDRESS + options,
        "",
        Command.peer("C", "server", Command.ADDRESS, c[0], c[1], c[2], c[3]).listens(false));
  }

  /** Sends, reads and writes. */
  @ParameterizedTest(name = "between {0} and {1}, {3} bytes")
  @Order(6)
  @CsvSource({"10.77.0.1, 10.77.0.2, 1000, 65535", "fd77::1, fd77::2, 100, 4096"})
  void rping_and_our_ping_understand_each_other(String rxe, String ours, int whole, String size)
      throws Exception {
    String count = String.valueOf(part(whole));
    String options = " -S " + size + " --timeout 200";
    soft.serves(
        "ping serve --address " + ours + options,
        "^answered " + count + " pings$",
        () -> Command.program("rping", "rping", "-c", "-a", ours, "-C", count, "-S", size, "-V"));
    soft.connects(
        "ping connect --address " + rxe + options + " -V -C " + count,
        "^" + count + " pings of " + size + " bytes, all as sent, ",
        Command.program("rping", "rping", "-s", "-a", rxe, "-C", count, "-S", size)
            .listensOn(7174));
  }

  @Test
  @Order(7)
  void ucmatose_and_we_understand_each_other() throws Exception {
    String answer = "^10 messages of 100 bytes came$";
    soft.serves(
        "ucmatose serve " + Command.SOFT_ADDRESS + " 7471",
        answer,
        () -> Command.program("ucmatose", "ucmatose", "-s", Command.SOFT_ADDRESS));
    soft.connects(
        "ucmatose connect " + Command.ADDRESS + " 7471",
        answer,
        Command.program("ucmatose", "ucmatose", "-b", Command.ADDRESS).listensOn(7471));
  }

  @Test
  @Order(8)
  void rdma_client_and_rdma_server_understand_us() throws Exception {
    String answer = "^a message of 16 bytes came, their sum is 0$";
    soft.serves(
        "simple serve " + Command.SOFT_ADDRESS + " 7472",
        answer,
        () ->
            Command.program(
                "rdma_client", "rdma_client", "-s", Command.SOFT_ADDRESS, "-p", "7472"));
    soft.connects(
        "simple connect " + Command.ADDRESS + " 7473",
        answer,
        Command.program("rdma_server", "rdma_server", "-s", Command.ADDRESS, "-p", "7473")
            .listensOn(7473));
  }

  /** After all of the above. */
  @ParameterizedTest
  @Order(100)
  @CsvSource({Command.SOFT_ADDRESS, Command.SOFT_ADDRESS_6})
  void not_one_packet_was_malformed_or_came_with_a_wrong_CRC(String address) throws Exception {
    Map<String, Long> counters = soft.counters(address);
    System.out.println(address + ": " + counters);
    assertThat(counters.get("rcvd_pkts")).isPositive();
    assertThat(counters.keySet())
        .doesNotContainAnyElementsOf(
            List.of(
                "drop_short",
                "drop_long",
                "drop_bad_icrc",
                "drop_bad_version",
                "drop_bad_pkey",
                "drop_bad_qkey",
                "drop_bad_source",
                "drop_bad_opcode",
                "drop_bad_length",
                "drop_bad_mad",
                "drop_other",
                "retry_exceeded_err",
                "cq_overrun"));
  }
}
