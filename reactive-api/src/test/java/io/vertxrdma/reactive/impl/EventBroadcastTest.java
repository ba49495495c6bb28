package io.vertxrdma.reactive.impl;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.exceptions.MissingBackpressureException;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventBroadcastTest {

  private final EventBroadcast<Integer> broadcast = new EventBroadcast<>();

  @Test
  void anEndThatASubscriberBringsAboutComesAfterTheEventForAll() {
    broadcast
        .flowable()
        .subscribe(
            event -> {
              if (event == 2) {
                broadcast.finish();
              }
            });
    TestSubscriber<Integer> other = broadcast.flowable().test();

    broadcast.publish(1);
    broadcast.publish(2);
    broadcast.publish(3);

    other.assertValues(1, 2).assertComplete();
  }

  @Test
  void anEventThatASubscriberCausesComesAfterTheOneItReactedToForAll() {
    List<Integer> first = new ArrayList<>();
    broadcast
        .flowable()
        .subscribe(
            event -> {
              first.add(event);
              if (event == 1) {
                broadcast.publish(2);
              }
            });
    TestSubscriber<Integer> other = broadcast.flowable().test();

    broadcast.publish(1);

    assertThat(first).containsExactly(1, 2);
    other.assertValues(1, 2);
  }

  @Test
  void whoFallsBehindByMoreThanTheBufferIsTold() {
    TestSubscriber<Integer> slow = broadcast.flowable().test(0);
    TestSubscriber<Integer> quick = broadcast.flowable().test();

    for (int i = 0; i <= EventBroadcast.BUFFER + 1; i++) {
      broadcast.publish(i);
    }

    slow.assertError(MissingBackpressureException.class);
    quick.assertValueCount(EventBroadcast.BUFFER + 2).assertNoErrors();
  }
}
