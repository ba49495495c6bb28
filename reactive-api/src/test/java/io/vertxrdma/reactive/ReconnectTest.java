package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.schedulers.TestScheduler;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.nativeverbs.FakeCall;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A connection that is made again and again; delays pass in virtual time. */
class ReconnectTest {

  private static final int FIRST = 100;
  private static final int LONGEST = 1000;

  private final TestScheduler time = new TestScheduler();
  private final ReconnectPolicy policy =
      ReconnectPolicy.exponential(FIRST, LONGEST, TimeUnit.MILLISECONDS)
          .withJitter(0)
          .withScheduler(time);

  private static int attempts(Bench bench) {
    return bench.fake.calls("rdma_resolve_addr").size();
  }

  private void pass(long millis) {
    time.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
  }

  /** Virtual time must not pass before the delay has begun. */
  private void awaitDelay(Bench bench, int attempts) {
    Bench.until("attempt " + attempts + " to be over", () -> bench.fake.ids().isEmpty());
    bench.settle();
    assertThat(attempts(bench)).isEqualTo(attempts);
  }

  private static void peerCloses(Bench bench) {
    bench.fake.event(bench.idOf("rdma_connect")).type(10).enqueue();
  }

  @Test
  void eachTimeAConnectionEndsThereIsAnotherWithAFreshIdAndQueuePair() {
    try (Bench bench = new Bench()) {
      TestSubscriber<RdmaConnection> connections =
          bench.client().connections(Bench.PORT, Bench.HOST, Buffer.buffer("hi"), policy).test();
      for (int i = 1; i <= 3; i++) {
        connections.awaitCount(i);
        assertThat(connections.values().get(i - 1).isOpen()).isTrue();
        pass(LONGEST);
        peerCloses(bench);
        awaitDelay(bench, i);
        pass(FIRST - 1);
        bench.settle();
        assertThat(attempts(bench)).isEqualTo(i);
        pass(1);
      }

      connections.awaitCount(4).assertNotComplete().assertNoErrors();
      assertThat(bench.fake.calls("rdma_connect"))
          .hasSize(4)
          .allSatisfy(call -> assertThat(call.data()).startsWith('h', 'i'));
      assertThat(connections.values())
          .extracting(RdmaConnection::queuePairNumber)
          .doesNotHaveDuplicates();
      assertThat(bench.fake.calls("rdma_resolve_addr"))
          .extracting((FakeCall call) -> call.argument(0))
          .hasSize(4);
    }
  }

  @Test
  void failedAttemptsAreRepeatedAfterGrowingDelaysAndSuccessStartsOver() {
    try (Bench bench = new Bench()) {
      bench.fake.failNext("rdma_resolve_addr", 101, 3);
      TestSubscriber<RdmaConnection> connections =
          bench.client().connections(Bench.PORT, Bench.HOST, null, policy).test();

      for (int i = 1; i <= 3; i++) {
        int attempt = i;
        Bench.until("attempt " + i, () -> attempts(bench) == attempt);
        awaitDelay(bench, i);
        long delay = (long) FIRST << i - 1;
        pass(delay - 1);
        bench.settle();
        assertThat(attempts(bench)).isEqualTo(i);
        pass(1);
      }
      connections.awaitCount(1);
      pass(LONGEST);
      peerCloses(bench);
      awaitDelay(bench, 4);
      pass(FIRST);

      connections.awaitCount(2).assertNoErrors();
    }
  }

  @Test
  void aConnectionThatEndsAtOnceIsNotMadeAgainAndAgainWithoutGrowingPauses() {
    try (Bench bench = new Bench()) {
      TestSubscriber<RdmaConnection> connections =
          bench.client().connections(Bench.PORT, Bench.HOST, null, policy).test();
      for (int i = 1; i <= 4; i++) {
        connections.awaitCount(i);
        peerCloses(bench);
        awaitDelay(bench, i);
        long delay = (long) FIRST << i - 1;
        pass(delay - 1);
        bench.settle();
        assertThat(attempts(bench)).isEqualTo(i);
        pass(1);
      }
      connections.awaitCount(5).assertNoErrors();
    }
  }

  @Test
  void itEndsWithAFailureThatIsNotWorthAnotherAttempt() {
    try (Bench bench = new Bench()) {
      RdmaServer server = bench.elsewhere(bench::server);
      server.connectRequestHandler(request -> request.reject(Buffer.buffer("go away")));
      Bench.get(server.listen());

      TestSubscriber<RdmaConnection> connections =
          bench.elsewhere(bench::client).connections(Bench.PORT, Bench.HOST, null, policy).test();

      connections.awaitDone(20, TimeUnit.SECONDS).assertError(ConnectionRejectedException.class);
      assertThat(attempts(bench)).isEqualTo(1);
    }
  }

  @Test
  void itEndsWithTheLastOfTheAttemptsAllowed() {
    try (Bench bench = new Bench()) {
      bench.fake.failNext("rdma_resolve_addr", 101, 5);
      TestSubscriber<RdmaConnection> connections =
          bench
              .client()
              .connections(Bench.PORT, Bench.HOST, null, policy.withMaxAttempts(2))
              .test();
      Bench.until("the first attempt", () -> attempts(bench) == 1);
      awaitDelay(bench, 1);
      pass(FIRST);

      connections.awaitDone(20, TimeUnit.SECONDS);
      assertThat(connections.values()).isEmpty();
      assertThat(attempts(bench)).isEqualTo(2);
    }
  }

  @Test
  void nothingIsConnectedThatWasNotAskedFor() {
    try (Bench bench = new Bench()) {
      TestSubscriber<RdmaConnection> connections =
          bench.client().connections(Bench.PORT, Bench.HOST, null, policy).test(0);
      bench.settle();
      assertThat(attempts(bench)).isZero();

      connections.request(1);
      connections.awaitCount(1);
      peerCloses(bench);
      awaitDelay(bench, 1);
      pass(LONGEST);
      bench.settle();
      assertThat(attempts(bench)).isEqualTo(1);
      connections.request(1);

      connections.awaitCount(2).assertNoErrors();
    }
  }

  @Test
  void cancelClosesWhatIsOpen() {
    try (Bench bench = new Bench()) {
      TestSubscriber<RdmaConnection> connections =
          bench.client().connections(Bench.PORT, Bench.HOST, null, policy).test();
      connections.awaitCount(1);

      connections.cancel();

      Bench.get(connections.values().get(0).closed());
      pass(LONGEST);
      bench.settle();
      assertThat(attempts(bench)).isEqualTo(1);
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void cancelAbortsAnAttempt() {
    try (Bench bench = new Bench()) {
      bench.fake.silence("rdma_connect");
      TestSubscriber<RdmaConnection> connections =
          bench.client().connections(Bench.PORT, Bench.HOST, null, policy).test();
      Bench.until("the connect", () -> !bench.fake.calls("rdma_connect").isEmpty());

      connections.cancel();

      Bench.until("the id to go", () -> bench.fake.ids().isEmpty());
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void cancelEndsADelay() {
    try (Bench bench = new Bench()) {
      bench.fake.failNext("rdma_resolve_addr", 101);
      TestSubscriber<RdmaConnection> connections =
          bench.client().connections(Bench.PORT, Bench.HOST, null, policy).test();
      Bench.until("the attempt", () -> attempts(bench) == 1);
      awaitDelay(bench, 1);

      connections.cancel();
      bench.settle();
      pass(LONGEST);
      bench.settle();

      assertThat(attempts(bench)).isEqualTo(1);
    }
  }

  @Test
  void itCompletesWhenTheClientClosesInWhateverStateItIs() {
    try (Bench bench = new Bench()) {
      RdmaClient client = bench.client();
      TestSubscriber<RdmaConnection> open =
          client.connections(Bench.PORT, Bench.HOST, null, policy).test();
      open.awaitCount(1);
      bench.fake.failNext("rdma_resolve_addr", 101);
      TestSubscriber<RdmaConnection> delayed =
          client.connections(Bench.PORT, Bench.HOST, null, policy).test();
      Bench.until("the second attempt", () -> attempts(bench) == 2);
      bench.settle();
      TestSubscriber<RdmaConnection> idle =
          client.connections(Bench.PORT, Bench.HOST, null, policy).test(0);
      bench.settle();

      Bench.get(client.close());

      open.awaitDone(20, TimeUnit.SECONDS).assertComplete();
      delayed.awaitDone(20, TimeUnit.SECONDS).assertComplete();
      idle.awaitDone(20, TimeUnit.SECONDS).assertComplete();
      client
          .connections(Bench.PORT, Bench.HOST, null, policy)
          .test()
          .awaitDone(20, TimeUnit.SECONDS)
          .assertError(IllegalStateException.class);
    }
  }

  @Test
  void eachSubscriberHasConnectionsOfItsOwnAndABadRequestEndsOnlyItsOwn() {
    try (Bench bench = new Bench()) {
      var connections = bench.client().connections(Bench.PORT, Bench.HOST, null, policy);
      TestSubscriber<RdmaConnection> one = connections.test();
      TestSubscriber<RdmaConnection> other = connections.test(0);
      one.awaitCount(1);

      other.request(1);
      other.awaitCount(1);
      assertThat(other.values()).doesNotContainAnyElementsOf(one.values());
    }
  }

  @Test
  void memoryIsAskedForAtEachAttempt() {
    try (Bench bench = new Bench()) {
      List<RdmaMemory> asked = new CopyOnWriteArrayList<>();
      TestSubscriber<RdmaConnection> connections =
          bench
              .client()
              .connections(
                  Bench.PORT,
                  Bench.HOST,
                  null,
                  memory -> {
                    asked.add(memory);
                    return Future.succeededFuture();
                  },
                  policy)
              .test();
      connections.awaitCount(1);
      peerCloses(bench);
      awaitDelay(bench, 1);
      pass(FIRST);

      connections.awaitCount(2);
      assertThat(asked).hasSize(2);
    }
  }

  @Test
  void withoutASchedulerDelaysPassOnTheClientsOwnContext() {
    try (Bench bench = new Bench()) {
      bench.fake.failNext("rdma_resolve_addr", 101, 2);
      List<Boolean> onLoop = new CopyOnWriteArrayList<>();
      RdmaClient client = bench.elsewhere(bench::client);

      RdmaConnection connection =
          client
              .rxConnect(Bench.PORT, Bench.HOST)
              .doOnSubscribe(subscribed -> onLoop.add(io.vertx.core.Context.isOnEventLoopThread()))
              .retryWhen(ReconnectPolicy.exponential(1, 5, TimeUnit.MILLISECONDS))
              .blockingGet();

      assertThat(connection.isOpen()).isTrue();
      // The first subscription is the test's, the further ones are timers'.
      assertThat(onLoop).containsExactly(false, true, true);
    }
  }
}
