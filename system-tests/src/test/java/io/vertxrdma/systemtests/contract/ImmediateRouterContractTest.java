package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.observers.TestObserver;
import io.reactivex.rxjava3.subjects.CompletableSubject;
import io.vertx.core.Future;
import io.vertxrdma.reactive.ImmediateLayout;
import io.vertxrdma.reactive.ImmediateRouter;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Immediates split into fields, and routed by one of them, over a live connection. */
class ImmediateRouterContractTest {

  private static final int RECEIVES = 16;
  private static final ImmediateLayout LAYOUT =
      ImmediateLayout.builder().field("type", 8).field("index", 24).build();

  @RegisterExtension final ContractRig rig = new ContractRig();
  private final List<String> handled = new CopyOnWriteArrayList<>();
  private RdmaConnection server;
  private RdmaConnection client;

  private void connect() {
    ContractRig.Pair pair =
        rig.pair(new RdmaServerOptions().setReceiveDepth(RECEIVES), new RdmaClientOptions());
    server = pair.server();
    client = pair.client();
  }

  private Future<Void> send(long type, long index) {
    return client.writeImmediate(LAYOUT.of("type", type).with("index", index).toLong());
  }

  private void note(String who, long immediate) {
    handled.add(who + " " + LAYOUT.get(immediate, "index"));
  }

  @Test
  void each_immediate_reaches_the_handler_of_its_type_in_order_whatever_its_bits() {
    connect();
    ImmediateRouter router =
        LAYOUT
            .route("type")
            .on(0, immediate -> note("zero", immediate.value()))
            .on(255, immediate -> note("last", immediate.value()))
            .onCompletable(
                128, immediate -> Completable.fromAction(() -> note("middle", immediate.value())));
    TestObserver<Void> outcome = router.route(server.immediates()).test();
    List<String> expected = new ArrayList<>();
    long[] types = {0, 128, 255, 7};
    String[] names = {"zero", "middle", "last", ""};
    for (int i = 0; i < 400; i++) {
      long index = i % 3 == 0 ? LAYOUT.field("index").max() - i : i;
      send(types[i % 4], index);
      if (i % 4 != 3) {
        expected.add(names[i % 4] + " " + index);
      }
    }

    Traffic.eventually("all are handled", () -> handled.size() == expected.size());
    assertThat(handled).isEqualTo(expected);
    Traffic.eventually("those of type 7 are counted", () -> router.unrouted() == 100);
    rig.await(client.close());
    rig.await(server.closed());
    Traffic.eventually("the routing ends with the connection", () -> isComplete(outcome));
    outcome.assertComplete();
  }

  private static boolean isComplete(TestObserver<Void> outcome) throws InterruptedException {
    return outcome.await(0, TimeUnit.MILLISECONDS);
  }

  @Test
  void a_handler_that_takes_its_time_holds_the_peer_back() {
    connect();
    CompletableSubject work = CompletableSubject.create();
    ImmediateRouter router =
        LAYOUT
            .route("type")
            .on(1, immediate -> note("quick", immediate.value()))
            .onCompletable(2, immediate -> work);
    router.route(server.immediates()).subscribe();

    send(2, 0);
    List<Future<Void>> sent = new ArrayList<>();
    for (int i = 0; i < 3 * RECEIVES; i++) {
      sent.add(send(1, i));
    }

    // The one being handled was handed over; its receive may be posted again or collected.
    Traffic.eventuallyForGood(
        "no more have come than there are receives",
        () -> server.counters().immediatesReceived() >= RECEIVES - 1);
    assertThat(server.counters().immediatesReceived()).isBetween(RECEIVES - 1L, RECEIVES + 1L);
    assertThat(handled).isEmpty();
    assertThat(sent.get(sent.size() - 1).isComplete()).isFalse();

    work.onComplete();
    Traffic.eventually("all others", () -> handled.size() == 3 * RECEIVES);
    rig.await(Future.all(sent));
    assertThat(handled).startsWith("quick 0", "quick 1").endsWith("quick " + (3 * RECEIVES - 1));
  }

  @Test
  void the_form_without_objects_routes_the_same() {
    connect();
    ImmediateLayout.Field index = LAYOUT.field("index");
    ImmediateRouter router =
        LAYOUT
            .route("type")
            .on(200, (on, immediate, length) -> handled.add("raw " + index.get(immediate)));
    server.immediateHandler(router.handler());

    send(200, 0xABCDEF);
    send(3, 1);
    send(200, 2);

    Traffic.eventually("both are handled", () -> handled.size() == 2);
    assertThat(handled).containsExactly("raw " + 0xABCDEF, "raw 2");
    assertThat(router.unrouted()).isEqualTo(1);
  }
}
