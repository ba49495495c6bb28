package io.vertxrdma.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.tools.CommandRun;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both sides over the fake native layer, whose wire is memory. */
@Timeout(60)
class BenchTest {

  private static final String ADDRESS = "10.0.0.1";

  private final FakeNativeCalls fake = new FakeNativeCalls();
  private final RdmaProvider provider = FakeProvider.over(fake);
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void nothingIsLeft() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
    fake.assertClean();
    fake.close();
  }

  private CommandRun bench(String side, String options) {
    String line = "bench " + side + " --address " + ADDRESS + " " + options;
    return CommandRun.with(List.of(provider), line.split(" "));
  }

  /** Listens with a server of the test's own, which answers requests in its own way. */
  private void listen(io.vertx.core.Handler<ConnectRequest> handler) {
    RdmaServer.create(vertx, new RdmaServerOptions(), provider)
        .connectRequestHandler(handler)
        .listen(18515, ADDRESS)
        .await();
  }

  /** Starts the serving side, and returns when it listens. */
  private CompletableFuture<CommandRun> serve(String options) throws Exception {
    // The server says when it listens on its error stream only, so let it bind first.
    CompletableFuture<Void> bound = new CompletableFuture<>();
    fake.after("rdma_listen", call -> bound.complete(null));
    CompletableFuture<CommandRun> serving =
        CompletableFuture.supplyAsync(() -> bench("serve", options.strip()));
    bound.get(30, TimeUnit.SECONDS);
    return serving;
  }

  @ParameterizedTest
  @CsvSource({
    "pingpong, 8, '', 'pingpong event: 500 of 8 bytes, half round trip \\d+\\.\\d\\d us', ''",
    "pingpong, 4099, '--check', 'pingpong event: 500 of 4099 bytes, half round .* us', ''",
    "pingpong, 0, '--spin', 'pingpong spin: 500 of 0 bytes, half round trip .* us', ''",
    "rate, 8, '', 'write-with-immediate event: 500 of 8 bytes, \\d+ operations/s, 256 under way',"
        + "'rate event: 500 of 8 bytes, \\d+ immediates/s\\R'",
    "rate, 65536, '--spin 10 --depth 3',"
        + "'write-with-immediate spin: 500 of 65536 bytes, \\d+ operations/s, 3 under way',"
        + "'rate spin: 500 of 65536 bytes, \\d+ immediates/s\\R'",
  })
  void writesWithImmediateAreMeasuredBySideAndMode(
      String mode, int length, String more, String atClient, String atServer) throws Exception {
    String options = "--count 500 --mode " + mode + " --length " + length + " " + more;
    CompletableFuture<CommandRun> serving = serve(options);

    CommandRun client = bench("connect", options.strip());

    CommandRun server = serving.get(30, TimeUnit.SECONDS);
    assertThat(client.err()).isEmpty();
    assertFigure(client.out(), atClient);
    assertThat(client.exitCode()).isZero();
    assertThat(server.err()).isEqualTo("listening on 10.0.0.1:18515" + System.lineSeparator());
    assertThat(server.out()).matches(atServer);
    assertThat(server.exitCode()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "write, 8, '', 256",
    "write, 65536, '--depth 1 --spin', 1",
    "send, 0, '', 256",
    "send, 1000, '--depth 7', 7",
    "read, 8, '', 16",
    "read, 65536, '--depth 1', 1",
    "fetch-and-add, 8, '', 16",
    "fetch-and-add, 8, '--depth 300', 300",
  })
  void everyOtherVerbIsMeasuredByTheClient(String verb, int length, String more, int depth)
      throws Exception {
    String options = "--count 500 --verb " + verb + " --length " + length + " " + more;
    CompletableFuture<CommandRun> serving = serve(options);

    CommandRun client = bench("connect", options.strip());

    CommandRun server = serving.get(30, TimeUnit.SECONDS);
    assertThat(client.err()).isEmpty();
    assertFigure(
        client.out(),
        verb
            + (more.contains("--spin") ? " spin: " : " event: ")
            + "500 of "
            + length
            + " bytes, \\d+ operations/s, "
            + depth
            + " under way");
    assertThat(client.exitCode()).isZero();
    assertThat(server.out()).isEmpty();
    assertThat(server.err()).isEqualTo("listening on 10.0.0.1:18515" + System.lineSeparator());
    assertThat(server.exitCode()).isZero();
  }

  /** Two lines of percentiles, then the figure, none too wide. */
  private static void assertFigure(String out, String lastLine) {
    List<String> lines = out.lines().toList();
    assertThat(lines).hasSize(3).allMatch(line -> line.length() <= 80);
    assertThat(lines.get(0)).matches("latency, us +min +50% +90% +99% +99.9% +max");
    List<Double> latencies =
        Stream.of(lines.get(1).trim().split(" +")).map(Double::valueOf).toList();
    assertThat(latencies).hasSize(6).isSorted();
    assertThat(latencies.get(5)).isPositive();
    assertThat(lines.get(2)).matches(lastLine);
  }

  @Test
  void jsonIsOneObjectWithTheFiguresAndWhatWasMeasured() throws Exception {
    String options = "--count 50 --verb read --length 16 --depth 4 --json";
    CompletableFuture<CommandRun> serving = serve(options);

    JsonObject figures = new JsonObject(bench("connect", options).out());

    serving.get(30, TimeUnit.SECONDS);
    assertThat(figures.getString("verb")).isEqualTo("read");
    assertThat(figures.getString("mode")).isEqualTo("rate");
    assertThat(figures.getInteger("count")).isEqualTo(50);
    assertThat(figures.getInteger("length")).isEqualTo(16);
    assertThat(figures.getInteger("depth")).isEqualTo(4);
    assertThat(figures.getDouble("perSecond")).isPositive();
    assertThat(figures.getJsonObject("latencyMicros").fieldNames())
        .containsExactly("min", "p50", "p90", "p99", "p99_9", "max", "mean");
  }

  @Test
  void jsonOfAPingpongHasTheHalfRoundTrip() throws Exception {
    CompletableFuture<CommandRun> serving = serve("--count 50 --json");

    JsonObject figures = new JsonObject(bench("connect", "--count 50 --json").out());

    assertThat(serving.get(30, TimeUnit.SECONDS).exitCode()).isZero();
    assertThat(figures.getString("mode")).isEqualTo("pingpong");
    assertThat(figures.getDouble("halfRoundTripMicros")).isPositive();
  }

  @ParameterizedTest
  @CsvSource({
    "--verb read --mode pingpong, --mode pingpong needs --verb write-with-immediate",
    "--verb fetch-and-add --length 16, --length of fetch-and-add must be 8",
    "--verb write --check, --check needs --mode pingpong",
    "--depth 4, --depth needs --mode rate",
    "--mode rate --depth 4097, '--depth must be 1..4096, was 4097'",
    "--mode rate --depth 0, '--depth must be 1..4096, was 0'",
    "--verb recite, recite",
  })
  void whatContradictsItselfIsRefused(String options, String sentence) {
    CommandRun run = bench("connect", options);

    assertThat(run.exitCode()).isEqualTo(64);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains(sentence);
  }

  @Test
  void aNumberThatFetchAndAddDoesNotBringInOrderIsAFailure() {
    listen(
        request ->
            request
                .memory()
                .allocate(64, Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC))
                .compose(
                    inbox -> {
                      inbox.byteBuffer().order(ByteOrder.nativeOrder()).putLong(0, 5);
                      return request.accept(inbox.remote().encode());
                    }));

    CommandRun run = bench("connect", "--count 10 --verb fetch-and-add");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("fetch-and-add 0 brought 5");
  }

  @Test
  void aServerThatGotFewerMessagesThanAgreedSaysSo() throws Exception {
    CompletableFuture<CommandRun> serving = serve("--count 20 --verb send");

    CommandRun client = bench("connect", "--count 10 --verb send");

    CommandRun server = serving.get(30, TimeUnit.SECONDS);
    assertThat(client.exitCode()).as(client.err()).isZero();
    assertThat(server.exitCode()).isEqualTo(1);
    assertThat(server.err()).contains("10 of 20 messages received");
  }

  @Test
  void namesTheFirstByteThatIsWrong() {
    listen(
        request ->
            request
                .memory()
                .allocateInbox(64)
                .compose(
                    inbox ->
                        request
                            .accept(inbox.remote().encode())
                            .onSuccess(
                                connection -> {
                                  inbox.setBytes(0, new byte[] {13, 20, 27, 35});
                                  RemoteMemory there =
                                      RemoteMemory.decode(connection.peerPrivateData());
                                  connection.writeWithImmediate(inbox.slice(0, 4), there, 0);
                                })));

    CommandRun run = bench("connect", "--count 10 --length 4 --check");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("write 0 came with byte 3 wrong");
  }

  @Test
  void checkingIsRefusedWhereWritesReplaceEachOther() {
    CommandRun run = bench("connect", "--mode rate --check");

    assertThat(run.exitCode()).isEqualTo(64);
    assertThat(run.err()).contains("--check needs --mode pingpong");
  }

  @Test
  void namesTheFirstImmediateThatIsWrong() {
    listen(
        request ->
            request
                .memory()
                .allocateInbox(64)
                .compose(
                    inbox ->
                        request
                            .accept(inbox.remote().encode())
                            .onSuccess(
                                connection -> {
                                  RemoteMemory there =
                                      RemoteMemory.decode(connection.peerPrivateData());
                                  connection.writeWithImmediate(inbox.slice(0, 8), there, 0);
                                  connection.writeWithImmediate(inbox.slice(0, 8), there, 7);
                                })));

    CommandRun run = bench("connect", "--count 10");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines())
        .containsExactly("vertx-rdma: immediate 7 with 8 bytes came, expected 1 with 8");
  }

  @Test
  void aPeerThatClosesTooEarlyIsAFailure() {
    listen(
        request ->
            request
                .memory()
                .allocateInbox(64)
                .compose(inbox -> request.accept(inbox.remote().encode()))
                .onSuccess(
                    connection ->
                        connection.immediateHandler(
                            (from, immediate, length) -> connection.close())));

    CommandRun run = bench("connect", "--count 10");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("0 of 10 immediates received, 1 written");
  }

  @Test
  void aPeerThatNeverAnswersIsATimeout() {
    listen(
        request ->
            request
                .memory()
                .allocateInbox(64)
                .compose(inbox -> request.accept(inbox.remote().encode())));

    CommandRun run = bench("connect", "--count 10 --timeout 1");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("not done after 1 seconds: 0 of 10 immediates received");
  }

  @Test
  void aServerNobodyComesToGivesUp() {
    CommandRun run = bench("serve", "--timeout 1");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).endsWith("no client came within 1 seconds" + System.lineSeparator());
  }

  @Test
  void anInboxThatIsTooSmallIsRefused() {
    listen(
        request ->
            request
                .memory()
                .allocateInbox(4)
                .compose(inbox -> request.accept(inbox.remote().encode())));

    CommandRun run = bench("connect", "--length 8");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("8 bytes do not fit into the peer's inbox of 4");
  }

  @Test
  void nobodyListeningIsAFailureInOneSentence() {
    fake.loopbackOnly();

    CommandRun run = bench("connect", "");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains("RDMA_CM_EVENT_REJECTED");
  }
}
