package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link RdmaConnection#immediates()} promises to a Reactive Streams subscriber. */
class ImmediateDemandContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();
  private RdmaConnection server;
  private RdmaConnection client;

  @BeforeEach
  void connect() {
    ContractRig.Pair pair = rig.pair();
    server = pair.server();
    client = pair.client();
  }

  private void sendAndWaitUntilThere(int count) {
    rig.await(Future.all(Traffic.send(client, 0, count)));
    Traffic.eventually("all are there", () -> server.counters().immediatesReceived() == count);
  }

  @Test
  void exactly_as_many_are_handed_over_as_were_asked_for() {
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, 0);
    sendAndWaitUntilThere(20);
    assertThat(subscriber.values()).isEmpty();

    subscriber.request(3);
    Traffic.eventually("three", () -> subscriber.values().size() == 3);
    subscriber.request(1);
    subscriber.request(4);
    Traffic.eventuallyForGood("eight, and no more", () -> subscriber.values().size() == 8);
    assertThat(server.counters().immediatesWaiting()).isEqualTo(12);

    subscriber.request(Long.MAX_VALUE);
    subscriber.request(Long.MAX_VALUE);
    Traffic.eventually("the rest", () -> subscriber.values().size() == 20);
    assertThat(Traffic.values(subscriber)).isEqualTo(Traffic.numbers(0, 20));
    subscriber.assertNotComplete().assertNoErrors();
  }

  @Test
  void demand_that_came_first_is_served_as_immediates_come() {
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, 5);
    sendAndWaitUntilThere(7);
    Traffic.eventuallyForGood("five, and no more", () -> subscriber.values().size() == 5);
    assertThat(server.counters().immediatesWaiting()).isEqualTo(2);
  }

  @ParameterizedTest(name = "asking for {0} ends the subscription with an IllegalArgumentException")
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void asking_for_nothing_or_less_ends_the_subscription(long wrong) {
    sendAndWaitUntilThere(3);
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, 1);
    Traffic.eventually("the first", () -> subscriber.values().size() == 1);

    subscriber.request(wrong);
    Traffic.eventuallyEnded(subscriber);
    subscriber.assertError(
        error ->
            error instanceof IllegalArgumentException
                && error.getMessage().contains("3.9")
                && error.getMessage().contains(Long.toString(wrong)));

    // That was the subscriber's mistake: the connection, and what waits, are not touched.
    assertThat(server.isOpen()).isTrue();
    TestSubscriber<Immediate> next = Traffic.subscribe(server, Long.MAX_VALUE);
    Traffic.eventually("the others", () -> next.values().size() == 2);
    assertThat(Traffic.values(next)).containsExactly(1L, 2L);
  }

  @Test
  void a_cancel_in_the_middle_of_a_batch_consumes_nothing_silently() {
    sendAndWaitUntilThere(20);
    TestSubscriber<Immediate> first = new TestSubscriber<>();
    // take() cancels from inside the seventh onNext.
    server.immediates().take(7).subscribe(first);
    Traffic.eventuallyCompleted(first);
    assertThat(Traffic.values(first)).isEqualTo(Traffic.numbers(0, 7));
    Traffic.eventuallyForGood("the rest waits", () -> server.counters().immediatesWaiting() == 13);

    TestSubscriber<Immediate> second = Traffic.subscribe(server, 5);
    Traffic.eventually("five", () -> second.values().size() == 5);
    second.cancel();
    assertThat(Traffic.values(second)).isEqualTo(Traffic.numbers(7, 12));

    TestSubscriber<Immediate> third = Traffic.subscribe(server, Long.MAX_VALUE);
    Traffic.eventually("the rest", () -> third.values().size() == 8);
    assertThat(Traffic.values(third)).isEqualTo(Traffic.numbers(12, 20));
    Traffic.eventually(
        "every receive but those of a chain is posted again",
        () -> server.counters().receivesPosted() >= 256 - 63);
  }

  @Test
  void a_second_subscriber_is_refused_and_the_first_goes_on() {
    TestSubscriber<Immediate> first = Traffic.subscribe(server, Long.MAX_VALUE);
    TestSubscriber<Immediate> second = Traffic.subscribe(server, Long.MAX_VALUE);

    second.assertError(IllegalStateException.class);
    second.assertError(error -> error.getMessage().contains("one subscriber at a time"));
    rig.await(client.writeImmediate(1));
    Traffic.eventually("the first is served", () -> first.values().size() == 1);
    assertThat(second.values()).isEmpty();
  }

  @Test
  void the_stream_completes_after_a_close_by_the_peer_when_all_was_handed_over() {
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, 2);
    sendAndWaitUntilThere(10);
    rig.await(client.close());
    rig.await(server.closed());
    Traffic.eventuallyForGood(
        "eight still wait, so it isn't over",
        () -> subscriber.values().size() == 2 && !Traffic.hasEnded(subscriber));

    subscriber.request(8);
    Traffic.eventuallyCompleted(subscriber);
    assertThat(Traffic.values(subscriber)).isEqualTo(Traffic.numbers(0, 10));
    subscriber.assertNoErrors();
  }

  @Test
  void the_stream_completes_for_one_who_subscribes_after_the_close() {
    sendAndWaitUntilThere(4);
    rig.await(client.close());
    rig.await(server.closed());
    TestSubscriber<Immediate> late = Traffic.subscribe(server, Long.MAX_VALUE);
    Traffic.eventuallyCompleted(late);
    assertThat(Traffic.values(late)).isEqualTo(Traffic.numbers(0, 4));
  }

  @Test
  void a_local_close_drops_what_nobody_was_given_and_completes_the_stream() {
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, 2);
    sendAndWaitUntilThere(10);
    rig.await(server.close());
    Traffic.eventuallyCompleted(subscriber);
    assertThat(Traffic.values(subscriber)).isEqualTo(Traffic.numbers(0, 2));
    rig.await(client.closed());
  }

  @Test
  void the_stream_fails_with_the_cause_when_the_connection_fails() {
    AtomicReference<Throwable> reported = new AtomicReference<>();
    client.exceptionHandler(reported::set);
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(client, Long.MAX_VALUE);
    rig.await(server.writeImmediate(5));
    Traffic.eventually("one arrives", () -> subscriber.values().size() == 1);

    RegisteredBuffer source = rig.await(client.memory().allocate(8));
    rig.awaitFailure(client.writeWithImmediate(source, new RemoteMemory(4096, 0x1234, 8), 1));

    Traffic.eventuallyEnded(subscriber);
    subscriber.assertError(
        error ->
            error instanceof WorkCompletionException completion
                && completion.status() == WorkCompletionStatus.REM_ACCESS_ERR);
    Traffic.eventually("the handler is told the same", () -> reported.get() != null);
    assertThat(reported.get()).hasMessageContaining("remote access error");
    assertThat(Traffic.values(subscriber)).containsExactly(5L);
    rig.await(server.closed());
  }
}
