package io.vertxrdma.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.AsyncEventType;
import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.soft.SoftCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Cases I11 and R2: polling, one-shot notification, and what happens when a queue is too small. */
class CompletionQueueTest {

  private final Rig rig = new Rig();
  private final AtomicInteger signals = new AtomicInteger();

  private CompletionChannel serverQueueWithChannel(int entries) {
    CompletionChannel channel = rig.server.engine.createCompletionChannel();
    channel.setReadableListener(
        () -> {
          assertThat(rig.server.engine.inside()).as("listener called under the lock").isFalse();
          signals.incrementAndGet();
        });
    rig.server.setQueue(rig.server.engine.createCompletionQueue(entries, channel));
    return channel;
  }

  private void write(int count) {
    for (int i = 0; i < count; i++) {
      rig.client.writeImmediate(i, i);
    }
    rig.deliver();
  }

  private List<CompletionQueue> drain(CompletionChannel channel, int expectedEvents) {
    List<CompletionQueue> queues = new ArrayList<>();
    assertThat(channel.drain(queues::add)).isEqualTo(expectedEvents);
    return queues;
  }

  @Test
  void one_request_brings_one_event_for_the_next_completion_and_none_for_those_queued() {
    CompletionChannel channel = serverQueueWithChannel(64);
    rig.connect();
    rig.server.receive(20, 0);
    write(2);
    assertThat(signals).hasValue(0);
    rig.server.queue.requestNotification();
    assertThat(drain(channel, 0)).isEmpty();
    write(3);
    assertThat(signals).hasValue(1);
    assertThat(drain(channel, 1)).containsExactly(rig.server.queue);
    assertThat(drain(channel, 0)).isEmpty();
    write(1);
    assertThat(signals).hasValue(1);
    assertThat(rig.server.poll()).hasSize(6);
  }

  @Test
  void events_of_one_queue_add_up_until_they_are_read() {
    CompletionChannel channel = serverQueueWithChannel(64);
    rig.connect();
    rig.server.receive(20, 0);
    for (int i = 0; i < 3; i++) {
      rig.server.queue.requestNotification();
      write(1);
    }
    assertThat(signals).as("from empty to readable once").hasValue(1);
    assertThat(drain(channel, 3)).containsExactly(rig.server.queue);
  }

  @Test
  void a_failing_consumer_does_not_keep_the_other_queues_from_hearing() {
    CompletionChannel channel = serverQueueWithChannel(64);
    CompletionQueue first = rig.server.queue;
    rig.connect();
    rig.server.receive(1, 0);
    first.requestNotification();
    CompletionQueue second = rig.server.engine.createCompletionQueue(64, channel);
    rig.server.setQueue(second);
    rig.server.pair = null;
    SoftQueuePair firstClient = rig.client.pair;
    rig.client.pair = null;
    rig.connect();
    rig.server.receive(1, 0);
    second.requestNotification();
    rig.client.writeImmediate(1, 1);
    rig.client.pair = firstClient;
    rig.client.writeImmediate(1, 1);
    rig.deliver();
    List<CompletionQueue> heard = new ArrayList<>();
    assertThatThrownBy(
            () ->
                channel.drain(
                    queue -> {
                      heard.add(queue);
                      throw new IllegalStateException("not now");
                    }))
        .hasMessage("not now");
    assertThat(heard).containsExactlyInAnyOrder(first, second);
  }

  @Test
  void a_listener_that_comes_late_is_told_of_what_waits() {
    CompletionChannel channel = serverQueueWithChannel(64);
    rig.connect();
    rig.server.receive(1, 0);
    rig.server.queue.requestNotification();
    channel.setReadableListener(null);
    write(1);
    channel.setReadableListener(signals::incrementAndGet);
    assertThat(signals).hasValue(1);
    assertThat(channel.fileDescriptor()).isEqualTo(-1);
  }

  @Test
  void a_batch_takes_no_more_than_it_holds_and_the_rest_stays() {
    rig.connect();
    rig.server.receive(10, 0);
    write(10);
    WorkCompletions four = rig.server.queue.allocate(4);
    List<Integer> counts = new ArrayList<>();
    List<Long> ids = new ArrayList<>();
    int count;
    while ((count = rig.server.queue.poll(four)) > 0) {
      counts.add(count);
      for (int i = 0; i < four.size(); i++) {
        ids.add(four.workRequestId(i));
      }
    }
    assertThat(counts).containsExactly(4, 4, 2);
    assertThat(ids).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    assertThat(four.size()).isZero();
    assertThatThrownBy(() -> four.status(0)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void a_queue_goes_round_without_losing_order() {
    rig.server.setQueue(rig.server.engine.createCompletionQueue(7, null));
    rig.connect();
    long next = 0;
    for (int round = 0; round < 50; round++) {
      int count = 1 + round % 7;
      rig.server.receive(count, next);
      write(count);
      for (long id : rig.server.pollIds()) {
        assertThat(id).isEqualTo(next++);
      }
    }
    assertThat(rig.server.asyncEvent()).isNull();
  }

  @Test
  void a_queue_that_is_exactly_full_is_no_error() {
    rig.server.setQueue(rig.server.engine.createCompletionQueue(2, null));
    rig.connect();
    rig.server.receive(4, 0);
    write(2);
    assertThat(rig.server.asyncEvent()).isNull();
    assertThat(rig.client.pollStatuses()).containsExactly(0, 0);
    assertThat(rig.server.queue.capacity()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void an_overrun_is_an_asynchronous_error_and_ends_the_connection_on_both_sides() {
    rig.retryCount = 2;
    rig.server.setQueue(rig.server.engine.createCompletionQueue(2, null));
    rig.connect();
    rig.server.receive(4, 0);
    write(3);
    assertThat(rig.server.asyncEvent())
        .isEqualTo(
            new AsyncEvent(rig.server.device, AsyncEventType.CQ_ERR, 0, rig.server.queue, 0));
    assertThat(rig.server.asyncEvent()).isNull();
    assertThat(rig.server.pair.state()).isEqualTo(QueuePairState.ERR);
    assertThat(rig.server.count(SoftCounters.Name.COMPLETION_QUEUE_OVERRUN)).isPositive();
    // What could be reported is acknowledged, what could not is not.
    rig.network.settle();
    assertThat(rig.client.pollStatuses()).containsExactly(0, 0, 12);
    assertThat(rig.server.pollIds()).containsExactly(0L, 1L);
  }

  @Test
  void an_overrun_by_sends_ends_all_queue_pairs_of_the_queue() {
    rig.client.setQueue(rig.client.engine.createCompletionQueue(1, null));
    SoftQueuePair bystander = rig.client.createPair();
    rig.client.pair = null;
    rig.connect();
    rig.server.receive(2, 0);
    rig.client.writeImmediate(1, 1);
    rig.client.writeImmediate(2, 2);
    rig.deliver();
    assertThat(rig.client.asyncEvent().type()).isEqualTo(AsyncEventType.CQ_ERR);
    assertThat(rig.client.pair.state()).isEqualTo(QueuePairState.ERR);
    assertThat(bystander.state()).isEqualTo(QueuePairState.ERR);
    assertThat(rig.client.pollIds()).containsExactly(1L);
  }

  @Test
  void completions_of_another_provider_are_refused() {
    WorkCompletions foreign =
        (WorkCompletions)
            java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {WorkCompletions.class},
                (proxy, method, arguments) -> "foreign");
    assertThatThrownBy(() -> rig.server.queue.poll(foreign))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_closed_queue_takes_its_events_with_it() {
    CompletionChannel channel = serverQueueWithChannel(8);
    rig.connect();
    rig.server.receive(1, 0);
    rig.server.queue.requestNotification();
    write(1);
    rig.server.pair.close();
    rig.server.queue.close();
    assertThat(drain(channel, 0)).isEmpty();
    channel.close();
  }
}
