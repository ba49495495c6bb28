package io.vertxrdma.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.tools.CommandRun;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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

  @ParameterizedTest
  @CsvSource({
    "pingpong, 8, '', 'pingpong event: 500 of 8 bytes, half round trip \\d+\\.\\d\\d us\\R', ''",
    "pingpong, 4099, '--check', 'pingpong event: 500 of 4099 bytes, half round .* us\\R', ''",
    "pingpong, 0, '--spin', 'pingpong spin: 500 of 0 bytes, half round trip .* us\\R', ''",
    "rate, 8, '', '', 'rate event: 500 of 8 bytes, \\d+ immediates/s\\R'",
    "rate, 65536, '--spin 10', '', 'rate spin: 500 of 65536 bytes, \\d+ immediates/s\\R'",
  })
  void theSideWithTheClockPrintsTheFigure(
      String mode, int length, String more, String atClient, String atServer) throws Exception {
    String options = "--count 500 --mode " + mode + " --length " + length + " " + more;
    // The server says when it listens on its error stream only, so let it bind first.
    CompletableFuture<Void> bound = new CompletableFuture<>();
    fake.after("rdma_listen", call -> bound.complete(null));
    CompletableFuture<CommandRun> serving =
        CompletableFuture.supplyAsync(() -> bench("serve", options.strip()));
    bound.get(30, TimeUnit.SECONDS);

    CommandRun client = bench("connect", options.strip());

    CommandRun server = serving.get(30, TimeUnit.SECONDS);
    assertThat(client.err()).isEmpty();
    assertThat(client.out()).matches(atClient);
    assertThat(client.exitCode()).isZero();
    assertThat(server.err()).isEqualTo("listening on 10.0.0.1:18515" + System.lineSeparator());
    assertThat(server.out()).matches(atServer);
    assertThat(server.exitCode()).isZero();
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
