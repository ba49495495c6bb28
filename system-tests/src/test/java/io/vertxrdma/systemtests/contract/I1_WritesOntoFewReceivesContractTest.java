package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertxrdma.reactive.ConnectionCounters;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** More writes than receives: the subscriber's demand decides, and nothing is lost. */
class I1_WritesOntoFewReceivesContractTest {

  private static final int RECEIVES = 256;
  private static final int WRITES = 512;

  @RegisterExtension final ContractRig rig = new ContractRig();
  private final AtomicReference<Throwable> broken = new AtomicReference<>();
  private RdmaConnection server;
  private RdmaConnection client;

  @BeforeEach
  void connect() {
    ContractRig.Pair pair =
        rig.pair(
            new RdmaServerOptions().setReceiveDepth(RECEIVES),
            new RdmaClientOptions().setSendDepth(WRITES));
    server = pair.server();
    client = pair.client();
    server.exceptionHandler(broken::set);
    client.exceptionHandler(broken::set);
  }

  @Test
  void all_512_arrive_in_order_at_a_subscriber_that_asks_for_256_and_waits() {
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, RECEIVES);

    List<Future<Void>> sent = Traffic.send(client, 0, WRITES);

    // The first half was handed over and its receives were posted again, for the second half.
    Traffic.eventually(
        "the second half waits for demand",
        () -> server.counters().immediatesWaiting() == WRITES - RECEIVES);
    assertThat(Traffic.values(subscriber)).isEqualTo(Traffic.numbers(0, RECEIVES));
    assertThat(server.counters().receivesPosted()).isZero();

    subscriber.request(RECEIVES);
    rig.await(Future.all(sent));
    Traffic.eventually("all arrive", () -> subscriber.values().size() == WRITES);
    assertThat(Traffic.values(subscriber)).isEqualTo(Traffic.numbers(0, WRITES));
    Traffic.eventually(
        "every receive is posted again", () -> server.counters().receivesPosted() == RECEIVES);
    assertThat(server.counters().immediatesReceived()).isEqualTo(WRITES);
    assertThat(client.counters().operationsCompleted()).isEqualTo(WRITES);
    assertThat(broken).hasNullValue();
  }

  @Test
  void a_subscriber_that_asks_for_nothing_stalls_the_sender_until_it_asks() {
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, 0);

    List<Future<Void>> sent = Traffic.send(client, 0, WRITES);

    Traffic.eventuallyForGood("all receives are used up and the rest waits", this::isStalled);
    assertThat(sent).noneMatch(Future::failed);
    assertThat(sent.get(WRITES - 1).isComplete()).isFalse();
    assertThat(subscriber.values()).isEmpty();
    assertThat(server.isOpen()).isTrue();
    assertThat(client.isOpen()).isTrue();
    assertThat(broken).hasNullValue();

    subscriber.request(Long.MAX_VALUE);
    rig.await(Future.all(sent));
    Traffic.eventually("all arrive", () -> subscriber.values().size() == WRITES);
    assertThat(Traffic.values(subscriber)).isEqualTo(Traffic.numbers(0, WRITES));
    assertThat(broken).hasNullValue();
  }

  private boolean isStalled() {
    ConnectionCounters receiving = server.counters();
    ConnectionCounters sending = client.counters();
    return receiving.receivesPosted() == 0
        && receiving.receivesPostedTotal() == RECEIVES
        && receiving.immediatesReceived() == RECEIVES
        && receiving.immediatesWaiting() == RECEIVES
        // Not every request is signalled, so a few of those placed may still count.
        && sending.operationsCompleted() <= RECEIVES
        && sending.operationsOutstanding() + sending.operationsWaiting()
            == WRITES - sending.operationsCompleted();
  }
}
