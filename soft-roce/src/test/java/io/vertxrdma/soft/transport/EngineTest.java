package io.vertxrdma.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.QueuePairState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The device lock: what happens inside, what when it is left, and from several threads. */
class EngineTest {

  private final Rig rig = new Rig();
  private final Engine engine = rig.client.engine;

  @Test
  void listeners_are_called_once_the_outermost_task_has_left_and_in_order() {
    List<String> events = new ArrayList<>();
    engine.execute(
        () -> {
          assertThat(engine.inside()).isTrue();
          engine.execute(() -> engine.notifyLater(() -> events.add("first")));
          engine.notifyLater(
              () -> {
                assertThat(engine.inside()).isFalse();
                events.add("second");
              });
          engine.notifyLater(() -> events.add("third"));
          events.add("still inside");
        });
    assertThat(events).containsExactly("still inside", "first", "second", "third");
    engine.notifyLater(() -> events.add("at once"));
    assertThat(events).endsWith("at once");
  }

  @Test
  void a_listener_that_throws_keeps_nobody_from_hearing() {
    List<String> events = new ArrayList<>();
    engine.execute(
        () -> {
          engine.notifyLater(
              () -> {
                throw new IllegalStateException("thrown by the test");
              });
          engine.notifyLater(() -> events.add("second"));
        });
    assertThat(events).containsExactly("second");
  }

  @Test
  void a_task_that_throws_leaves_the_lock_free() {
    assertThatThrownBy(
            () ->
                engine.execute(
                    () -> {
                      throw new IllegalStateException("thrown by the test");
                    }))
        .hasMessage("thrown by the test");
    assertThat(engine.inside()).isFalse();
  }

  @Test
  void whatever_is_sent_is_flushed_when_the_lock_is_left() {
    rig.connect();
    rig.server.receive(1, 0);
    rig.client.writeImmediate(1, 1);
    assertThat(rig.network.unflushed()).isZero();
    rig.deliver();
    assertThat(rig.network.unflushed()).isZero();
    rig.network.drop(packet -> true);
    rig.client.writeImmediate(2, 2);
    rig.network.run(200);
    assertThat(rig.network.unflushed()).as("what timers send").isZero();
  }

  @Test
  void start_numbers_have_24_bits_and_differ() {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      numbers.add(engine.allocateStartPsn());
    }
    assertThat(numbers).allMatch(number -> number >= 0 && number <= 0xFFFFFF);
    assertThat(numbers.stream().distinct().count()).isGreaterThan(95);
  }

  @Test
  void closing_breaks_the_queue_pairs_and_is_idempotent() {
    rig.connect();
    rig.client.receive(2, 0);
    engine.close();
    engine.close();
    assertThat(rig.client.pair.state()).isEqualTo(QueuePairState.ERR);
    assertThat(rig.client.pollStatuses()).containsExactly(5, 5);
    rig.client.pair.close();
    rig.client.queue.close();
  }

  @Test
  void two_queue_pairs_of_one_device_talk_to_each_other() {
    SoftQueuePair first = rig.client.createPair();
    SoftQueuePair second = rig.client.createPair();
    first.connect(setup(second.number(), 10, 20));
    second.connect(setup(first.number(), 20, 10));
    MemoryRegion from = rig.client.pattern(5000, 1);
    MemoryRegion to = rig.client.memory(5000);
    rig.client.receive(1, 70);
    rig.client.pair = first;
    rig.client.writeImmediate(1, 1, from, 5000, to);
    rig.deliver();
    assertThat(rig.client.pollIds()).containsExactly(70L, 1L);
    assertThat(End.bytes(to, 0, 5000)).isEqualTo(End.pattern(5000, 1, 0));
  }

  private ConnectionSetup setup(int remote, int sendPsn, int receivePsn) {
    return new ConnectionSetup(
        rig.client.address,
        remote,
        sendPsn,
        receivePsn,
        1024,
        4,
        4,
        14,
        7,
        7,
        Rig.ALL_REMOTE_ACCESS);
  }

  @Test
  void threads_may_post_and_poll_while_packets_arrive() throws InterruptedException {
    rig.connect().shortWaits();
    int messages = 2000;
    AtomicInteger completed = new AtomicInteger();
    AtomicInteger arrived = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    Thread sender =
        new Thread(
            () -> {
              int posted = 0;
              while (completed.get() < messages) {
                if (posted < messages && rig.client.writeImmediate(posted, posted) == 0) {
                  posted++;
                }
                completed.addAndGet(rig.client.poll().size());
              }
            });
    Thread receiver =
        new Thread(
            () -> {
              int posted = 0;
              while (arrived.get() < messages) {
                if (posted < messages && rig.server.receive(1, posted) == 0) {
                  posted++;
                }
                for (End.Completion completion : rig.server.poll()) {
                  if (completion.immediate() != arrived.getAndIncrement()) {
                    wrong.incrementAndGet();
                  }
                }
              }
            });
    sender.start();
    receiver.start();
    while (sender.isAlive() || receiver.isAlive()) {
      rig.network.run(1);
      Thread.onSpinWait();
    }
    sender.join();
    receiver.join();
    assertThat(arrived).hasValue(messages);
    assertThat(wrong).hasValue(0);
  }
}
