package io.vertxrdma.reactive.impl;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.observers.TestObserver;
import io.vertx.core.Future;
import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.reactive.Bench;
import io.vertxrdma.reactive.Bench.Transport;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class L15_SlowConnectTest {

  static Stream<Arguments> eachStep() {
    return Stream.of(Transport.values())
        .flatMap(
            transport ->
                Stream.of("rdma_resolve_addr", "rdma_resolve_route", "rdma_connect")
                    .map(step -> Arguments.of(transport, step)));
  }

  private static String words(String step) {
    return switch (step) {
      case "rdma_resolve_addr" -> "while resolving the address";
      case "rdma_resolve_route" -> "while resolving the route";
      default -> "while connecting";
    };
  }

  private static RdmaClient client(Bench bench, HostNames names) {
    return new RdmaClientImpl(bench.vertx, new RdmaClientOptions(), bench.provider, names);
  }

  @ParameterizedTest
  @MethodSource("eachStep")
  void aPeerThatNeverAnswersTimesOutAndLateAnswersAreDiscarded(Transport transport, String step) {
    try (Bench bench = new Bench(transport)) {
      bench.fake.silence(step);
      AtomicInteger events = new AtomicInteger();
      int timeout = 50;
      Throwable failure;
      do {
        // As long as this machine needs to get as far as the step.
        timeout *= 2;
        RdmaClient client = bench.client(new RdmaClientOptions().setConnectTimeout(timeout));
        client.events().subscribe(event -> events.incrementAndGet());
        failure = Bench.failure(client.connect(Bench.PORT, Bench.HOST));
      } while (bench.fake.calls(step).isEmpty());

      assertThat(failure)
          .isInstanceOf(ConnectTimeoutException.class)
          .hasMessageContaining("timed out after " + timeout + " ms " + words(step))
          .hasMessageContaining("10.0.0.1:18515");
      bench.assertNoConnectionLeft();
      int before = events.get();
      for (CmEventType late :
          List.of(CmEventType.ADDR_RESOLVED, CmEventType.ROUTE_RESOLVED, CmEventType.ESTABLISHED)) {
        bench.fake.event(bench.idOf(step)).type(late.code()).enqueue();
      }
      bench.settle();
      assertThat(events).hasValue(before);
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void anAnswerThatCrossesTheTimeoutIsDiscarded() {
    try (Bench bench = new Bench()) {
      bench.fake.silence("rdma_connect");
      RdmaClient client = bench.client(new RdmaClientOptions().setConnectTimeout(100));
      bench.fake.before(
          "rdma_destroy_id",
          call -> {
            bench.fake.event(call.argument(0)).type(CmEventType.ESTABLISHED.code()).enqueue();
            Bench.until("the answer to be fetched", () -> bench.fake.eventsWaiting() == 0);
          });

      assertThat(Bench.failure(client.connect(Bench.PORT, Bench.HOST)))
          .isInstanceOf(ConnectTimeoutException.class);

      bench.fake.asUsual("rdma_destroy_id");
      bench.assertNoConnectionLeft();
    }
  }

  @ParameterizedTest
  @MethodSource("eachStep")
  void aStepHasADeadlineOfItsOwn(Transport transport, String step) {
    try (Bench bench = new Bench(transport)) {
      bench.fake.silence(step);
      RdmaClient client =
          bench.client(new RdmaClientOptions().setResolveTimeout(1).setConnectTimeout(2_000));

      assertThat(Bench.failure(client.connect(Bench.PORT, Bench.HOST)))
          .isInstanceOf(ConnectTimeoutException.class)
          .hasMessageContaining(words(step));

      bench.assertNoConnectionLeft();
    }
  }

  @ParameterizedTest
  @MethodSource("eachStep")
  void disposingInAStepAbortsTheAttemptAndLeavesNothing(Transport transport, String step) {
    try (Bench bench = new Bench(transport)) {
      bench.fake.silence(step);
      TestObserver<RdmaConnection> attempt =
          bench.client().rxConnect(Bench.PORT, Bench.HOST).test();
      Bench.until("the step", () -> !bench.fake.calls(step).isEmpty());

      attempt.dispose();

      Bench.until("its id to go", () -> bench.fake.ids().isEmpty());
      attempt.assertNoValues().assertNoErrors();
      bench.assertNoConnectionLeft();
    }
  }

  @ParameterizedTest
  @MethodSource("eachStep")
  void closingTheClientFailsTheAttempt(Transport transport, String step) {
    try (Bench bench = new Bench(transport)) {
      bench.fake.silence(step);
      RdmaClient client = bench.client();
      Future<RdmaConnection> attempt = client.connect(Bench.PORT, Bench.HOST);
      Bench.until("the step", () -> !bench.fake.calls(step).isEmpty());

      Bench.get(client.close());

      assertThat(Bench.failure(attempt))
          .isInstanceOf(ConnectionClosedException.class)
          .hasMessageContaining("closed locally");
      assertThat(bench.fake.liveObjects()).isZero();
    }
  }

  @Test
  void anUnknownHostFailsAtOnceWithItsName() {
    try (Bench bench = new Bench()) {
      RdmaClient client =
          client(bench, (on, name) -> on.failedFuture(new UnknownHostException("no such name")));

      assertThat(Bench.failure(client.connect(Bench.PORT, "nowhere.example")))
          .isInstanceOf(AddressException.class)
          .hasMessageContaining("can't resolve host nowhere.example")
          .hasCauseInstanceOf(UnknownHostException.class);
      assertThat(bench.fake.calls("rdma_create_id")).isEmpty();
    }
  }

  @Test
  void aNameWithoutAddressesFails() {
    try (Bench bench = new Bench()) {
      RdmaClient client = client(bench, (on, name) -> on.succeededFuture(List.of()));

      assertThat(Bench.failure(client.connect(Bench.PORT, "empty.example")))
          .isInstanceOf(AddressException.class)
          .hasMessageContaining("empty.example")
          .hasMessageContaining("no addresses");
    }
  }

  @Test
  void aLookupThatNeverEndsCountsTowardsTheTimeout() {
    try (Bench bench = new Bench()) {
      RdmaClient client =
          new RdmaClientImpl(
              bench.vertx,
              new RdmaClientOptions().setConnectTimeout(50),
              bench.provider,
              (on, name) -> on.<List<InetAddress>>promise().future());

      assertThat(Bench.failure(client.connect(Bench.PORT, "slow.example")))
          .isInstanceOf(ConnectTimeoutException.class)
          .hasMessageContaining("slow.example:18515");
    }
  }

  @Test
  void theLoopGoesOnTickingWhileThePeerIsSilent() {
    try (Bench bench = new Bench()) {
      bench.fake.silence("rdma_connect");
      RdmaClient client = bench.client();
      Future<RdmaConnection> attempt = client.connect(Bench.PORT, Bench.HOST);
      AtomicInteger ticks = new AtomicInteger();
      bench.vertx.setPeriodic(1, timer -> ticks.incrementAndGet());

      Bench.until("some ticks", () -> ticks.get() > 10);

      assertThat(attempt.isComplete()).isFalse();
    }
  }
}
