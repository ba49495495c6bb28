package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A full send queue is flow control: operations wait, none is lost and nothing is closed. */
class R3_SendQueueFullContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void a_thousand_writes_through_a_queue_of_16_complete_in_order() {
    ContractRig.Pair pair =
        rig.pair(new RdmaServerOptions(), new RdmaClientOptions().setSendDepth(16));
    RdmaConnection client = pair.client();
    AtomicReference<Throwable> broken = new AtomicReference<>();
    client.exceptionHandler(broken::set);
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(pair.server(), Long.MAX_VALUE);
    List<Long> completed = new CopyOnWriteArrayList<>();
    AtomicInteger mostOutstanding = new AtomicInteger();

    List<Future<Void>> sent = new ArrayList<>();
    for (long i = 0; i < 1000; i++) {
      long number = i;
      sent.add(
          client
              .writeImmediate(number)
              .onSuccess(
                  done -> {
                    completed.add(number);
                    mostOutstanding.accumulateAndGet(
                        client.counters().operationsOutstanding(), Math::max);
                  }));
    }

    rig.await(Future.all(sent));
    Traffic.eventually("all completed", () -> completed.size() == 1000);
    assertThat(completed).isEqualTo(Traffic.numbers(0, 1000));
    Traffic.eventually("all arrive", () -> subscriber.values().size() == 1000);
    assertThat(Traffic.values(subscriber)).isEqualTo(Traffic.numbers(0, 1000));
    assertThat(mostOutstanding.get()).isBetween(1, 16);
    assertThat(client.counters().operationsWaiting()).isZero();
    assertThat(client.isOpen()).isTrue();
    assertThat(broken).hasNullValue();
  }

  @Test
  void the_write_queue_says_when_it_is_full_and_calls_the_drain_handler_once_it_has_room() {
    ContractRig.Pair pair =
        rig.pair(
            new RdmaServerOptions().setReceiveDepth(16), new RdmaClientOptions().setSendDepth(16));
    RdmaConnection client = pair.client();
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(pair.server(), 0);
    AtomicInteger drained = new AtomicInteger();
    client.setWriteQueueMaxSize(40);
    client.drainHandler(nothing -> drained.incrementAndGet());
    List<Future<Void>> sent = new ArrayList<>();

    while (!client.writeQueueFull() && sent.size() < 1000) {
      sent.add(client.writeImmediate(sent.size()));
    }

    // 16 found a receive, and they may have completed while the others were submitted.
    assertThat(sent.size()).isBetween(40, 40 + 16);
    // It is a hint: what comes all the same is taken.
    sent.add(client.writeImmediate(sent.size()));
    Traffic.eventuallyForGood("nothing drains while nobody reads", () -> drained.get() == 0);

    subscriber.request(Long.MAX_VALUE);
    rig.await(Future.all(sent));
    Traffic.eventuallyForGood("drained once", () -> drained.get() == 1);
    assertThat(client.writeQueueFull()).isFalse();
    Traffic.eventually("all arrive", () -> subscriber.values().size() == sent.size());
    assertThat(Traffic.values(subscriber)).isEqualTo(Traffic.numbers(0, sent.size()));
    assertThatThrownBy(() -> client.setWriteQueueMaxSize(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0");
  }

  @Test
  void writes_from_many_threads_all_arrive_each_threads_own_in_order() throws Exception {
    ContractRig.Pair pair =
        rig.pair(new RdmaServerOptions(), new RdmaClientOptions().setSendDepth(16));
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(pair.server(), Long.MAX_VALUE);
    List<Future<Void>> sent = new CopyOnWriteArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      long first = t * 1000L;
      threads.add(new Thread(() -> sent.addAll(Traffic.send(pair.client(), first, 100))));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    rig.await(Future.all(sent));
    Traffic.eventually("all arrive", () -> subscriber.values().size() == 400);
    for (int t = 0; t < 4; t++) {
      long first = t * 1000L;
      assertThat(Traffic.values(subscriber).stream().filter(v -> v / 1000 == first / 1000).toList())
          .isEqualTo(Traffic.numbers(first, first + 100));
    }
  }

  @Test
  void an_operation_posted_on_the_event_loop_never_overtakes_one_that_was_posted_before() {
    ContractRig.Pair pair = rig.pair();
    RdmaConnection client = pair.client();
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(pair.server(), Long.MAX_VALUE);
    Promise<Context> home = Promise.promise();
    client.writeImmediate(0).onComplete(done -> home.complete(Vertx.currentContext()));
    Context context = rig.await(home.future());
    for (int round = 0; round < 200; round++) {
      long first = 1 + 2L * round;
      Promise<Void> second = Promise.promise();
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch posted = new CountDownLatch(1);
      context.runOnContext(
          nothing -> {
            begun.countDown();
            await(posted);
            client.writeImmediate(first + 1).onComplete(second);
          });
      await(begun);
      client.writeImmediate(first);
      posted.countDown();
      rig.await(second.future());
    }
    Traffic.eventually("all arrive", () -> subscriber.values().size() == 401);
    assertThat(Traffic.values(subscriber)).isEqualTo(Traffic.numbers(0, 401));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(ContractRig.TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
