package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.reactive.Bench.Transport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** An application's exception is its own affair: it is reported, and everything goes on. */
class HandlerExceptionsTest {

  private static final RuntimeException THROWN = new IllegalStateException("of the application");

  private static void assertReported(Bench bench, int times) {
    List<Throwable> reported = bench.takeUncaught();
    assertThat(reported).hasSize(times);
    assertThat(reported).allSatisfy(one -> assertThat(root(one)).isSameAs(THROWN));
  }

  private static Throwable root(Throwable failure) {
    return failure.getCause() == null ? failure : root(failure.getCause());
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void anImmediateHandlerThatThrowsGetsTheRestOfTheBatch(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection = bench.connection();
      List<Integer> received = new CopyOnWriteArrayList<>();
      connection.immediateHandler(
          (on, immediate, length) -> {
            received.add(immediate);
            if (immediate % 5 == 0) {
              throw THROWN;
            }
          });

      bench.burst(bench.lastQueuePair(), 10);

      Bench.until("all ten", () -> received.size() == 10);
      assertThat(received).isSorted();
      bench.settle();
      assertReported(bench, 2);
      assertThat(connection.isOpen()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aSubscriberThatThrowsLosesItsSubscriptionAndTheNextGetsTheRest(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection = bench.connection();
      AtomicInteger given = new AtomicInteger();
      connection
          .immediates()
          .subscribe(
              new Subscriber<>() {
                @Override
                public void onSubscribe(Subscription subscription) {
                  subscription.request(Long.MAX_VALUE);
                }

                @Override
                public void onNext(Immediate immediate) {
                  given.incrementAndGet();
                  throw THROWN;
                }

                @Override
                public void onError(Throwable failure) {}

                @Override
                public void onComplete() {}
              });

      bench.burst(bench.lastQueuePair(), 10);
      Bench.until("the first", () -> given.get() == 1);
      bench.settle();

      var rest = connection.immediates().test();
      rest.awaitCount(9).assertValueCount(9);
      assertThat(given).hasValue(1);
      assertReported(bench, 1);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aRequestHandlerThatThrowsDoesNotStopTheListener(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaServer server = bench.server();
      List<ConnectRequest> requests = new CopyOnWriteArrayList<>();
      server.connectRequestHandler(
          request -> {
            requests.add(request);
            throw THROWN;
          });
      Bench.get(server.listen());
      for (int i = 0; i < 3; i++) {
        bench.fake.incomingRequest(bench.fake.listenerOn(Bench.PORT)).enqueue();
      }

      Bench.until("all three", () -> requests.size() == 3);
      bench.settle();

      assertReported(bench, 3);
      assertThat(Bench.get(requests.get(2).accept()).isOpen()).isTrue();
    }
  }

  @Test
  void handlersOfAConnectionThatThrowDoNotKeepItFromClosing() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection();
      connection.exceptionHandler(
          failure -> {
            throw THROWN;
          });
      connection.closeHandler(
          nothing -> {
            throw THROWN;
          });
      AtomicInteger closings = new AtomicInteger();
      connection.closeHandler(nothing -> closings.incrementAndGet());

      bench.fake.event(bench.idOf("rdma_connect")).type(11).enqueue();

      Bench.get(connection.closed());
      Bench.until("the other close handler", () -> closings.get() == 1);
      bench.settle();
      assertReported(bench, 2);
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void anObserverOfEventsThatThrowsCostsNobodyElseItsEvents() {
    try (Bench bench = new Bench()) {
      RdmaClient client = bench.client();
      client
          .events()
          .subscribe(
              event -> {
                throw THROWN;
              });

      RdmaConnection connection = Bench.get(client.connect(Bench.PORT, Bench.HOST));

      assertThat(connection.isOpen()).isTrue();
      // RxJava ends that subscription at its first exception.
      assertReported(bench, 1);
    }
  }

  @Test
  void aCompletionHandlerThatThrowsCostsNoOtherOperationItsOwn() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection();
      AtomicInteger completed = new AtomicInteger();
      bench.vertx.runOnContext(
          nothing -> {
            for (int i = 0; i < 20; i++) {
              connection
                  .writeImmediate(i)
                  .onSuccess(
                      done -> {
                        completed.incrementAndGet();
                        throw THROWN;
                      });
            }
          });

      Bench.until("all operations", () -> completed.get() == 20);
      bench.settle();

      assertReported(bench, 20);
      assertThat(connection.counters().operationsCompleted()).isEqualTo(20);
    }
  }
}
