package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertxrdma.core.CmEventType;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;

/**
 * Any events at any step of a connection's life end it at most once, and lead to no native call
 * that would crash, hang or leak: that is what closing the bench checks.
 */
class AnyEventSequenceTest {

  /** One event that the fake is told to deliver. */
  record Injected(int type, int status) {

    void into(Bench bench, long id) {
      bench.fake.event(id).type(type).status(status).rnrRetryCount(7).enqueue();
    }
  }

  /** What ends as how a user sees it: at most one exception, then exactly one close. */
  private static final class Ends {

    private final List<String> signals = new CopyOnWriteArrayList<>();

    void of(RdmaConnection connection) {
      connection.exceptionHandler(failure -> signals.add("failed"));
      connection.closeHandler(done -> signals.add("closed"));
    }

    void assertOne() {
      Bench.until("the close handler", () -> signals.contains("closed"));
      assertThat(signals).isIn(List.of("closed"), List.of("failed", "closed"));
    }
  }

  @Provide
  Arbitrary<List<Injected>> events() {
    // A CONNECT_REQUEST belongs to a listener; without one no library makes it.
    Arbitrary<Integer> types =
        Arbitraries.integers()
            .between(0, 20)
            .filter(type -> type != CmEventType.CONNECT_REQUEST.code());
    Arbitrary<Integer> statuses = Arbitraries.of(0, -1, -110, -111, -19, 8, 10, 28, 77);
    // Often none, so that many get far.
    return Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.just(List.of())),
        Tuple.of(1, Combinators.combine(types, statuses).as(Injected::new).list().ofMaxSize(3)));
  }

  @Property(tries = 40)
  void aClientsAttemptAndItsConnectionEndOnce(
      @ForAll("events") List<Injected> atAddress,
      @ForAll("events") List<Injected> atRoute,
      @ForAll("events") List<Injected> atConnect,
      @ForAll("events") List<Injected> later,
      @ForAll @IntRange(max = 9) int silent,
      @ForAll boolean before) {
    List<String> steps = List.of("rdma_resolve_addr", "rdma_resolve_route", "rdma_connect");
    List<List<Injected>> injected = List.of(atAddress, atRoute, atConnect);
    try (Bench bench = new Bench()) {
      for (int i = 0; i < steps.size(); i++) {
        List<Injected> events = injected.get(i);
        if (silent == i) {
          bench.fake.silence(steps.get(i));
        }
        if (before) {
          bench.fake.before(
              steps.get(i), call -> events.forEach(event -> event.into(bench, call.argument(0))));
        } else {
          bench.fake.after(
              steps.get(i), call -> events.forEach(event -> event.into(bench, call.argument(0))));
        }
      }
      RdmaClient client = bench.client();
      AtomicInteger outcomes = new AtomicInteger();
      Ends ends = new Ends();
      Future<RdmaConnection> connecting =
          client
              .connect(Bench.PORT, Bench.HOST)
              .onSuccess(ends::of)
              .onComplete(done -> outcomes.incrementAndGet());
      if (silent >= steps.size()) {
        Bench.settled(connecting);
      }
      bench.settle();
      if (connecting.succeeded()) {
        long id = bench.idOf("rdma_connect");
        later.forEach(event -> event.into(bench, id));
        bench.settle();
      }

      Bench.get(client.close());
      Bench.settled(connecting);
      bench.settle();

      assertThat(outcomes).hasValue(1);
      if (connecting.succeeded()) {
        ends.assertOne();
      }
      Statistics.collect(connecting.succeeded() ? "established" : "failed");
    }
  }

  @Property(tries = 40)
  void aServersRequestAndItsConnectionEndOnce(
      @ForAll("events") List<Injected> atRequest,
      @ForAll("events") List<Injected> atAnswer,
      @ForAll("events") List<Injected> later,
      @ForAll boolean reject)
      throws InterruptedException {
    try (Bench bench = new Bench()) {
      RdmaServer server = bench.server();
      BlockingQueue<ConnectRequest> requests = new LinkedBlockingQueue<>();
      server.connectRequestHandler(requests::add);
      Bench.get(server.listen());
      bench.fake.incomingRequest(bench.fake.listenerOn(Bench.PORT)).enqueue();
      ConnectRequest request = requests.poll(20, TimeUnit.SECONDS);
      long id = bench.fake.lastId();
      atRequest.forEach(event -> event.into(bench, id));
      bench.fake.after(
          reject ? "rdma_reject" : "rdma_accept",
          call -> atAnswer.forEach(event -> event.into(bench, id)));
      AtomicInteger outcomes = new AtomicInteger();
      Ends ends = new Ends();
      Future<?> answered;
      if (reject) {
        answered = request.reject();
      } else {
        answered = request.accept().onSuccess(ends::of);
      }
      answered.onComplete(done -> outcomes.incrementAndGet());
      Bench.settled(answered);
      bench.settle();
      later.forEach(event -> event.into(bench, id));
      bench.settle();

      Bench.get(server.close());
      bench.settle();

      assertThat(outcomes).hasValue(1);
      if (!reject && answered.succeeded()) {
        ends.assertOne();
      }
      Statistics.collect(reject ? "rejected" : answered.succeeded() ? "established" : "failed");
    }
  }
}
