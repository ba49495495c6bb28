package io.vertxrdma.tools.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.soft.SoftDeviceOptions;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import io.vertxrdma.tools.CommandRun;
import io.vertxrdma.tools.ExitCode;
import io.vertxrdma.tools.TerminalLine;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Both sides on one soft device, whose limits are known. */
@Timeout(120)
class TuneCommandTest {

  private static final String ADDRESS = "127.0.0.1";
  private static final int PORT = 18_517;

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  /** A device that serves so many reads, and whose queues hold so many requests. */
  private static RdmaProvider device(int responderResources, int initiatorDepth, int queue) {
    SoftDeviceOptions usual = SoftDeviceOptions.DEFAULT;
    return new SoftProvider(
        new SoftProviderOptions()
            .setUdpPort(freeUdpPort())
            .setDevice(
                new SoftDeviceOptions(
                    usual.maxQueuePairs(),
                    queue,
                    usual.maxScatterGather(),
                    usual.maxCompletionQueueEntries(),
                    usual.maxMemoryRegionSize(),
                    usual.maxMemoryRegions(),
                    responderResources,
                    initiatorDepth,
                    usual.maxSharedReceiveQueueWorkRequests(),
                    usual.pathMtu())));
  }

  private static int freeUdpPort() {
    try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress(ADDRESS, 0))) {
      return probe.getLocalPort();
    } catch (SocketException none) {
      throw new AssertionError(none);
    }
  }

  /** A server of the test's making; the future has the number of steps. */
  private CompletableFuture<Integer> serve(StepServer server) throws Exception {
    CompletableFuture<Void> bound = new CompletableFuture<>();
    CompletableFuture<Integer> served =
        server
            .serve(PORT, ADDRESS, () -> bound.complete(null))
            .toCompletionStage()
            .toCompletableFuture();
    CompletableFuture.anyOf(bound, served).get(30, TimeUnit.SECONDS);
    return served;
  }

  private CompletableFuture<Integer> serve(RdmaProvider provider, int queue) throws Exception {
    return serve(new StepServer(vertx, provider, queue, 30_000, TerminalLine.none()));
  }

  private static CommandRun tune(RdmaProvider provider, String options) {
    return CommandRun.with(
        List.of(provider), ("tune " + ADDRESS + " --seconds 0.05 " + options).strip().split(" "));
  }

  private static List<Integer> depths(JsonObject part) {
    JsonArray points = part.getJsonArray("points");
    return points.stream().map(point -> ((JsonObject) point).getInteger("depth")).toList();
  }

  @Test
  void finds_the_limits_of_the_devices_and_stops_there() throws Exception {
    // Up to 8 is always tried, wherever the knee is.
    RdmaProvider provider = device(2, 16, 12);
    CompletableFuture<Integer> served = serve(provider, 3);

    CommandRun run = tune(provider, "--json");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    JsonObject all = new JsonObject(run.out());
    JsonObject reads = all.getJsonObject("reads");
    assertThat(reads.getInteger("limit")).isEqualTo(2);
    assertThat(reads.getString("limitReason")).contains("responder resources are 2");
    assertThat(depths(reads)).containsExactly(1, 2);
    JsonObject writes = all.getJsonObject("writes");
    assertThat(writes.getInteger("limit")).isEqualTo(3);
    assertThat(writes.getString("limitReason")).contains("server's device holds 3");
    assertThat(depths(writes)).containsExactly(1, 2, 3);
    assertThat(depths(all.getJsonObject("receives"))).isNotEmpty().allMatch(number -> number <= 12);
    RdmaClientOptions options = new RdmaClientOptions(all.getJsonObject("options"));
    assertThat(options.getParameters().initiatorDepth()).isBetween(1, 2);
    assertThat(options.getSendDepth()).isBetween(1, 3);
    assertThat(served.get(30, TimeUnit.SECONDS)).isGreaterThan(8);
  }

  @Test
  void prints_tables_plots_and_options_to_paste_in_eighty_columns() throws Exception {
    RdmaProvider provider = device(2, 2, 64);
    serve(provider, 64);

    CommandRun run = tune(provider, "--length 100");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(run.out())
        .startsWith("soft-127.0.0.1 to 127.0.0.1:18517, 100 bytes each, 0.05 s a step")
        .containsPattern("\\n +1 +\\d+ +\\d+\\.\\d +\\d+\\.\\d +\\d+ +\\d+ +\\d+\\R")
        .containsPattern(" \\|#+ <- knee\\R")
        .contains("No more than 2: device maximum max_qp_init_rd_atom is 2")
        .contains("receives posted for writes with immediate")
        .containsPattern("\\nminRnrTimer\\R    \\w");
    String pasted = run.out().substring(run.out().indexOf('{'), run.out().lastIndexOf('}') + 1);
    ConnectionParameters parameters =
        new ConnectionParameters(new JsonObject(pasted).getJsonObject("parameters"));
    assertThat(parameters.responderResources()).isBetween(1, 2);
  }

  @Test
  void a_server_of_another_version_is_refused_with_the_reason() throws Exception {
    RdmaProvider provider = device(4, 4, 64);
    serve(new StepServer(vertx, provider, 64, 30_000, TerminalLine.none(), Step.serverSide(2)));

    CommandRun run = tune(provider, "");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains("versions 2 to 2 are spoken here, 1 to 1 there");
  }

  @Test
  void a_server_that_is_not_there_is_one_line() {
    CommandRun run = tune(device(4, 4, 64), "--json");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains("RDMA_CM_EVENT_REJECTED");
  }

  @Test
  void a_server_nobody_comes_to_gives_up() {
    CommandRun run =
        CommandRun.with(
            List.of(device(4, 4, 64)), "tune serve --address 127.0.0.1 --timeout 1".split(" "));

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err().lines())
        .containsExactly(
            "listening on 127.0.0.1:18517", "vertx-rdma: no client came within 1 seconds");
  }

  @Test
  void one_who_comes_back_early_is_served_next_and_a_third_is_told_to_wait() throws Exception {
    RdmaProvider provider = device(4, 4, 64);
    CompletableFuture<Integer> served = serve(provider, 64);
    RdmaClient client =
        RdmaClient.create(
            vertx, new RdmaClientOptions().setReceiveDepth(8).setSendDepth(8), provider);
    Buffer read = request(Step.Kind.READ);
    RdmaConnection first = client.connect(PORT, ADDRESS, read).await(30, TimeUnit.SECONDS);

    Future<RdmaConnection> one = client.connect(PORT, ADDRESS, read);
    Future<RdmaConnection> other = client.connect(PORT, ADDRESS, read);

    Throwable refused =
        Future.future(
                (Promise<Throwable> failed) ->
                    List.of(one, other).forEach(each -> each.onFailure(failed::tryComplete)))
            .await(30, TimeUnit.SECONDS);
    Future<RdmaConnection> waiting = one.failed() ? other : one;
    assertThat(refused).isInstanceOf(ConnectionRejectedException.class);
    assertThat(waiting.isComplete()).isFalse();
    first.close().await(30, TimeUnit.SECONDS);
    waiting.await(30, TimeUnit.SECONDS).close().await(30, TimeUnit.SECONDS);
    client
        .connect(PORT, ADDRESS, request(Step.Kind.END))
        .otherwiseEmpty()
        .await(30, TimeUnit.SECONDS);
    assertThat(served.get(30, TimeUnit.SECONDS)).isEqualTo(2);
  }

  private static Buffer request(Step.Kind kind) {
    return Step.clientSide()
        .encode(new Step(kind, 1, 8, 1_000, new RemoteMemory(0, 0, 0)).encode());
  }
}
