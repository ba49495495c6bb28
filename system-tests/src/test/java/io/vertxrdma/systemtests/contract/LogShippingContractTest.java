package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.observers.TestObserver;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.ReceivePlan;
import io.vertxrdma.reactive.SharedReceiveOptions;
import io.vertxrdma.reactive.WorkRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Eight clients ship their logs with 512 writes in flight each: onto 256 shared receives, which
 * stalls them, and onto the receives that the plan asks for.
 */
class LogShippingContractTest {

  private static final int CLIENTS = 8;
  private static final int WINDOW = 512;
  private static final int SEGMENTS = 2_000;

  @RegisterExtension final ContractRig rig = new ContractRig();
  private final Map<Integer, RdmaConnection> servers = new ConcurrentHashMap<>();
  private final AtomicInteger received = new AtomicInteger();
  private final AtomicInteger wrong = new AtomicInteger();
  private final AtomicLong longest = new AtomicLong();

  private void ship(RdmaServerOptions options, boolean busyAtFirst) {
    RdmaServer server = rig.server(options);
    server.connectRequestHandler(
        request -> {
          int number = request.privateData().getInt(0);
          request.accept().onSuccess(connection -> servers.put(number, connection));
        });
    int port = rig.listen(server);
    RdmaClient client = rig.client(new RdmaClientOptions().setSendDepth(WINDOW));
    List<RdmaConnection> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(rig.await(client.connect(port, rig.address(), Buffer.buffer().appendInt(i))));
    }
    Traffic.eventually("all are accepted", () -> servers.size() == CLIENTS);
    Flowable<WorkRequest> log =
        Flowable.range(0, SEGMENTS).map(i -> WorkRequest.writeWithImmediate(null, i));
    if (!busyAtFirst) {
      servers.values().forEach(this::take);
    }
    TestObserver<Void> shipping =
        Completable.mergeArray(
                clients.stream()
                    .map(connection -> connection.rxPostAll(log, WINDOW))
                    .toArray(Completable[]::new))
            .test();
    if (busyAtFirst) {
      Traffic.eventually("no receive is left", () -> exhausted() > 0);
      servers.values().forEach(this::take);
    }
    Traffic.eventuallyForGood("all is shipped", () -> received.get() == CLIENTS * SEGMENTS);
    shipping.awaitDone(20, TimeUnit.SECONDS).assertComplete();
    assertThat(wrong).as("out of order or twice").hasValue(0);
    assertThat(clients).allMatch(RdmaConnection::isOpen);
    System.out.printf(
        "%d of %d segments, %d times no receive was left, longest pause of a client %d ms%n",
        received.get(),
        CLIENTS * SEGMENTS,
        exhausted(),
        TimeUnit.NANOSECONDS.toMillis(longest.get()));
  }

  private void take(RdmaConnection connection) {
    int[] expected = {0};
    long[] last = {0};
    connection.immediateHandler(
        (from, immediate, length) -> {
          long now = System.nanoTime();
          if (last[0] != 0) {
            longest.accumulateAndGet(now - last[0], Math::max);
          }
          last[0] = now;
          if (immediate != expected[0]++) {
            wrong.incrementAndGet();
          }
          received.incrementAndGet();
        });
  }

  private long exhausted() {
    return servers.values().stream()
        .mapToLong(connection -> connection.counters().receivesExhausted())
        .sum();
  }

  @Test
  void too_few_receives_lose_nothing_and_a_warning_names_them() {
    try (LogCapture log = new LogCapture()) {
      ship(
          new RdmaServerOptions()
              .setSharedReceives(new SharedReceiveOptions().setDepth(256).setMaxDepth(256)),
          true);
      assertThat(exhausted()).isPositive();
      assertThat(log.warnings())
          .anySatisfy(
              line ->
                  assertThat(line).contains("all 256 shared receives are used up", "Raise depth"));
    }
  }

  @Test
  void the_receives_that_the_plan_asks_for_are_never_used_up() {
    ReceivePlan plan = new ReceivePlan(CLIENTS, WINDOW);
    ship(plan.shared(new RdmaServerOptions(), rig.device().attributes()), false);
    assertThat(exhausted()).isZero();
  }
}
