package io.vertxrdma.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.AsyncEventType;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Case I9: receives shared by queue pairs, and the event when they run low. */
class SharedReceiveQueueTest {

  private final Rig rig = new Rig();

  @BeforeEach
  void connect() {
    rig.server.shared = rig.server.domain.createSharedReceiveQueue(8, 1);
    rig.connect().shortWaits();
  }

  private void write(int count) {
    for (int i = 0; i < count; i++) {
      rig.client.writeImmediate(i, i);
    }
    rig.deliver();
  }

  @Test
  void it_holds_as_many_receives_as_it_was_made_for() {
    try (var batch = rig.server.shared.allocateReceiveBatch(9, 0)) {
      for (int i = 0; i < 9; i++) {
        batch.add(i);
      }
      assertThat(batch.post()).isEqualTo(12);
      assertThat(batch.posted()).isEqualTo(8);
    }
    write(9);
    assertThat(rig.server.pollIds()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
  }

  @Test
  void two_queue_pairs_take_from_it_in_turn() {
    SoftQueuePair first = rig.server.pair;
    rig.server.receive(4, 0);
    write(2);
    rig.client.pair = null;
    rig.server.pair = null;
    rig.clientPsn = 5;
    rig.connect();
    write(2);
    assertThat(rig.server.poll())
        .extracting(End.Completion::id, End.Completion::number)
        .containsExactly(
            tuple(0L, first.number()),
            tuple(1L, first.number()),
            tuple(2L, rig.server.pair.number()),
            tuple(3L, rig.server.pair.number()));
  }

  @Test
  void the_limit_event_comes_once_when_fewer_than_the_limit_are_left() {
    rig.server.receive(8, 0);
    rig.server.shared.setLimit(7);
    assertThat(rig.server.shared.queryLimit()).isEqualTo(7);
    write(1);
    assertThat(rig.server.asyncEvent()).isNull();
    write(2);
    assertThat(rig.server.asyncEvent())
        .isEqualTo(
            new AsyncEvent(
                rig.server.device, AsyncEventType.SRQ_LIMIT_REACHED, 15, rig.server.shared, 0));
    assertThat(rig.server.asyncEvent()).isNull();
    assertThat(rig.server.shared.queryLimit()).isZero();
    rig.server.shared.setLimit(5);
    write(1);
    assertThat(rig.server.asyncEvent().type()).isEqualTo(AsyncEventType.SRQ_LIMIT_REACHED);
  }

  @Test
  void an_empty_one_makes_the_sender_wait_and_a_refill_helps() {
    write(3);
    assertThat(rig.server.poll()).isEmpty();
    rig.server.receive(3, 0);
    rig.network.run(5);
    assertThat(rig.server.poll()).hasSize(3);
    assertThat(rig.client.pollStatuses()).containsExactly(0, 0, 0);
  }

  @Test
  void sends_go_into_the_memory_of_its_receives() {
    MemoryRegion inbox = rig.server.memory(64);
    MemoryRegion source = rig.client.pattern(64, 1);
    rig.server.receiveInto(1, inbox, 10, 20);
    rig.client.send(1, source, 20);
    rig.deliver();
    assertThat(rig.server.pollStatuses()).containsExactly(0);
    assertThat(End.bytes(inbox, 10, 20)).isEqualTo(End.pattern(20, 1, 0));
  }

  @Test
  void its_queue_pair_takes_no_receives_of_its_own() {
    try (var batch = rig.server.pair.allocateReceiveBatch(1, 0)) {
      batch.add(1);
      assertThat(batch.post()).isEqualTo(22);
      assertThat(batch.posted()).isZero();
    }
  }

  @Test
  void a_queue_pair_in_error_leaves_its_receives_alone_and_says_that_it_takes_no_more() {
    rig.server.receive(3, 0);
    rig.server.pair.toError();
    assertThat(rig.server.poll()).isEmpty();
    AsyncEvent event = rig.server.asyncEvent();
    assertThat(event.type()).isEqualTo(AsyncEventType.QP_LAST_WQE_REACHED);
    assertThat(event.element()).isSameAs(rig.server.pair);
    SoftQueuePair other =
        rig.server.engine.createQueuePair(
            rig.server.domain,
            new QueuePairInit(
                QueuePairType.RC,
                rig.server.queue,
                rig.server.queue,
                rig.server.shared,
                rig.server.capabilities,
                false));
    rig.server.pair = other;
    rig.client.pair = null;
    rig.connect();
    write(3);
    assertThat(rig.server.pollIds()).containsExactly(0L, 1L, 2L);
  }

  @Test
  void the_receive_of_a_message_under_way_is_flushed_after_the_sends() {
    MemoryRegion inbox = rig.server.memory(4096);
    MemoryRegion source = rig.client.pattern(4096, 1);
    rig.server.receiveInto(1, inbox, 0, 4096);
    rig.network.drop(packet -> packet.psn() == 0x1003 || packet.psn() == 0x2000);
    rig.server.writeImmediate(9, 9);
    rig.client.send(1, source, 4096);
    rig.deliver();
    rig.server.pair.toError();
    assertThat(rig.server.poll())
        .extracting(End.Completion::id, End.Completion::status)
        .containsExactly(tuple(9L, 5), tuple(1L, 5));
  }

  @Test
  void it_outlives_neither_a_limit_out_of_range_nor_its_queue_pairs() {
    assertThatThrownBy(() -> rig.server.shared.setLimit(9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limit must be 0..8, was 9");
    assertThatThrownBy(rig.server.shared::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1 queue pairs");
    rig.server.pair.close();
    rig.server.shared.close();
    assertThatThrownBy(() -> rig.server.shared.setLimit(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("shared receive queue")
        .hasMessageContaining("closed");
  }
}
