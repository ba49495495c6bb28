package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.cm.HandshakeRejectedException;
import io.vertxrdma.cm.HandshakeRejection.Code;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShutdownTest {

  private static final int NO_TIME_LIMIT = 600;

  private static List<Future<Void>> writesUnderWay(Bench bench, RdmaConnection connection) {
    List<Future<Void>> writes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      writes.add(connection.writeImmediate(i));
    }
    Bench.until(
        "the writes to be posted", () -> bench.fake.pendingSends(bench.lastQueuePair()) == 3);
    return writes;
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void whatIsUnderWayCompletesWhatIsNewIsRefusedThenTheConnectionCloses(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      bench.fake.holdSends(true);
      RdmaConnection connection = bench.connection();
      List<Future<Void>> writes = writesUnderWay(bench, connection);

      Future<Void> ended = connection.shutdown(NO_TIME_LIMIT, TimeUnit.SECONDS);
      bench.settle();

      assertThat(ended.isComplete()).isFalse();
      assertThat(connection.isOpen()).isFalse();
      assertThat(Bench.failure(connection.writeImmediate(9)))
          .isInstanceOf(ShutdownException.class)
          .hasMessageContaining("RDMA write with immediate")
          .hasMessageContaining("shutting down");
      assertThat(bench.fake.calls("rdma_disconnect")).isEmpty();

      bench.fake.completeSends(bench.lastQueuePair(), 2, 0);
      bench.settle();
      assertThat(ended.isComplete()).isFalse();
      bench.fake.completeSends(bench.lastQueuePair(), 1, 0);

      Bench.get(ended);
      assertThat(writes).allMatch(Future::succeeded);
      assertThat(connection.counters().operationsCompleted()).isEqualTo(3);
      assertThat(bench.log.alarms()).isEmpty();
      bench.assertNoConnectionLeft();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void whenTheTimeIsUpItClosesAllTheSameAndWhatIsUnderWayIsFlushed(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      bench.fake.holdSends(true);
      RdmaConnection connection = bench.connection();
      List<Future<Void>> writes = writesUnderWay(bench, connection);

      Bench.get(connection.shutdown(50, TimeUnit.MILLISECONDS));

      assertThat(writes)
          .allSatisfy(write -> assertThat(write.cause()).isInstanceOf(FlushedException.class));
      assertThat(bench.log.warnings())
          .singleElement()
          .asString()
          .contains("3 operations still under way 50 ms after shutdown");
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void noTimeAtAllIsAPlainClose() {
    try (Bench bench = new Bench()) {
      bench.fake.holdSends(true);
      RdmaConnection connection = bench.connection();
      List<Future<Void>> writes = writesUnderWay(bench, connection);

      Bench.get(connection.shutdown(0, TimeUnit.SECONDS));

      assertThat(writes)
          .allSatisfy(write -> assertThat(write.cause()).isInstanceOf(FlushedException.class));
    }
  }

  @Test
  void closeCutsAShutdownShort() {
    try (Bench bench = new Bench()) {
      bench.fake.holdSends(true);
      RdmaConnection connection = bench.connection();
      List<Future<Void>> writes = writesUnderWay(bench, connection);
      Future<Void> ended = connection.shutdown(NO_TIME_LIMIT, TimeUnit.SECONDS);

      Bench.get(connection.close());

      assertThat(ended.succeeded()).isTrue();
      assertThat(writes)
          .allSatisfy(write -> assertThat(write.cause()).isInstanceOf(FlushedException.class));
    }
  }

  @Test
  void thePeerThatClosesMeanwhileEndsItOnce() {
    try (Bench bench = new Bench()) {
      bench.fake.holdSends(true);
      RdmaConnection connection = bench.connection();
      List<String> ends = new CopyOnWriteArrayList<>();
      connection.closeHandler(nothing -> ends.add("closed"));
      writesUnderWay(bench, connection);
      Future<Void> ended = connection.shutdown(NO_TIME_LIMIT, TimeUnit.SECONDS);
      bench.settle();

      bench.fake.event(bench.idOf("rdma_connect")).type(10).enqueue();

      Bench.get(ended);
      Bench.until("the close handler", () -> !ends.isEmpty());
      bench.settle();
      assertThat(ends).hasSize(1);
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void theHandlerMaySendALastWord() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection();
      Promise<Void> lastWord = Promise.promise();
      List<String> calls = new CopyOnWriteArrayList<>();
      connection.shutdownHandler(
          nothing -> {
            calls.add("shutdown");
            connection.writeImmediate(7).onComplete(lastWord);
          });
      connection.closeHandler(nothing -> calls.add("closed"));

      Bench.get(connection.shutdown());

      assertThat(lastWord.future().succeeded()).isTrue();
      Bench.until("the close handler", () -> calls.size() == 2);
      assertThat(calls).containsExactly("shutdown", "closed");
    }
  }

  @Test
  void immediatesThatHaveComeAreHandedOverFirst() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection();
      TestSubscriber<Immediate> immediates = connection.immediates().test(1);
      bench.burst(bench.lastQueuePair(), 3);
      immediates.awaitCount(1);

      Future<Void> ended = connection.shutdown(NO_TIME_LIMIT, TimeUnit.SECONDS);
      bench.settle();
      assertThat(ended.isComplete()).isFalse();
      immediates.request(2);

      Bench.get(ended);
      immediates.awaitCount(3);
      assertThat(immediates.values()).extracting(Immediate::value).containsExactly(0L, 1L, 2L);
    }
  }

  @Test
  void aConnectionWithNothingUnderWayClosesAtOnceAndASecondShutdownIsTheSame() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection();

      Bench.get(connection.shutdown(NO_TIME_LIMIT, TimeUnit.SECONDS));

      assertThat(connection.shutdown(1, TimeUnit.DAYS)).isSameAs(connection.closed());
      connection.rxShutdown(1, TimeUnit.DAYS).blockingAwait();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> connection.shutdown(-1, TimeUnit.SECONDS))
          .withMessageContaining("-1");
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aServerRejectsTheUnansweredWithAReasonAndDrainsTheRest(Transport transport)
      throws Exception {
    try (Bench bench = new Bench(transport)) {
      RdmaServer server = bench.elsewhere(bench::server);
      BlockingQueue<ConnectRequest> requests = new LinkedBlockingQueue<>();
      server.connectRequestHandler(requests::add);
      Bench.get(server.listen());
      RdmaClient client = bench.elsewhere(bench::client);
      Future<RdmaConnection> first = client.connect(Bench.PORT, Bench.HOST);
      RdmaConnection accepted = Bench.get(requests.take().accept());
      Bench.get(first);
      Future<RdmaConnection> unanswered = client.connect(Bench.PORT, Bench.HOST);
      ConnectRequest late = requests.take();
      bench.fake.holdSends(true);
      Future<Void> write = accepted.writeImmediate(1);
      int queuePair = accepted.queuePairNumber();
      Bench.until("the write", () -> bench.fake.pendingSends(queuePair) == 1);

      Future<Void> ended = server.shutdown(NO_TIME_LIMIT, TimeUnit.SECONDS);

      assertThat(Bench.failure(unanswered))
          .isInstanceOf(HandshakeRejectedException.class)
          .hasMessageContaining("status 28")
          .hasMessageContaining("the server is shutting down")
          .satisfies(
              failure ->
                  assertThat(((HandshakeRejectedException) failure).rejection().known())
                      .contains(Code.SHUTTING_DOWN));
      assertThat(late.isAnswered()).isTrue();
      bench.settle();
      assertThat(ended.isComplete()).isFalse();
      assertThatIllegalStateException().isThrownBy(server::listen);
      bench.fake.completeSends(queuePair, 1, 0);

      Bench.get(ended);
      assertThat(write.succeeded()).isTrue();
      assertThat(server.close()).isSameAs(ended);
      Bench.get(first.result().closed());
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void anAcceptThatComesTooLateIsRefusedAndThePeerIsToldWhy() throws Exception {
    try (Bench bench = new Bench()) {
      RdmaServer server = bench.elsewhere(bench::server);
      BlockingQueue<ConnectRequest> requests = new LinkedBlockingQueue<>();
      server.connectRequestHandler(requests::add);
      Bench.get(server.listen());
      Future<RdmaConnection> connecting =
          bench.elsewhere(bench::client).connect(Bench.PORT, Bench.HOST);
      ConnectRequest request = requests.take();

      // On one thread: the shutdown is on its way to the loop first, then the answer.
      Future<Void> ended = server.shutdown(NO_TIME_LIMIT, TimeUnit.SECONDS);
      Future<RdmaConnection> accepting;
      try {
        accepting = request.accept();
      } catch (IllegalStateException answered) {
        accepting = Future.failedFuture(answered);
      }

      assertThat(Bench.failure(accepting))
          .isInstanceOfAny(
              ShutdownException.class,
              ConnectionClosedException.class,
              IllegalStateException.class);
      assertThat(Bench.failure(connecting))
          .isInstanceOf(HandshakeRejectedException.class)
          .hasMessageContaining("the server is shutting down");
      Bench.get(ended);
    }
  }

  @Test
  void aClientAbortsItsAttemptsAndDrainsItsConnections() {
    try (Bench bench = new Bench()) {
      bench.fake.holdSends(true);
      RdmaClient client = bench.client();
      RdmaConnection connection = Bench.get(client.connect(Bench.PORT, Bench.HOST));
      List<Future<Void>> writes = writesUnderWay(bench, connection);
      int queuePair = bench.lastQueuePair();
      bench.fake.silence("rdma_resolve_addr");
      Future<RdmaConnection> attempt = client.connect(Bench.PORT, Bench.HOST);
      Bench.until("the attempt", () -> bench.fake.calls("rdma_resolve_addr").size() == 2);

      Future<Void> ended = client.shutdown(NO_TIME_LIMIT, TimeUnit.SECONDS);

      assertThat(Bench.failure(attempt)).isInstanceOf(ConnectionClosedException.class);
      assertThatIllegalStateException()
          .isThrownBy(() -> client.connect(Bench.PORT, Bench.HOST))
          .withMessage("the client is shutting down");
      bench.settle();
      assertThat(ended.isComplete()).isFalse();
      bench.fake.completeSends(queuePair, 3, 0);

      Bench.get(ended);
      assertThat(writes).allMatch(Future::succeeded);
      assertThat(connection.closed().succeeded()).isTrue();
    }
  }

  @Test
  void aServersTimeEndsItToo() {
    try (Bench bench = new Bench()) {
      Bench.Pair pair = bench.pair();
      bench.fake.holdSends(true);
      Future<Void> write = pair.client().writeImmediate(1);
      RdmaClient other = bench.client();
      RdmaConnection stuck = Bench.get(other.connect(Bench.PORT, Bench.HOST));
      Future<Void> more = stuck.writeImmediate(1);

      other.rxShutdown(50, TimeUnit.MILLISECONDS).blockingAwait();

      assertThat(Bench.failure(more)).isInstanceOf(FlushedException.class);
      assertThat(stuck.closed().succeeded()).isTrue();
      assertThat(write.isComplete()).isFalse();
    }
  }
}
