package io.vertxrdma.reactive.impl;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.reactive.Bench;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

class LoopFlowableTest {

  private final List<Throwable> reported = new CopyOnWriteArrayList<>();
  private Vertx vertx;
  private ContextInternal context;
  private QueueFlowable<Integer> flowable;

  @BeforeEach
  void setUp() {
    vertx = Vertx.vertx();
    vertx.exceptionHandler(reported::add);
    context = ((VertxInternal) vertx).createEventLoopContext();
    flowable = new QueueFlowable<>(context, "numbers()");
  }

  @AfterEach
  void tearDown() {
    Bench.get(vertx.close());
    assertThat(reported).isEmpty();
  }

  /** Runs on the loop and waits for it. */
  private void onLoop(Runnable task) {
    CountDownLatch done = new CountDownLatch(1);
    List<Throwable> failures = new ArrayList<>();
    context.runOnContext(
        nothing -> {
          try {
            task.run();
          } catch (Throwable failure) {
            failures.add(failure);
          }
          done.countDown();
        });
    try {
      assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(failures).isEmpty();
  }

  private void offer(int... numbers) {
    onLoop(
        () -> {
          for (int number : numbers) {
            flowable.offer(number);
          }
        });
  }

  /** A subscriber that decides in onNext what to do next. */
  private abstract static class Taking implements Subscriber<Integer> {
    final List<Object> signals = new CopyOnWriteArrayList<>();
    volatile Subscription subscription;

    abstract void next(int number);

    @Override
    public void onSubscribe(Subscription given) {
      subscription = given;
    }

    @Override
    public void onNext(Integer number) {
      signals.add(number);
      next(number);
    }

    @Override
    public void onError(Throwable failure) {
      signals.add(failure);
    }

    @Override
    public void onComplete() {
      signals.add("complete");
    }
  }

  private static Taking taking(ObjIntConsumer<Taking> action) {
    return new Taking() {
      @Override
      void next(int number) {
        action.accept(this, number);
      }
    };
  }

  @Test
  void itemsComeOnTheLoopInOrderAsFarAsTheyWereAskedFor() {
    TestSubscriber<Integer> subscriber = flowable.test(0);
    List<Boolean> onLoop = new CopyOnWriteArrayList<>();
    offer(1, 2, 3, 4);
    subscriber.assertEmpty();

    subscriber.request(1);
    subscriber.awaitCount(1).assertValuesOnly(1);
    subscriber.request(2);
    subscriber.awaitCount(3).assertValuesOnly(1, 2, 3);
    onLoop(() -> assertThat(flowable.size()).isEqualTo(1));

    subscriber.cancel();
    flowable
        .doOnNext(number -> onLoop.add(context.nettyEventLoop().inEventLoop()))
        .test()
        .awaitCount(1);
    assertThat(onLoop).containsExactly(true);
  }

  @Test
  void aRequestBelowOneDoesNotInterruptTheItemThatIsBeingHandled() {
    List<Integer> signalsMeanwhile = new CopyOnWriteArrayList<>();
    Taking raw =
        taking(
            (self, number) -> {
              int before = self.signals.size();
              self.subscription.request(0);
              signalsMeanwhile.add(self.signals.size() - before);
            });
    // An operator of RxJava's, as far as RxJava knows: it puts nothing between.
    onLoop(() -> flowable.subscribeActual(raw));
    offer(1, 2);

    raw.subscription.request(5);

    onLoop(() -> {});
    assertThat(signalsMeanwhile).containsExactly(0);
    assertThat(raw.signals).hasSize(2).first().isEqualTo(1);
    assertThat(raw.signals.get(1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(flowable.hasSubscriber()).isFalse();
    onLoop(() -> assertThat(flowable.size()).isEqualTo(1));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aRequestBelowOneEndsTheSubscriptionWithAnError(long count) {
    TestSubscriber<Integer> subscriber = new TestSubscriber<>(0);
    Taking raw = taking((self, number) -> {});
    flowable.subscribe(raw);

    raw.subscription.request(count);
    onLoop(() -> {});

    assertThat(raw.signals)
        .singleElement()
        .isInstanceOfSatisfying(
            IllegalArgumentException.class,
            failure -> assertThat(failure).hasMessageContaining("3.9", String.valueOf(count)));
    // The place is free again.
    offer(1);
    flowable.subscribe(subscriber);
    subscriber.request(1);
    subscriber.awaitCount(1).assertValuesOnly(1);
  }

  @Test
  void demandAddsUpAndSaturates() {
    TestSubscriber<Integer> subscriber = flowable.test(Long.MAX_VALUE - 1);
    subscriber.request(5);
    subscriber.request(Long.MAX_VALUE);

    offer(1, 2, 3);

    subscriber.awaitCount(3).assertValuesOnly(1, 2, 3);
  }

  @Test
  void aCancelInTheMiddleKeepsTheRestForTheNextSubscriber() {
    Taking first =
        taking(
            (self, number) -> {
              if (number == 2) {
                self.subscription.cancel();
              }
            });
    flowable.subscribe(first);
    first.subscription.request(Long.MAX_VALUE);

    offer(1, 2, 3, 4, 5);

    assertThat(first.signals).containsExactly(1, 2);
    flowable.test().awaitCount(3).assertValuesOnly(3, 4, 5);
  }

  @Test
  void aRequestInsideOnNextNeitherRecursesNorGetsLost() {
    AtomicInteger depth = new AtomicInteger();
    AtomicInteger deepest = new AtomicInteger();
    Taking subscriber =
        taking(
            (self, number) -> {
              deepest.accumulateAndGet(depth.incrementAndGet(), Math::max);
              self.subscription.request(1);
              depth.decrementAndGet();
            });
    flowable.subscribe(subscriber);
    int[] many = new int[10_000];
    offer(many);

    subscriber.subscription.request(1);
    Bench.until("all", () -> subscriber.signals.size() == many.length);

    assertThat(deepest).hasValue(1);
  }

  @Test
  void anOfferInsideOnNextIsHandedOverAfterIt() {
    Taking subscriber =
        taking(
            (self, number) -> {
              if (number < 5) {
                flowable.offer(number + 1);
                self.signals.add("returned from " + number);
              }
            });
    flowable.subscribe(subscriber);
    subscriber.subscription.request(Long.MAX_VALUE);

    offer(4);

    assertThat(subscriber.signals).containsExactly(4, "returned from 4", 5);
  }

  @Test
  void aSecondSubscriberIsRefusedAndTheFirstGoesOn() {
    TestSubscriber<Integer> first = flowable.test();

    flowable
        .test()
        .assertError(
            failure ->
                failure instanceof IllegalStateException
                    && failure.getMessage().contains("numbers() allows one subscriber"));

    offer(1);
    first.awaitCount(1).assertValuesOnly(1);
    first.cancel();
    flowable.test().assertNoErrors();
  }

  @Test
  void theEndComesAfterWhatIsQueuedWithoutNeedingDemand() {
    TestSubscriber<Integer> subscriber = flowable.test(1);
    offer(1, 2);
    onLoop(() -> flowable.finish(null));
    subscriber.awaitCount(1).assertValuesOnly(1);

    subscriber.request(1);

    subscriber.awaitDone(20, TimeUnit.SECONDS).assertResult(1, 2);
    // An empty queue ends without being asked; later subscribers see the end too.
    flowable.test(0).awaitDone(20, TimeUnit.SECONDS).assertResult();
  }

  @Test
  void aFailureComesAfterWhatIsQueuedAndOnlyTheFirstEndCounts() {
    IllegalStateException cause = new IllegalStateException("lost");
    TestSubscriber<Integer> subscriber = flowable.test(0);
    offer(1);
    onLoop(
        () -> {
          flowable.finish(cause);
          flowable.finish(null);
        });
    subscriber.assertNotComplete().assertNoErrors();

    subscriber.request(1);

    subscriber.awaitDone(20, TimeUnit.SECONDS).assertFailure(IllegalStateException.class, 1);
    subscriber.assertError(cause);
  }

  @Test
  void nothingComesAfterACancelNotEvenTheEnd() {
    TestSubscriber<Integer> subscriber = flowable.test();
    subscriber.cancel();
    offer(1);

    onLoop(() -> flowable.finish(null));

    onLoop(() -> {});
    subscriber.assertEmpty();
  }

  @Test
  void onSubscribeReturnsBeforeAnythingElseHappens() throws InterruptedException {
    offer(1);
    List<String> order = new CopyOnWriteArrayList<>();
    Taking subscriber =
        new Taking() {
          @Override
          public void onSubscribe(Subscription given) {
            super.onSubscribe(given);
            given.request(1);
            onLoop(() -> {});
            order.add("subscribed");
          }

          @Override
          void next(int number) {
            order.add("item");
          }
        };
    Thread other = new Thread(() -> flowable.subscribe(subscriber));

    other.start();
    other.join();
    Bench.until("the item", () -> order.size() == 2);

    assertThat(order).containsExactly("subscribed", "item");
  }

  @Test
  void requestsFromManyThreadsAddUp() {
    TestSubscriber<Integer> subscriber = flowable.test(0);
    offer(new int[1000]);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int j = 0; j < 200; j++) {
                  subscriber.request(1);
                }
              });
      threads.add(thread);
      thread.start();
    }

    subscriber.awaitCount(800);
    onLoop(() -> {});

    subscriber.assertValueCount(800);
    onLoop(() -> assertThat(flowable.size()).isEqualTo(200));
  }

  @Test
  void aSubscriberThatThrowsEndsItsSubscriptionAndIsReported() {
    RuntimeException thrown = new IllegalStateException("of the application");
    Taking subscriber =
        taking(
            (self, number) -> {
              throw thrown;
            });
    flowable.subscribe(subscriber);
    subscriber.subscription.request(5);

    offer(1, 2);

    assertThat(subscriber.signals).containsExactly(1);
    assertThat(reported).containsExactly(thrown);
    reported.clear();
    flowable.test().awaitCount(1).assertValuesOnly(2);
  }
}
