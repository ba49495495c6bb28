package io.vertxrdma.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.soft.SoftCounters;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Error state, flushing, selective signalling, and giving up on a peer that is gone. */
class FlushAndRetryTest {

  private final Rig rig = new Rig();

  @Test
  void going_to_error_flushes_sends_then_receives_in_order_and_once() {
    rig.connect();
    rig.network.drop(packet -> true);
    rig.client.receive(4, 1000);
    for (int i = 0; i < 3; i++) {
      rig.client.post(i, SendOpcode.RDMA_WRITE_WITH_IMM, 0, i, null, 0, 0, 0, 0);
    }
    assertThat(rig.client.poll()).isEmpty();
    rig.client.pair.toError();
    assertThat(rig.client.poll())
        .extracting(End.Completion::id, End.Completion::status)
        .containsExactly(
            tuple(0L, 5),
            tuple(1L, 5),
            tuple(2L, 5),
            tuple(1000L, 5),
            tuple(1001L, 5),
            tuple(1002L, 5),
            tuple(1003L, 5));
    rig.client.pair.toError();
    assertThat(rig.client.poll()).isEmpty();
    assertThat(rig.client.pair.query().state()).isEqualTo(QueuePairState.ERR);
    assertThat(rig.network.timers.running()).isZero();
  }

  @Test
  void an_error_completion_says_only_id_status_and_queue_pair() {
    rig.connect();
    rig.client.receive(1, 9);
    rig.client.pair.toError();
    assertThat(rig.client.poll())
        .containsExactly(new End.Completion(9, 5, 0, 0, 0, 0, rig.client.pair.number(), 0));
  }

  @Test
  void sends_posted_in_error_are_taken_and_flushed() {
    rig.connect();
    rig.client.pair.toError();
    rig.network.log.clear();
    assertThat(rig.client.writeImmediate(5, 1)).isZero();
    assertThat(rig.client.pollStatuses()).containsExactly(5);
    assertThat(rig.network.log).isEmpty();
  }

  @Test
  void receives_posted_in_error_are_taken_and_never_flushed_as_on_rxe() {
    rig.connect();
    rig.client.pair.toError();
    assertThat(rig.client.receive(2, 5)).isZero();
    rig.client.pair.toError();
    rig.network.settle();
    assertThat(rig.client.poll()).isEmpty();
  }

  @Test
  void a_queue_pair_not_connected_yet_flushes_its_receives_too() {
    rig.client.createPair();
    rig.client.receive(2, 0);
    rig.client.pair.toError();
    assertThat(rig.client.pollStatuses()).containsExactly(5, 5);
    assertThatThrownBy(() -> rig.connect())
        .isInstanceOf(RdmaException.class)
        .extracting("code")
        .isEqualTo(22);
  }

  @Test
  void packets_to_a_queue_pair_in_error_or_not_connected_are_dropped_and_counted() {
    rig.connect();
    rig.server.receive(5, 0);
    rig.client.writeImmediate(1, 1);
    rig.server.pair.toError();
    rig.deliver();
    assertThat(rig.server.count(SoftCounters.Name.DROP_BAD_STATE)).isEqualTo(1);
    assertThat(rig.server.pollStatuses()).containsExactly(5, 5, 5, 5, 5);
  }

  @Test
  void what_was_executed_is_still_acknowledged_when_the_receiver_leaves() {
    rig.connect();
    rig.server.receive(1, 0);
    rig.client.writeImmediate(1, 1);
    rig.network.drop(packet -> false);
    rig.deliver();
    rig.server.pair.toError();
    rig.server.pair.close();
    rig.deliver();
    assertThat(rig.client.pollStatuses()).containsExactly(0);
  }

  @Test
  void unsignalled_requests_complete_silently_and_free_their_slots() {
    rig.client.capabilities = new QueuePairCapabilities(16, 1, 1, 1, 0);
    rig.connect();
    rig.server.receive(320, 0);
    try (SendBatch batch = rig.client.pair.allocateSendBatch(17, 0)) {
      for (int i = 0; i < 17; i++) {
        int flags = i == 15 ? SendFlag.SIGNALED : 0;
        batch.add(i, SendOpcode.RDMA_WRITE_WITH_IMM, flags, i, 0, 0);
      }
      for (int round = 0; round < 20; round++) {
        assertThat(batch.post()).as("queue full").isEqualTo(12);
        assertThat(batch.posted()).isEqualTo(16);
        rig.deliver();
        assertThat(rig.client.pollIds()).containsExactly(15L);
      }
    }
    assertThat(rig.server.poll()).hasSize(320);
  }

  @Test
  void a_queue_pair_that_signals_all_completes_everything_visibly() {
    rig.client.signalAll = true;
    rig.connect();
    rig.server.receive(3, 0);
    for (int i = 0; i < 3; i++) {
      rig.client.post(i, SendOpcode.RDMA_WRITE_WITH_IMM, 0, i, null, 0, 0, 0, 0);
    }
    rig.deliver();
    assertThat(rig.client.pollIds()).containsExactly(0L, 1L, 2L);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 7})
  void a_silent_peer_is_asked_as_often_as_the_count_says_and_then_given_up(int count) {
    rig.retryCount = count;
    rig.connect();
    rig.network.drop(packet -> packet.source().equals(rig.client.address));
    rig.client.writeImmediate(1, 1);
    rig.client.writeImmediate(2, 2);
    rig.network.settle();
    assertThat(rig.client.poll())
        .extracting(End.Completion::id, End.Completion::status)
        .containsExactly(tuple(1L, 12), tuple(2L, 5));
    assertThat(rig.network.log).hasSize(2 * (count + 1));
    assertThat(rig.client.count(SoftCounters.Name.ACK_TIMEOUT)).isEqualTo(count + 1);
    assertThat(rig.client.pair.state()).isEqualTo(QueuePairState.ERR);
    assertThat(rig.network.timers.running()).isZero();
  }

  @Test
  void no_timeout_comes_before_its_time() {
    rig.timeout = 10;
    rig.connect();
    rig.network.drop(packet -> true);
    rig.client.writeImmediate(1, 1);
    long timeout = 4096L << 10;
    assertThat(rig.network.timers.runNext(timeout - 1)).isFalse();
    assertThat(rig.network.timers.runNext(timeout)).isTrue();
    assertThat(rig.network.log).hasSize(2);
  }

  @Test
  void a_packet_sent_shortly_before_the_timer_runs_out_has_a_whole_timeout() {
    rig.timeout = 10;
    rig.connect();
    rig.server.receive(2, 0);
    long timeout = 4096L << 10;
    rig.client.writeImmediate(1, 1);
    rig.network.timers.setNow(timeout - 1);
    rig.deliver();
    rig.network.drop(packet -> true);
    rig.network.log.clear();
    rig.client.writeImmediate(2, 2);
    while (rig.network.timers.runNext(2 * timeout - 2)) {
      assertThat(rig.network.log).hasSize(1);
    }
    rig.network.timers.runNext(2 * timeout);
    assertThat(rig.network.log).hasSize(2);
  }

  /** Runs the timer that is due next, that much after its time. */
  private void runLate(long due, long late) {
    rig.network.timers.setNow(due + late);
    assertThat(rig.network.timers.runNext(due + late)).isTrue();
  }

  @Test
  void a_timer_that_runs_late_sends_nothing_again_since_the_answer_may_lie_unread() {
    rig.retryCount = 0;
    rig.connect();
    rig.server.receive(1, 0);
    long timeout = 4096L << rig.timeout;
    rig.client.writeImmediate(1, 1);
    runLate(timeout, timeout / 4 + 1);
    assertThat(rig.network.log).hasSize(1);
    assertThat(rig.client.count(SoftCounters.Name.ACK_TIMEOUT)).isZero();
    rig.network.settle();
    assertThat(rig.client.pollStatuses()).containsExactly(0);
  }

  @Test
  void a_timer_that_is_hardly_late_counts() {
    rig.retryCount = 0;
    rig.connect();
    long timeout = 4096L << rig.timeout;
    rig.client.writeImmediate(1, 1);
    runLate(timeout, timeout / 4);
    assertThat(rig.client.pollStatuses()).containsExactly(12);
  }

  @Test
  void a_silent_peer_is_given_up_after_twice_the_timers_when_all_of_them_run_late() {
    rig.retryCount = 3;
    rig.connect();
    rig.network.drop(packet -> true);
    long timeout = 4096L << rig.timeout;
    rig.client.writeImmediate(1, 1);
    for (int timer = 1; timer <= 8; timer++) {
      assertThat(rig.client.poll()).as("before timer %d", timer).isEmpty();
      runLate(rig.network.timers.nanoTime() + timeout, timeout / 2);
    }
    assertThat(rig.client.pollStatuses()).containsExactly(12);
    assertThat(rig.network.log).hasSize(4);
    assertThat(rig.network.timers.running()).isZero();
  }

  @Test
  void without_a_timeout_code_there_is_no_timer() {
    rig.timeout = 0;
    rig.connect();
    rig.network.drop(packet -> true);
    rig.client.writeImmediate(1, 1);
    assertThat(rig.network.timers.running()).isZero();
  }

  @Test
  void any_progress_restores_the_retry_count() {
    rig.retryCount = 1;
    rig.connect();
    rig.server.receive(10, 0);
    boolean[] lost = new boolean[10];
    rig.network.drop(
        packet -> {
          int index = packet.psn() - 0x1000;
          boolean first = index >= 0 && index < 10 && !lost[index];
          if (first) {
            lost[index] = true;
          }
          return first;
        });
    for (int i = 0; i < 10; i++) {
      rig.client.writeImmediate(i, i);
      rig.network.settle();
    }
    assertThat(rig.client.count(SoftCounters.Name.ACK_TIMEOUT)).isEqualTo(10);
    assertThat(rig.client.pollIds()).isEqualTo(LongStream.range(0, 10).boxed().toList());
    assertThat(rig.client.pair.state()).isEqualTo(QueuePairState.RTS);
  }

  @Test
  void a_lost_acknowledgement_costs_a_repetition_but_the_write_happens_once() {
    rig.connect();
    rig.server.receive(5, 0);
    rig.network.drop(packet -> packet.source().equals(rig.server.address));
    rig.client.writeImmediate(1, 1);
    rig.deliver();
    rig.network.dropNothing();
    rig.network.settle();
    assertThat(rig.client.pollStatuses()).containsExactly(0);
    assertThat(rig.server.poll()).hasSize(1);
    assertThat(rig.server.count(SoftCounters.Name.DUPLICATE_REQUEST)).isEqualTo(1);
  }

  @Test
  void closing_completes_nothing_and_leaves_no_timer() {
    rig.connect();
    rig.network.drop(packet -> true);
    MemoryRegion memory = rig.client.memory(64);
    rig.client.receive(3, 0);
    rig.client.write(1, memory, 64, memory);
    rig.client.pair.close();
    rig.network.settle();
    assertThat(rig.client.poll()).isEmpty();
    assertThat(rig.network.timers.running()).isZero();
    assertThat(rig.client.pair.state()).isEqualTo(QueuePairState.RESET);
  }

  @Test
  void packets_out_of_order_are_put_right_without_a_timeout() {
    for (int seed = 0; seed < 50; seed++) {
      Rig other = new Rig();
      other.timeout = 0;
      other.connect();
      other.network.setFaults(seed, 0, 0, 0.5);
      other.server.receive(20, 0);
      for (int i = 0; i < 20; i++) {
        other.client.writeImmediate(i, i);
      }
      other.network.setFaults(seed, 0, 0, 0);
      other.deliver();
      assertThat(other.client.pollStatuses()).hasSize(20).containsOnly(0);
      assertThat(other.server.poll())
          .extracting(End.Completion::immediate)
          .isEqualTo(IntStream.range(0, 20).boxed().toList());
    }
  }
}
