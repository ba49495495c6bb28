package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.WorkCompletions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Completion events: got, acknowledged in one batch, then reported; none is lost at arming. */
class I11_CompletionEventsTest {

  private final FakeRig rig = new FakeRig();

  @AfterEach
  void nothing_is_left() {
    rig.close();
  }

  /** The loop that CASES asks for, over the SPI: drain, re-arm, poll until empty. */
  private List<Integer> run(int batch) {
    List<Integer> seen = new ArrayList<>();
    WorkCompletions completions = rig.queue().allocate(batch);
    int fired;
    do {
      fired =
          rig.completions()
              .drain(
                  queue -> {
                    queue.requestNotification();
                    while (queue.poll(completions) > 0) {
                      for (int i = 0; i < completions.size(); i++) {
                        seen.add(completions.immediate(i));
                      }
                    }
                  });
    } while (fired > 0);
    return seen;
  }

  @Test
  void one_event_for_a_burst_is_enough_when_the_queue_is_emptied() {
    QueuePair pair = rig.connected().queuePair();
    rig.queue().requestNotification();
    rig.postReceives(pair, 32, 0);
    for (int i = 0; i < 32; i++) {
      rig.fake.completeReceiveWithImm(pair.number(), i, 1);
    }
    assertThat(run(5)).hasSize(32).isSorted().startsWith(0).endsWith(31);
    assertThat(rig.fake.calls("ibv_ack_cq_events")).hasSize(1);
  }

  @Test
  void what_comes_between_the_last_poll_and_arming_fires_nothing_and_is_polled_after_arming() {
    QueuePair pair = rig.connected().queuePair();
    rig.queue().requestNotification();
    rig.postReceives(pair, 3, 0);
    rig.fake.completeReceiveWithImm(pair.number(), 1, 1);
    rig.fake.before(
        "req_notify_cq",
        call -> {
          rig.fake.completeReceiveWithImm(pair.number(), 2, 1);
          rig.fake.completeReceiveWithImm(pair.number(), 3, 1);
          rig.fake.asUsual("req_notify_cq");
        });
    assertThat(run(1)).containsExactly(1, 2, 3);
  }

  @Test
  void events_are_acknowledged_before_the_consumer_runs_so_it_may_close_the_queue() {
    CompletionQueue extra = rig.device().createCompletionQueue(4, rig.completions());
    rig.queue();
    rig.fake.clearCalls();
    QueuePair pair = rig.connected().queuePair();
    rig.queue().requestNotification();
    rig.postReceives(pair, 1, 0);
    rig.fake.completeReceiveWithImm(pair.number(), 1, 1);
    List<CompletionQueue> readable = new ArrayList<>();
    assertThat(
            rig.completions()
                .drain(
                    queue -> {
                      readable.add(queue);
                      assertThat(rig.fake.calls("ibv_ack_cq_events")).hasSize(1);
                      extra.close();
                    }))
        .isEqualTo(1);
    assertThat(readable).containsExactly(rig.queue());
  }

  @Test
  void several_events_of_one_queue_are_acknowledged_with_one_call_and_reported_once() {
    QueuePair pair = rig.connected().queuePair();
    rig.postReceives(pair, 3, 0);
    for (int i = 0; i < 3; i++) {
      rig.queue().requestNotification();
      rig.fake.completeReceiveWithImm(pair.number(), i, 1);
    }
    List<CompletionQueue> readable = new ArrayList<>();
    assertThat(rig.completions().drain(readable::add)).isEqualTo(3);
    assertThat(readable).hasSize(1);
    assertThat(rig.fake.calls("ibv_ack_cq_events")).hasSize(1);
    assertThat(rig.fake.lastCall("ibv_ack_cq_events").argument(1)).isEqualTo(3);
  }

  @Test
  void a_consumer_that_throws_keeps_no_event_from_being_acknowledged() {
    QueuePair pair = rig.connected().queuePair();
    rig.queue().requestNotification();
    rig.postReceives(pair, 1, 0);
    rig.fake.completeReceiveWithImm(pair.number(), 1, 1);
    assertThatThrownBy(
            () ->
                rig.completions()
                    .drain(
                        queue -> {
                          throw new IllegalArgumentException("consumer");
                        }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(rig.fake.calls("ibv_ack_cq_events")).hasSize(1);
  }

  @Test
  void an_empty_channel_is_drained_without_blocking() {
    rig.queue();
    assertThat(rig.completions().drain(queue -> {})).isZero();
    assertThat(rig.fake.calls("ibv_ack_cq_events")).isEmpty();
    assertThat(rig.completions().fileDescriptor()).isPositive();
  }

  @Test
  void arming_is_never_for_solicited_events_only() {
    rig.queue().requestNotification();
    assertThat(rig.fake.lastCall("req_notify_cq").argument(2)).isZero();
  }

  @Test
  void each_device_is_polled_through_its_own_function() {
    rig.fake.device("fake1");
    for (var device : rig.provider.devices()) {
      CompletionQueue queue = rig.closing(device.createCompletionQueue(2, null));
      queue.poll(queue.allocate(1));
      queue.requestNotification();
    }
    // The fake records a violation for a function of another device; see nothing_is_left.
    assertThat(rig.fake.calls("poll_cq").get(0).argument(0))
        .isNotEqualTo(rig.fake.calls("poll_cq").get(1).argument(0));
  }
}
