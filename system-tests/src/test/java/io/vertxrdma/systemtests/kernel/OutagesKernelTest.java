package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The wire between the kernel's device and a peer in the namespace {@code peer} is out for 100 ms
 * again and again: retry count 1 ends the connection, the preset for networks that lose packets
 * survives. Both with a local ACK timeout of 33.6 ms (code 13), so that two attempts fit into an
 * outage and seven do not. Needs the rights to set a queueing discipline.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class OutagesKernelTest {

  private static final int SECONDS = 120;
  private static final int ACK_TIMEOUT = 13;
  private static final int OUTAGES = 10;
  private static final long PERIOD_MILLIS = 100;
  private static final Pattern DROPPED = Pattern.compile("dropped (\\d+)");

  private Vertx vertx;
  private Command peer;
  private Process trafficControl;
  private int port;
  private volatile int outagesOver;
  private volatile boolean over;

  @BeforeEach
  void start() throws Exception {
    Command.requireNativeProvider();
    vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    // One that takes commands: a process for each would take longer than an outage.
    trafficControl =
        new ProcessBuilder("tc", "-batch", "-")
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    peer =
        Command.java(
            "peer",
            List.of("ip", "netns", "exec", "peer"),
            List.of("-Dvertx.rdma.soft.addresses=" + Command.SOFT_ADDRESS),
            "io.vertxrdma.systemtests.contract.PeerMain",
            "soft",
            Command.SOFT_ADDRESS);
    port = Integer.parseInt(afterWord(peer.seesLine("its port", l -> l.startsWith("port "))));
    trafficControl("qdisc add dev v0 root netem loss 0%");
  }

  @AfterEach
  void end() throws Exception {
    over = true;
    if (vertx != null) {
      vertx.close().await(SECONDS, TimeUnit.SECONDS);
    }
    if (trafficControl != null) {
      trafficControl("qdisc del dev v0 root");
      trafficControl.getOutputStream().close();
      assertThat(trafficControl.waitFor()).as("exit of tc").isZero();
    }
    if (peer != null) {
      peer.close();
    }
  }

  private static String afterWord(String line) {
    return line.substring(line.lastIndexOf(' ') + 1);
  }

  private void trafficControl(String command) throws IOException {
    trafficControl.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
    trafficControl.getOutputStream().flush();
  }

  private void lose(int percent) {
    try {
      trafficControl("qdisc change dev v0 root netem loss " + percent + "%");
    } catch (IOException gone) {
      throw new AssertionError("tc", gone);
    }
  }

  private void outage() {
    if (over) {
      return;
    }
    lose(100);
    vertx.setTimer(
        PERIOD_MILLIS,
        out -> {
          lose(0);
          outagesOver++;
          vertx.setTimer(PERIOD_MILLIS, back -> outage());
        });
  }

  private static long dropped() throws Exception {
    Process show = new ProcessBuilder("tc", "-s", "qdisc", "show", "dev", "v0").start();
    String text = new String(show.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    Matcher matcher = DROPPED.matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  private RdmaConnection connect(ConnectionParameters parameters) throws Exception {
    RdmaConnection connection =
        RdmaClient.create(
                vertx,
                new RdmaClientOptions()
                    .setConnectTimeout(60_000)
                    .setAckTimeout(ACK_TIMEOUT)
                    .setParameters(parameters),
                RdmaProviders.named("native"))
            .connect(port, Command.SOFT_ADDRESS)
            .await(SECONDS, TimeUnit.SECONDS);
    assertThat(connection.queuePairAttributes().timeout()).isEqualTo(ACK_TIMEOUT);
    return connection;
  }

  /** Writes numbers one after the other, each when the one before it was acknowledged. */
  private static void write(
      RdmaConnection connection, long number, BooleanSupplier enough, Promise<Long> written) {
    if (enough.getAsBoolean()) {
      written.complete(number);
    } else {
      connection
          .writeImmediate(number)
          .onSuccess(acknowledged -> write(connection, number + 1, enough, written))
          .onFailure(written::fail);
    }
  }

  private Promise<Long> trafficThroughOutages(RdmaConnection connection) {
    Promise<Long> written = Promise.promise();
    write(connection, 0, () -> outagesOver >= OUTAGES, written);
    vertx.runOnContext(nothing -> outage());
    return written;
  }

  @Test
  void retry_count_one_does_not_survive_an_outage_and_says_why() throws Exception {
    RdmaConnection connection = connect(ConnectionParameters.DEFAULT.withRetryCount(1));
    assertThat(connection.queuePairAttributes().retryCount()).isEqualTo(1);

    Promise<Long> traffic = trafficThroughOutages(connection);

    assertThat(catchThrowable(() -> traffic.future().await(SECONDS, TimeUnit.SECONDS)))
        .isInstanceOf(WorkCompletionException.class)
        .satisfies(
            failure ->
                assertThat(((WorkCompletionException) failure).status())
                    .isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR));
    System.out.println("retry count 1: over after " + outagesOver + " whole outages");
  }

  @Test
  void the_lossy_preset_survives_ten_outages_and_everything_arrives_once_in_order()
      throws Exception {
    RdmaConnection connection = connect(ConnectionParameters.LOSSY_ROCE);

    long written = trafficThroughOutages(connection).future().await(SECONDS, TimeUnit.SECONDS);

    over = true;
    assertThat(dropped()).as("packets lost").isGreaterThanOrEqualTo(OUTAGES);
    connection.close().await(SECONDS, TimeUnit.SECONDS);
    assertThat(afterWord(peer.seesLine("what came", line -> line.startsWith("in order "))))
        .isEqualTo(String.valueOf(written));
    System.out.println("lossy preset: " + written + " immediates, " + dropped() + " packets lost");
  }
}
