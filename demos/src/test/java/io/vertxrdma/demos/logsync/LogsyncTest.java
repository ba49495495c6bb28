package io.vertxrdma.demos.logsync;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeCall;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import io.vertxrdma.demos.logsync.Greeting.Hello;
import io.vertxrdma.demos.logsync.Greeting.Welcome;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.tools.Environment;
import io.vertxrdma.tools.Main;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server and clients over the fake native layer, whose wire is memory. */
@Timeout(60)
class LogsyncTest {

  private static final int PORT = 18518;
  private static final int SLOT = 64;
  private static final long FIRST = 4_294_967_290L;

  private final FakeNativeCalls fake = new FakeNativeCalls();
  private final RdmaProvider provider = FakeProvider.over(fake);
  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<String> screen = new LinkedBlockingQueue<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;
  private Path logs;
  private LogDirectory opened;
  private LogsyncServer server;

  @BeforeEach
  void openTheServer() throws Exception {
    logs = directory.resolve("out");
    opened = LogDirectory.open(logs, FIRST);
    server =
        new LogsyncServer(
            vertx,
            provider,
            new RdmaServerOptions(),
            opened,
            new LogsyncServer.Limits(2, 8, SLOT),
            screen::add);
    server.listen(PORT, "10.0.0.1").await();
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
    opened.close();
    fake.assertClean();
    fake.close();
  }

  private void sees(String text) throws InterruptedException {
    String line = screen.poll(30, TimeUnit.SECONDS);
    while (line != null && !line.contains(text)) {
      line = screen.poll(30, TimeUnit.SECONDS);
    }
    assertThat(line).as("a line with " + text).isNotNull();
  }

  private int send(Path... files) {
    Environment environment =
        new Environment(
            InputStream.nullInputStream(),
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            () -> List.of(provider));
    List<String> arguments =
        new ArrayList<>(List.of("logsync", "send", "--to", "10.0.0.1", "--attempts", "1"));
    for (Path file : files) {
      arguments.add(file.toString());
    }
    return Main.run(environment, arguments.toArray(new String[0]));
  }

  private Path file(String name, String content) throws Exception {
    return Files.writeString(directory.resolve(name), content);
  }

  private RdmaConnection connect(Buffer hello) throws Exception {
    return RdmaClient.create(vertx, new RdmaClientOptions(), provider)
        .connect(PORT, "10.0.0.1", hello)
        .await();
  }

  /** Writes a segment as a client of the test's own does. */
  private void write(RdmaConnection connection, Welcome to, long sequence, int slot, int length)
      throws Exception {
    RegisteredBuffer bytes = connection.memory().copyOf(Buffer.buffer("x".repeat(length))).await();
    connection.writeWithImmediate(bytes.all(), to.slot(slot, length), sequence).await();
  }

  @Test
  void filesComeOutAsTheyWentInWithManyMoreSegmentsThanSlots() throws Exception {
    Path one = file("one.log", "0123456789".repeat(1_003));
    Path two = file("two.log", "");

    assertThat(send(one, two)).as(err.toString()).isZero();

    assertThat(logs.resolve("one.log")).hasSameBinaryContentAs(one);
    assertThat(logs.resolve("two.log")).isEmptyFile();
    assertThat(out.toString())
        .startsWith("2 of 2 files durable; 10030 bytes in 157 segments shipped");
    assertThat(err.toString()).isEqualToIgnoringNewLines("* 2 files, 9 KiB");
  }

  @Test
  void whatTheServerHasIsNotSentAgain() throws Exception {
    Path log = file("grows.log", "a".repeat(1_000));
    assertThat(send(log)).isZero();
    Files.writeString(log, "a".repeat(1_000) + "b".repeat(100));

    assertThat(send(log)).as(err.toString()).isZero();

    assertThat(logs.resolve("grows.log")).hasSameBinaryContentAs(log);
    assertThat(out.toString()).contains("; 100 bytes in 2 segments");
    // 16 segments came before, and the sequence numbers have wrapped.
    assertThat(err.toString())
        .contains("* grows.log: the server has 1000 bytes, going on with segment 10");
  }

  @Test
  void anotherLogOfTheSameNameIsNotMixedIn() throws Exception {
    assertThat(send(file("app.log", "first log"))).isZero();

    assertThat(send(file("app.log", "other log, longer"))).isEqualTo(1);
    assertThat(send(file("app.log", "short"))).isEqualTo(1);

    assertThat(logs.resolve("app.log")).hasContent("first log");
    assertThat(err.toString())
        .contains("app.log does not begin with the 9 bytes that the server has")
        .contains("app.log has 5 bytes, and the server has 9");
  }

  @Test
  void aGapIsReportedAndNothingBehindItIsWritten() throws Exception {
    RdmaConnection connection = connect(new Hello("gap.log", 4).encode());
    Welcome welcome = Welcome.decode(connection.peerPrivateData(), 4);
    assertThat(welcome.nextSequence()).isEqualTo(FIRST);
    write(connection, welcome, FIRST, 0, 10);

    write(connection, welcome, FIRST + 2, 1, 10);

    sees("left, 1 segments, 10 bytes durable; a gap: segment 4294967291 was expected, 4294967292");
    connection.closed().await(30, TimeUnit.SECONDS);
    assertThat(logs.resolve("gap.log")).hasContent("x".repeat(10));
  }

  @Test
  void aSegmentLargerThanItsSlotIsRefused() throws Exception {
    RdmaConnection connection = connect(new Hello("large.log", 4).encode());
    Welcome welcome = Welcome.decode(connection.peerPrivateData(), 4);
    RegisteredBuffer bytes = connection.memory().allocate(SLOT + 1).await();

    connection.writeWithImmediate(bytes.all(), welcome.memory(), FIRST).await();

    sees("segment 4294967290 must have 1..64 bytes, has 65");
    connection.closed().await(30, TimeUnit.SECONDS);
    assertThat(logs.resolve("large.log")).isEmptyFile();
  }

  @Test
  void aClientThatComesForALogTakesItOver() throws Exception {
    RdmaConnection silent = connect(new Hello("app.log", 4).encode());
    write(silent, Welcome.decode(silent.peerPrivateData(), 4), FIRST, 0, 10);

    assertThat(send(file("app.log", "x".repeat(10) + "and more"))).as(err.toString()).isZero();

    silent.closed().await(30, TimeUnit.SECONDS);
    assertThat(logs.resolve("app.log")).hasContent("x".repeat(10) + "and more");
  }

  @Test
  void oneClientTooManyIsToldThatItMayTryAgain() throws Exception {
    connect(new Hello("a.log", 4).encode());
    connect(new Hello("b.log", 4).encode());

    assertThat(send(file("c.log", "text"))).isEqualTo(1);

    assertThat(err.toString()).contains("the server refused: there are 2 clients already");
    assertThat(logs.resolve("c.log")).doesNotExist();
  }

  @Test
  void aLogThatCannotBeOpenedIsRefusedInWords() throws Exception {
    Files.writeString(logs.resolve("old.log"), "from elsewhere");

    assertThat(send(file("old.log", "text"))).isEqualTo(1);

    assertThat(err.toString()).contains("old.log: the server refused: old.log: ");
    assertThat(logs.resolve("old.log")).hasContent("from elsewhere");
  }

  private static Future<RdmaConnection> welcomed(ConnectRequest request) {
    return request
        .memory()
        .allocateInbox(4 * SLOT)
        .compose(memory -> request.accept(new Welcome(memory.remote(), 4, SLOT, 0, 0, 0).encode()));
  }

  @Test
  void aServerThatAcknowledgesWhatWasNeverSentIsLeft() throws Exception {
    RdmaServer liar = RdmaServer.create(vertx, new RdmaServerOptions(), provider);
    liar.connectRequestHandler(
        request -> welcomed(request).onSuccess(connection -> connection.writeImmediate(77)));
    server.close().await();
    liar.listen(PORT, "10.0.0.1").await();

    assertThat(send(file("app.log", "x".repeat(1_000)))).isEqualTo(1);

    assertThat(err.toString()).contains("app.log: the server acknowledged segment 77");
  }

  @Test
  void aServerThatDiesWithoutAWordIsNoticedWhileOnlyItsAnswerIsMissing() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    AtomicInteger segments = new AtomicInteger();
    RdmaServer silent = RdmaServer.create(vertx, new RdmaServerOptions(), provider);
    silent.connectRequestHandler(
        request ->
            welcomed(request)
                .onSuccess(
                    connection -> {
                      connections.incrementAndGet();
                      connection.immediateHandler(
                          (from, immediate, length) -> segments.incrementAndGet());
                    }));
    server.close().await();
    silent.listen(PORT, "10.0.0.1").await();
    Path log = file("app.log", "x".repeat(10));
    CompletableFuture<Integer> exitCode = CompletableFuture.supplyAsync(() -> send(log));
    until("its segment to come", () -> segments.get() == 1);

    fake.holdSends(true);
    until("it to look whether the server is there", () -> underWay().isPresent());
    FakeCall heartbeat = fake.lastCall("post_send");
    assertThat(heartbeat.i32(24)).as("scatter-gather entries").isZero();
    assertThat(heartbeat.i32(28)).as("IBV_WR_RDMA_WRITE").isZero();
    // Transport retry counter exceeded.
    fake.completeSends(underWay().getAsInt(), 1, 12);
    fake.holdSends(false);

    until("another connection", () -> connections.get() == 2);
    assertThat(err.toString()).contains("retry counter exceeded", "trying again");
    silent.close().await();
    assertThat(exitCode).succeedsWithin(30, TimeUnit.SECONDS).isEqualTo(1);
  }

  private static void until(String what, Callable<Boolean> holds) {
    Awaitility.await(what).atMost(30, TimeUnit.SECONDS).until(holds);
  }

  /** The number of a queue pair with a send that has not completed. */
  private OptionalInt underWay() {
    return fake.queuePairs().stream()
        .mapToInt(Integer::intValue)
        .filter(number -> fake.pendingSends(number) > 0)
        .findFirst();
  }

  @Test
  void wrongArgumentsAreOneLineAndExitCode64() throws Exception {
    for (String arguments :
        List.of(
            "logsync",
            "logsync serve",
            "logsync serve --directory x --receives 0",
            "logsync serve --directory x --srq manual",
            "logsync serve --directory x --srq auto --receives 9",
            "logsync serve --directory x --inflight 4097",
            "logsync serve --directory x --clients 1024 --inflight 4096",
            "logsync serve --directory x --segment 1048577",
            "logsync serve --directory x --first-sequence 4294967296",
            "logsync send --to 10.0.0.1",
            "logsync send " + directory.resolve("nowhere.log") + " --to 10.0.0.1",
            "logsync send pom.xml --to 10.0.0.1 --ack-timeout 0",
            "logsync demo --megabytes 0",
            "logsync demo --rnr-timer 32")) {
      StringWriter said = new StringWriter();
      int exitCode =
          Main.run(
              new Environment(
                  InputStream.nullInputStream(),
                  new PrintWriter(out, true),
                  new PrintWriter(said, true),
                  () -> List.of(provider)),
              arguments.split(" "));

      assertThat(exitCode).as(arguments).isEqualTo(64);
      assertThat(said.toString().lines()).as(arguments).hasSize(1);
      assertThat(said.toString()).startsWith("vertx-rdma: ").contains("--help");
    }
    assertThat(out.toString()).isEmpty();
  }
}
