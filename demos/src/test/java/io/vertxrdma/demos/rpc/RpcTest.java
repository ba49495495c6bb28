package io.vertxrdma.demos.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.reactivex.rxjava3.observers.TestObserver;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeCall;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server and clients over the fake native layer, whose wire is memory. */
@Timeout(60)
class RpcTest {

  private static final String ADDRESS = "10.0.0.1";
  private static final int PORT = 18520;
  private static final int ECHO = 1;
  private static final int HOLD = 2;
  private static final int FAIL = 3;
  private static final int LARGE = 4;
  private static final RpcOptions OPTIONS = new RpcOptions(4, 256);

  /**
   * A request that the handler of HOLD has, to be answered when the test says so.
   *
   * @param told completed when nobody waits for the answer any more
   */
  private record Held(RpcRequest request, Promise<Buffer> answer, CompletableFuture<Void> told) {}

  private final FakeNativeCalls fake = new FakeNativeCalls();
  private final RdmaProvider provider = FakeProvider.over(fake);
  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<Held> held = new LinkedBlockingQueue<>();
  private RpcServer server;

  @BeforeEach
  void listen() {
    server =
        RpcServer.create(vertx, provider, OPTIONS)
            .handle(ECHO, Future::succeededFuture)
            .handleRequest(
                HOLD,
                request -> {
                  Held one = new Held(request, Promise.promise(), new CompletableFuture<>());
                  request.cancelHandler(nothing -> one.told().complete(null));
                  held.add(one);
                  return one.answer().future();
                })
            .handle(FAIL, body -> failing(body.toString()))
            .handle(LARGE, body -> Future.succeededFuture(Buffer.buffer(new byte[257])));
    server.listen(PORT, ADDRESS).await();
  }

  private static Future<Buffer> failing(String how) {
    return switch (how) {
      case "code" -> Future.failedFuture(new RpcException(42, "as ordered"));
      case "plain" -> Future.failedFuture(new IllegalStateException("not as ordered"));
      case "null" -> null;
      default -> throw new IllegalArgumentException("thrown");
    };
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
    fake.assertClean();
    fake.close();
  }

  private RpcClient client() throws Exception {
    return client(OPTIONS);
  }

  private RpcClient client(RpcOptions options) throws Exception {
    return await(
        RpcClient.connect(vertx, provider, new RdmaClientOptions(), PORT, ADDRESS, options));
  }

  private static <T> T await(Future<T> future) throws TimeoutException {
    return future.await(30, TimeUnit.SECONDS);
  }

  private static Throwable failureOf(Future<?> future) {
    return catchThrowable(() -> await(future));
  }

  private Held nextHeld() throws InterruptedException {
    Held next = held.poll(30, TimeUnit.SECONDS);
    assertThat(next).as("a request that is held").isNotNull();
    return next;
  }

  private static Buffer bytes(String text) {
    return Buffer.buffer(text);
  }

  @Test
  void aCallBringsItsOwnAnswer() throws Exception {
    RpcClient client = client();

    List<Future<Buffer>> answers = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      answers.add(client.call(ECHO, bytes("number " + i)));
    }

    for (int i = 0; i < 1_000; i++) {
      assertThat(await(answers.get(i))).hasToString("number " + i);
    }
    assertThat(await(client.call(ECHO, Buffer.buffer())).length()).isZero();
    assertThat(client.waiting()).isZero();
    assertThat(server.counters().answered()).isEqualTo(1_001);
  }

  @Test
  void answersComeInAnyOrder() throws Exception {
    RpcClient client = client();
    Future<Buffer> first = client.call(HOLD, bytes("first"));
    Future<Buffer> second = client.call(HOLD, bytes("second"));
    Held one = nextHeld();
    Held two = nextHeld();

    two.answer().complete(bytes("two"));

    assertThat(await(second)).hasToString("two");
    assertThat(first.isComplete()).isFalse();
    one.answer().complete(bytes("one"));
    assertThat(await(first)).hasToString("one");
    assertThat(one.request().body()).hasToString("first");
    assertThat(one.request().remainingMillis()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void callersWaitForASlotInOrderAndNoneFails() throws Exception {
    RpcClient client = client();
    List<Future<Buffer>> answers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      answers.add(client.call(HOLD, bytes("" + i)));
    }
    List<Held> open = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      open.add(nextHeld());
    }
    assertThat(client.waiting()).isEqualTo(2);
    assertThat(held).isEmpty();

    open.get(2).answer().complete(bytes("two"));

    assertThat(nextHeld().request().body()).hasToString("4");
    assertThat(client.waiting()).isEqualTo(1);
    open.get(0).answer().complete(bytes("zero"));
    assertThat(nextHeld().request().body()).hasToString("5");
    assertThat(await(answers.get(2))).hasToString("two");
    assertThat(await(answers.get(0))).hasToString("zero");
  }

  @Test
  void theSmallerNumberOfSlotsCounts() throws Exception {
    assertThat(client(new RpcOptions(64, 4_096)).slots()).isEqualTo(4);
    assertThat(client(new RpcOptions(2, 64)).slots()).isEqualTo(2);
  }

  @Test
  void anErrorHasTheCodeAndTextOfTheHandler() throws Exception {
    RpcClient client = client();

    assertError(client.call(FAIL, bytes("code")), 42, "as ordered");
    assertError(client.call(FAIL, bytes("plain")), RpcException.FAILED, "not as ordered");
    assertError(client.call(FAIL, bytes("thrown")), RpcException.FAILED, "thrown");
    assertError(
        client.call(FAIL, bytes("null")), RpcException.FAILED, "the handler returned no future");
    assertError(
        client.call(99, Buffer.buffer()), RpcException.NO_HANDLER, "nobody handles opcode 99");
    assertError(
        client.call(LARGE, Buffer.buffer()),
        RpcException.ANSWER_TOO_LARGE,
        "an answer has at most 256 bytes, this has 257");
    assertThat(await(client.call(ECHO, bytes("still there")))).hasToString("still there");
    assertThat(server.counters().failed()).isEqualTo(6);
  }

  private static void assertError(Future<Buffer> call, int code, String message) {
    assertThat(failureOf(call))
        .isInstanceOfSatisfying(
            RpcException.class, error -> assertThat(error.code()).isEqualTo(code))
        .hasMessage(message);
  }

  @Test
  void aRequestLargerThanASlotIsRefusedNamingTheLimit() throws Exception {
    RpcClient client = client();
    assertThat(client.maxRequestBytes()).isEqualTo(252);
    Buffer most = Buffer.buffer(new byte[252]);

    assertThat(await(client.call(ECHO, most))).isEqualTo(most);
    assertThatThrownBy(() -> client.call(ECHO, Buffer.buffer(new byte[253])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a request has at most 252 bytes, this has 253");
    assertThatThrownBy(() -> client.call(0, most))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an opcode is 1..255, was 0");
    assertThatThrownBy(() -> client.call(ECHO, most, 0, TimeUnit.SECONDS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the deadline must be 1..2147483647 ms, was 0");
  }

  @Test
  void aMissedDeadlineIsAFailureOfItsOwnAndTheServerIsTold() throws Exception {
    RpcClient client = client();

    // Long enough for the request to be begun: one that comes too late is not.
    Future<Buffer> late = client.call(HOLD, bytes("late"), 500, TimeUnit.MILLISECONDS);

    assertThat(failureOf(late))
        .isInstanceOf(RpcDeadlineException.class)
        .hasMessage("no answer within 500 ms");
    Held request = nextHeld();
    assertThat(request.told()).succeedsWithin(30, TimeUnit.SECONDS);
    assertThat(request.request().isCancelled()).isTrue();
    assertThat(request.request().remainingMillis()).isZero();
    CompletableFuture<Void> toldAtOnce = new CompletableFuture<>();
    request.request().cancelHandler(nothing -> toldAtOnce.complete(null));
    assertThat(toldAtOnce).isCompleted();
    // Its late answer goes nowhere, in particular to no other call.
    request.answer().complete(bytes("too late"));
    assertThat(await(client.call(ECHO, bytes("mine")))).hasToString("mine");
    assertThat(server.counters().late()).isEqualTo(1);
    assertThat(server.counters().dropped()).isEqualTo(1);
  }

  @Test
  void aDeadlineCountsWhileACallWaitsForItsSlot() throws Exception {
    RpcClient client = client();
    List<Held> open = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      client.call(HOLD, bytes("open"));
      open.add(nextHeld());
    }

    assertThat(failureOf(client.call(HOLD, bytes("never sent"), 20, TimeUnit.MILLISECONDS)))
        .isInstanceOf(RpcDeadlineException.class);

    assertThat(client.waiting()).isZero();
    open.get(0).answer().complete(Buffer.buffer());
    assertThat(await(client.call(ECHO, bytes("next")))).hasToString("next");
    assertThat(held).isEmpty();
  }

  @Test
  void aCancelledCallFailsAtOnceAndItsSlotIsFreeWhenTheServerKnows() throws Exception {
    RpcClient client = client();
    List<Held> open = new ArrayList<>();
    List<RpcCall> calls = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      calls.add(client.start(HOLD, bytes("" + i)));
      open.add(nextHeld());
    }
    Future<Buffer> waits = client.call(ECHO, bytes("waits"));

    calls.get(1).cancel();

    assertThat(failureOf(calls.get(1).result())).isInstanceOf(RpcCancelledException.class);
    assertThat(await(waits)).hasToString("waits");
    assertThat(open.get(1).request().isCancelled()).isTrue();
    assertThat(open.get(0).request().isCancelled()).isFalse();
    open.get(1).answer().complete(bytes("dropped"));
    open.get(0).answer().complete(bytes("zero"));
    assertThat(await(calls.get(0).result())).hasToString("zero");
    assertThat(server.counters().cancelled()).isEqualTo(1);
    assertThat(server.counters().dropped()).isEqualTo(1);
    // A call that has ended can't be cancelled, and one that waits was never sent.
    calls.get(0).cancel();
    assertThat(calls.get(0).result().succeeded()).isTrue();
  }

  @Test
  void aCallThatIsCancelledBeforeItHasASlotIsNeverSent() throws Exception {
    RpcClient client = client();
    List<Held> open = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      client.call(HOLD, bytes("open"));
      open.add(nextHeld());
    }
    RpcCall waits = client.start(HOLD, bytes("never sent"));

    waits.cancel();

    assertThat(failureOf(waits.result())).isInstanceOf(RpcCancelledException.class);
    open.get(0).answer().complete(Buffer.buffer());
    assertThat(await(client.call(ECHO, bytes("next")))).hasToString("next");
    assertThat(held).isEmpty();
    assertThat(server.counters().cancelled()).isZero();
  }

  @Test
  void aSingleCallsWhenSubscribedToAndCancelsWhenDisposed() throws Exception {
    RpcClient client = client();
    AtomicInteger before = new AtomicInteger((int) server.counters().answered());
    assertThat(client.rxCall(ECHO, bytes("cold"))).isNotNull();
    assertThat(await(client.call(ECHO, bytes("a")))).hasToString("a");
    assertThat(server.counters().answered()).isEqualTo(before.get() + 1L);

    client
        .rxCall(ECHO, bytes("subscribed"))
        .test()
        .awaitDone(30, TimeUnit.SECONDS)
        .assertValue(bytes("subscribed"));

    TestObserver<Buffer> observer = client.rxCall(HOLD, bytes("disposed")).test();
    Held request = nextHeld();
    observer.dispose();
    assertThat(request.told()).succeedsWithin(30, TimeUnit.SECONDS);
    observer.assertNoValues().assertNoErrors();
  }

  @Test
  void theEndOfTheConnectionFailsEveryOpenAndWaitingCallOnce() throws Exception {
    RpcClient client = client();
    AtomicInteger failures = new AtomicInteger();
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      calls.add(client.call(HOLD, bytes("" + i)).onFailure(f -> failures.incrementAndGet()));
    }
    Held request = nextHeld();

    await(server.close());

    for (Future<Buffer> call : calls) {
      assertThat(failureOf(call)).isInstanceOf(RpcConnectionException.class);
    }
    await(client.closed());
    assertThat(failures).hasValue(6);
    assertThat(failureOf(client.call(ECHO, bytes("after"))))
        .isInstanceOf(RpcConnectionException.class);
    assertThat(client.waiting()).isZero();
    assertThat(request.request().isCancelled()).isTrue();
    // Answering nobody is no mistake.
    request.answer().complete(bytes("nobody"));
  }

  @Test
  void aClientThatReusesASlotBeforeItsAnswerIsDisconnected() throws Exception {
    RdmaConnection rude = raw();
    RpcGreeting to = RpcGreeting.ofReply(rude.peerPrivateData(), 4);
    send(rude, to, 1, HOLD, 8);
    nextHeld();

    send(rude, to, 5, HOLD, 8);

    await(rude.closed());
    assertThat(await(client().call(ECHO, bytes("others")))).hasToString("others");
  }

  @Test
  void aRequestThatIsTooShortOrLeavesItsSlotIsAViolation() throws Exception {
    for (int length : new int[] {0, 3, 257}) {
      RdmaConnection rude = raw();
      RpcGreeting to = RpcGreeting.ofReply(rude.peerPrivateData(), 4);

      send(rude, to, 0, ECHO, length);

      await(rude.closed());
    }
  }

  @Test
  void aCancellationOfNothingIsNothing() throws Exception {
    RdmaConnection odd = raw();

    await(odd.writeImmediate(RpcWire.immediate(RpcWire.CANCEL, 0xFF_FFFF)));

    assertThat(await(client().call(ECHO, bytes("others")))).hasToString("others");
    assertThat(odd.isOpen()).isTrue();
    assertThat(server.counters().cancelled()).isZero();
  }

  /** A client that follows no rules. */
  private RdmaConnection raw() throws Exception {
    return await(
        RdmaClient.create(vertx, new RdmaClientOptions(), provider)
            .connect(
                PORT,
                ADDRESS,
                memory ->
                    memory
                        .allocateInbox(4 * 256)
                        .map(made -> new RpcGreeting(made.remote(), 4, 256).encodeRequest())));
  }

  private void send(RdmaConnection connection, RpcGreeting to, int call, int opcode, int length)
      throws Exception {
    RegisteredBuffer bytes = await(connection.memory().allocate(Math.max(1, length)));
    await(
        connection.writeWithImmediate(
            bytes.slice(0, length),
            to.memory().slice((long) (call % 4) * 256, length),
            RpcWire.immediate(opcode, call)));
  }

  @Test
  void aServerThatAnswersWhatNobodyAskedIsLeft() throws Exception {
    RdmaServer liar = RdmaServer.create(vertx, new RdmaServerOptions(), provider);
    liar.connectRequestHandler(
        request ->
            request
                .memory()
                .allocateInbox(4 * 256)
                .compose(
                    made -> request.accept(new RpcGreeting(made.remote(), 4, 256).encodeReply()))
                .onSuccess(
                    connection ->
                        connection.immediateHandler(
                            (from, immediate, length) ->
                                connection.writeImmediate(RpcWire.immediate(RpcWire.ANSWER, 3)))));
    liar.listen(PORT + 1, ADDRESS).await();
    RpcClient client =
        await(
            RpcClient.connect(
                vertx, provider, new RdmaClientOptions(), PORT + 1, ADDRESS, OPTIONS));

    assertThat(failureOf(client.call(ECHO, bytes("honest?"))))
        .isInstanceOf(RpcConnectionException.class)
        .hasMessage("the server answered call 3, which is not open");
    await(client.closed());
  }

  @Test
  void aStrangerIsToldWhatIsSpokenHere() {
    assertThat(
            failureOf(
                RdmaClient.create(vertx, new RdmaClientOptions(), provider)
                    .connect(PORT, ADDRESS, bytes("GET / HTTP/1.1"))))
        .hasMessageContaining("vertx-rdma rpc is spoken here");
  }

  @Test
  void anOpcodeHasOneHandler() {
    assertThatThrownBy(() -> server.handle(ECHO, Future::succeededFuture))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("opcode 1 has a handler already");
  }

  @Test
  void aServerLooksWhetherAClientThatSaysNothingIsThere() throws Exception {
    client();

    Awaitility.await("a heartbeat: an RDMA write of nothing")
        .atMost(30, TimeUnit.SECONDS)
        // Thrown as long as nothing was sent.
        .ignoreException(IllegalStateException.class)
        .until(
            () -> {
              FakeCall last = fake.lastCall("post_send");
              return last.i32(24) == 0 && last.i32(28) == 0;
            });
  }
}
