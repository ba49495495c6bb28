package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.streams.ReadStream;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaConnection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The Vert.x faces of the immediates: a ReadStream, and a handler without objects. */
class ImmediateStreamContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();
  private final List<Long> seen = new CopyOnWriteArrayList<>();
  private RdmaConnection server;
  private RdmaConnection client;

  @BeforeEach
  void connect() {
    ContractRig.Pair pair = rig.pair();
    server = pair.server();
    client = pair.client();
  }

  private void send(int first, int count) {
    rig.await(Future.all(Traffic.send(client, first, count)));
    Traffic.eventually(
        "all are there", () -> server.counters().immediatesReceived() == first + count);
  }

  @Test
  void a_paused_stream_hands_over_exactly_what_is_fetched_and_resume_brings_the_rest() {
    ReadStream<Immediate> stream = server.immediateStream();
    stream.pause();
    stream.handler(immediate -> seen.add(immediate.value()));
    send(0, 20);
    Traffic.eventuallyForGood("nothing while paused", seen::isEmpty);

    stream.fetch(2);
    Traffic.eventuallyForGood("two", () -> seen.size() == 2);
    stream.fetch(1);
    stream.fetch(3);
    Traffic.eventuallyForGood("six", () -> seen.size() == 6);

    stream.resume();
    Traffic.eventually("all", () -> seen.size() == 20);
    assertThat(seen).isEqualTo(Traffic.numbers(0, 20));
  }

  @Test
  void a_stream_paused_while_it_waits_hands_over_nothing_that_comes_later() {
    ReadStream<Immediate> stream = server.immediateStream();
    Promise<Context> home = Promise.promise();
    stream.handler(
        immediate -> {
          seen.add(immediate.value());
          home.tryComplete(Vertx.currentContext());
        });
    send(0, 1);
    Context context = rig.await(home.future());
    Promise<Void> paused = Promise.promise();
    context.runOnContext(
        nothing -> {
          stream.pause();
          paused.complete();
        });
    rig.await(paused.future());

    send(1, 9);
    Traffic.eventuallyForGood("nothing while paused", () -> seen.size() == 1);
    stream.fetch(1);
    Traffic.eventuallyForGood("one was fetched", () -> seen.size() == 2);
    stream.fetch(2);
    Traffic.eventuallyForGood("three were fetched", () -> seen.size() == 4);
    stream.resume();
    Traffic.eventually("all", () -> seen.size() == 10);
    assertThat(seen).isEqualTo(Traffic.numbers(0, 10));
  }

  @Test
  void a_pause_from_inside_the_handler_takes_effect_at_once() {
    ReadStream<Immediate> stream = server.immediateStream();
    stream.pause();
    stream.handler(
        immediate -> {
          seen.add(immediate.value());
          if (immediate.value() == 3) {
            stream.pause();
          }
        });
    send(0, 10);
    stream.resume();
    Traffic.eventuallyForGood("four", () -> seen.size() == 4);
    stream.resume();
    Traffic.eventually("all", () -> seen.size() == 10);
    assertThat(seen).isEqualTo(Traffic.numbers(0, 10));
  }

  @Test
  void a_stream_handler_that_throws_is_reported_and_the_stream_goes_on() {
    ReadStream<Immediate> stream = server.immediateStream();
    stream.handler(
        immediate -> {
          seen.add(immediate.value());
          if (immediate.value() == 3) {
            throw new IllegalStateException("meant to fail");
          }
        });
    send(0, 10);
    Traffic.eventually("all", () -> seen.size() == 10);
    Traffic.eventually("it was reported", () -> rig.uncaught().size() == 1);
    assertThat(rig.uncaught().get(0)).hasMessage("meant to fail");
    rig.uncaught().clear();
  }

  @Test
  void a_stream_without_its_handler_loses_nothing_and_goes_on_with_the_next() {
    ReadStream<Immediate> stream = server.immediateStream();
    stream.pause();
    stream.handler(immediate -> seen.add(immediate.value()));
    stream.fetch(3);
    send(0, 5);
    Traffic.eventually("three", () -> seen.size() == 3);
    stream.handler(null);
    stream.fetch(1);
    Traffic.eventuallyForGood("nobody is there", () -> seen.size() == 3);
    stream.handler(immediate -> seen.add(100 + immediate.value()));
    Traffic.eventuallyForGood("what was fetched meanwhile", () -> seen.size() == 4);
    stream.resume();
    Traffic.eventually("all", () -> seen.size() == 5);
    assertThat(seen).containsExactly(0L, 1L, 2L, 103L, 104L);
  }

  @Test
  void fetching_a_negative_amount_is_refused() {
    assertThatThrownBy(() -> server.immediateStream().fetch(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }

  @Test
  void the_end_handler_runs_once_after_the_last_immediate_when_the_peer_closes() {
    AtomicInteger ends = new AtomicInteger();
    AtomicInteger failures = new AtomicInteger();
    ReadStream<Immediate> stream = server.immediateStream();
    stream.endHandler(nothing -> ends.incrementAndGet());
    stream.exceptionHandler(failure -> failures.incrementAndGet());
    stream.pause();
    stream.handler(immediate -> seen.add(immediate.value()));
    send(0, 5);
    rig.await(client.close());
    rig.await(server.closed());
    stream.fetch(4);
    Traffic.eventuallyForGood("four, so it isn't over", () -> seen.size() == 4 && ends.get() == 0);
    stream.resume();
    Traffic.eventuallyForGood("five and the end", () -> seen.size() == 5 && ends.get() == 1);
    assertThat(failures).hasValue(0);
  }

  @Test
  void the_immediate_handler_takes_what_waited_and_what_comes_and_gives_its_place_back() {
    send(0, 5);
    Promise<Context> home = Promise.promise();
    server.immediateHandler(
        (connection, immediate, length) -> {
          assertThat(connection).isSameAs(server);
          seen.add((long) immediate);
          home.tryComplete(Vertx.currentContext());
        });
    Traffic.eventually("what waited", () -> seen.size() == 5);
    send(5, 300);
    Traffic.eventually("what came", () -> seen.size() == 305);
    assertThat(seen).isEqualTo(Traffic.numbers(0, 305));

    // Off the event loop it takes effect a little later: what comes before still goes to it.
    server.immediateHandler(null);
    Promise<Void> gone = Promise.promise();
    rig.await(home.future()).runOnContext(nothing -> gone.complete());
    rig.await(gone.future());
    Promise<Void> removed = Promise.promise();
    send(305, 2);
    Traffic.eventually("two wait", () -> server.counters().immediatesWaiting() == 2);
    assertThat(seen).hasSize(305);
    server
        .immediates()
        .take(2)
        .map(Immediate::value)
        .toList()
        .subscribe(
            rest -> {
              seen.addAll(rest);
              removed.complete();
            },
            removed::fail);
    rig.await(removed.future());
    assertThat(seen).isEqualTo(Traffic.numbers(0, 307));
  }

  @Test
  void an_immediate_handler_is_refused_while_the_stream_has_a_subscriber() {
    Traffic.subscribe(server, 1);
    assertThatThrownBy(() -> server.immediateHandler((connection, immediate, length) -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("subscriber");
  }

  @Test
  void a_handler_that_throws_is_reported_and_the_others_are_still_handed_over() {
    send(0, 10);
    server.immediateHandler(
        (connection, immediate, length) -> {
          seen.add((long) immediate);
          if (immediate == 3) {
            throw new IllegalStateException("meant to fail");
          }
        });
    Traffic.eventually("all", () -> seen.size() == 10);
    Traffic.eventually("it was reported", () -> rig.uncaught().size() == 1);
    assertThat(rig.uncaught().get(0)).hasMessage("meant to fail");
    rig.uncaught().clear();
    assertThat(server.isOpen()).isTrue();
  }
}
