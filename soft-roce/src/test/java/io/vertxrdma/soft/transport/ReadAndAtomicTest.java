package io.vertxrdma.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.wire.Opcode;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** READs and atomics: how many at once, what a lost answer costs, and that atomics happen once. */
class ReadAndAtomicTest {

  private final Rig rig = new Rig();

  private static long value(MemoryRegion region) {
    return region.buffer().order(ByteOrder.nativeOrder()).getLong(0);
  }

  private static void set(MemoryRegion region, long value) {
    region.buffer().order(ByteOrder.nativeOrder()).putLong(0, value);
  }

  private static boolean isReadResponse(FakeNetwork.Packet packet) {
    return packet.opcode() >= Opcode.RC_READ_RESPONSE_FIRST
        && packet.opcode() <= Opcode.RC_READ_RESPONSE_ONLY;
  }

  private long requestsOnWire(int opcode) {
    return rig.network.log.stream().filter(packet -> packet.opcode() == opcode).count();
  }

  @Test
  void fetch_and_add_brings_the_old_value_and_leaves_the_sum() {
    rig.connect();
    MemoryRegion counter = rig.server.memory(8);
    MemoryRegion result = rig.client.memory(8);
    set(counter, 0x0102030405060708L);
    rig.client.fetchAdd(1, result, 0x10, counter.address(), counter.remoteKey());
    rig.deliver();
    assertThat(rig.client.poll())
        .extracting(End.Completion::status, End.Completion::opcode, End.Completion::bytes)
        .containsExactly(tuple(0, WorkCompletionOpcode.FETCH_ADD, 8));
    assertThat(value(result)).isEqualTo(0x0102030405060708L);
    assertThat(value(counter)).isEqualTo(0x0102030405060718L);
  }

  @Test
  void compare_and_swap_swaps_only_if_equal() {
    rig.connect();
    MemoryRegion word = rig.server.memory(8);
    MemoryRegion result = rig.client.memory(8);
    set(word, 5);
    rig.client.compareSwap(1, result, 4, 9, word.address(), word.remoteKey());
    rig.deliver();
    assertThat(value(word)).isEqualTo(5);
    assertThat(value(result)).isEqualTo(5);
    rig.client.compareSwap(2, result, 5, 9, word.address(), word.remoteKey());
    rig.deliver();
    assertThat(value(word)).isEqualTo(9);
    assertThat(value(result)).isEqualTo(5);
    assertThat(rig.client.poll())
        .extracting(End.Completion::opcode)
        .containsOnly(WorkCompletionOpcode.COMP_SWAP);
  }

  @Test
  void an_atomic_whose_answer_was_lost_is_answered_again_but_not_done_again() {
    rig.connect();
    MemoryRegion counter = rig.server.memory(8);
    MemoryRegion result = rig.client.memory(8);
    set(counter, 100);
    AtomicInteger lost = new AtomicInteger();
    rig.network.drop(
        packet -> packet.opcode() == Opcode.RC_ATOMIC_ACKNOWLEDGE && lost.incrementAndGet() <= 3);
    rig.client.fetchAdd(1, result, 1, counter.address(), counter.remoteKey());
    rig.network.settle();
    assertThat(lost).hasValueGreaterThan(3);
    assertThat(rig.client.pollStatuses()).containsExactly(0);
    assertThat(value(counter)).isEqualTo(101);
    assertThat(value(result)).isEqualTo(100);
    assertThat(requestsOnWire(Opcode.RC_FETCH_ADD)).isEqualTo(4);
  }

  @Test
  void sixteen_lost_atomics_are_all_replayed() {
    rig.connect();
    MemoryRegion counter = rig.server.memory(8);
    MemoryRegion results = rig.client.memory(128);
    rig.network.drop(packet -> packet.opcode() == Opcode.RC_ATOMIC_ACKNOWLEDGE);
    try (SendBatch batch = rig.client.pair.allocateSendBatch(16, 1)) {
      for (int i = 0; i < 16; i++) {
        batch.add(
            i,
            SendOpcode.ATOMIC_FETCH_AND_ADD,
            SendFlag.SIGNALED,
            0,
            counter.address(),
            counter.remoteKey());
        batch.setAtomicOperands(1, 0);
        batch.addScatterGather(results.address() + 8 * i, 8, results.localKey());
      }
      assertThat(batch.post()).isZero();
    }
    rig.deliver();
    assertThat(value(counter)).isEqualTo(16);
    rig.network.dropNothing();
    rig.network.settle();
    assertThat(rig.client.pollStatuses()).hasSize(16).containsOnly(0);
    assertThat(value(counter)).isEqualTo(16);
    for (int i = 0; i < 16; i++) {
      assertThat(results.buffer().order(ByteOrder.nativeOrder()).getLong(8 * i)).isEqualTo(i);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 8, 9})
  void a_lost_read_response_is_asked_for_again_from_where_it_is_missing(int missing) {
    rig.connect();
    int size = 10 * 1024;
    MemoryRegion from = rig.server.pattern(size, 3);
    MemoryRegion into = rig.client.memory(size);
    AtomicInteger lost = new AtomicInteger();
    rig.network.drop(
        packet ->
            isReadResponse(packet)
                && packet.psn() == 0x1000 + missing
                && lost.getAndIncrement() == 0);
    rig.client.read(1, into, size, from);
    rig.network.settle();
    assertThat(rig.client.pollStatuses()).containsExactly(0);
    assertThat(End.bytes(into, 0, size)).isEqualTo(End.pattern(size, 3, 0));
    List<FakeNetwork.Packet> requests =
        rig.network.log.stream().filter(p -> p.opcode() == Opcode.RC_READ_REQUEST).toList();
    assertThat(requests)
        .extracting(FakeNetwork.Packet::psn)
        .containsExactly(0x1000, 0x1000 + missing);
    // Only when the last one is missing nothing behind it tells.
    assertThat(rig.client.count(SoftCounters.Name.ACK_TIMEOUT)).isEqualTo(missing == 9 ? 1 : 0);
  }

  @Test
  void a_read_response_acknowledges_the_writes_before_it() {
    rig.connect();
    MemoryRegion memory = rig.server.memory(64);
    MemoryRegion local = rig.client.pattern(64, 1);
    rig.network.drop(packet -> packet.opcode() == Opcode.RC_ACKNOWLEDGE);
    rig.client.write(1, local, 64, memory);
    rig.client.read(2, local, 64, memory);
    rig.deliver();
    assertThat(rig.client.poll())
        .extracting(End.Completion::id, End.Completion::status)
        .containsExactly(tuple(1L, 0), tuple(2L, 0));
    assertThat(rig.client.count(SoftCounters.Name.RETRANSMITTED)).isZero();
  }

  @Test
  void an_acknowledgement_beyond_a_read_means_that_its_response_was_lost() {
    rig.connect();
    MemoryRegion memory = rig.server.pattern(64, 2);
    MemoryRegion into = rig.client.memory(64);
    AtomicInteger lost = new AtomicInteger();
    rig.network.drop(packet -> isReadResponse(packet) && lost.getAndIncrement() == 0);
    rig.client.read(1, into, 64, memory);
    rig.deliver();
    rig.client.write(2, into, 0, memory);
    rig.deliver();
    assertThat(rig.client.poll())
        .extracting(End.Completion::id, End.Completion::status)
        .containsExactly(tuple(1L, 0), tuple(2L, 0));
    assertThat(End.bytes(into, 0, 64)).isEqualTo(End.pattern(64, 2, 0));
    assertThat(rig.client.count(SoftCounters.Name.ACK_TIMEOUT)).isZero();
  }

  @Test
  void no_more_reads_are_under_way_than_the_connection_allows() {
    rig.readDepth = 2;
    rig.connect();
    MemoryRegion from = rig.server.pattern(64, 2);
    MemoryRegion into = rig.client.memory(64);
    for (int i = 0; i < 5; i++) {
      rig.client.read(i, into, 64, from);
    }
    assertThat(requestsOnWire(Opcode.RC_READ_REQUEST)).isEqualTo(2);
    rig.deliver();
    assertThat(rig.client.pollIds()).containsExactly(0L, 1L, 2L, 3L, 4L);
  }

  @Test
  void without_initiator_depth_a_read_fails_at_once_instead_of_hanging_as_on_rxe() {
    rig.readDepth = 0;
    rig.connect();
    MemoryRegion memory = rig.server.memory(64);
    MemoryRegion into = rig.client.memory(64);
    rig.client.write(1, into, 64, memory);
    rig.client.read(2, into, 64, memory);
    rig.client.write(3, into, 64, memory);
    rig.deliver();
    assertThat(rig.client.poll())
        .extracting(End.Completion::id, End.Completion::status)
        .containsExactly(tuple(1L, 0), tuple(2L, 2), tuple(3L, 5));
    assertThat(rig.client.pair.state()).isEqualTo(QueuePairState.ERR);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_responder_without_resources_refuses_reads_and_still_takes_writes(int writesBefore) {
    rig.serverReadDepth = 0;
    rig.connect();
    MemoryRegion memory = rig.server.memory(64);
    MemoryRegion local = rig.client.pattern(64, 1);
    for (int i = 0; i < writesBefore; i++) {
      rig.client.write(1, local, 64, memory);
    }
    rig.client.read(2, local, 64, memory);
    rig.deliver();
    List<Integer> statuses = rig.client.pollStatuses();
    assertThat(statuses).hasSize(writesBefore + 1).endsWith(9);
    assertThat(statuses.subList(0, writesBefore)).allMatch(status -> status == 0);
  }

  @Test
  void a_fenced_request_waits_for_the_reads_before_it() {
    rig.connect();
    MemoryRegion memory = rig.server.pattern(64, 1);
    MemoryRegion into = rig.client.memory(64);
    rig.client.read(1, into, 64, memory);
    rig.client.post(
        2,
        SendOpcode.RDMA_WRITE,
        SendFlag.SIGNALED | SendFlag.FENCE,
        0,
        into,
        0,
        64,
        memory.address(),
        memory.remoteKey());
    assertThat(rig.network.log).hasSize(1);
    rig.deliver();
    assertThat(rig.client.pollIds()).containsExactly(1L, 2L);
    // What was read is what was written back.
    assertThat(End.bytes(memory, 0, 64)).isEqualTo(End.pattern(64, 1, 0));
  }

  @Test
  void an_unaligned_atomic_is_refused_when_posted() {
    rig.connect();
    MemoryRegion memory = rig.server.memory(64);
    MemoryRegion result = rig.client.memory(64);
    assertThat(rig.client.fetchAdd(1, result, 1, memory.address() + 4, memory.remoteKey()))
        .isEqualTo(22);
    assertThat(
            rig.client.post(
                1,
                SendOpcode.ATOMIC_FETCH_AND_ADD,
                0,
                0,
                result,
                0,
                4,
                memory.address(),
                memory.remoteKey()))
        .isEqualTo(22);
  }

  @Test
  void a_read_into_memory_without_local_write_fails_here() {
    rig.connect();
    MemoryRegion from = rig.server.pattern(64, 1);
    MemoryRegion into = rig.client.memory(64, io.vertxrdma.core.AccessFlag.REMOTE_READ);
    rig.client.read(1, into, 64, from);
    rig.deliver();
    assertThat(rig.client.pollStatuses()).containsExactly(4);
    assertThat(End.bytes(into, 0, 64)).containsOnly(0);
  }

  @Test
  void a_long_answer_is_sent_in_portions_and_acknowledges_nothing_too_early() {
    rig.mtu = 256;
    rig.connect();
    int size = 256 * 128;
    MemoryRegion from = rig.server.pattern(size, 1);
    MemoryRegion into = rig.client.memory(16 * size);
    for (int i = 0; i < 8; i++) {
      rig.client.post(
          i,
          SendOpcode.RDMA_READ,
          SendFlag.SIGNALED,
          0,
          into,
          i * size,
          size,
          from.address(),
          from.remoteKey());
    }
    rig.client.write(8, into, 0, from);
    rig.network.settle();
    assertThat(rig.client.pollStatuses()).hasSize(9).containsOnly(0);
    for (int i = 0; i < 8; i++) {
      assertThat(End.bytes(into, i * size, size)).isEqualTo(End.pattern(size, 1, 0));
    }
    assertThat(rig.client.count(SoftCounters.Name.RETRANSMITTED)).isZero();
  }

  @Test
  void a_refusal_behind_a_read_whose_answer_was_lost_flushes_the_read() {
    rig.connect();
    MemoryRegion memory = rig.server.memory(64);
    MemoryRegion local = rig.client.memory(64);
    rig.network.drop(ReadAndAtomicTest::isReadResponse);
    rig.client.read(1, local, 64, memory);
    rig.client.post(
        2, SendOpcode.RDMA_WRITE, SendFlag.SIGNALED, 0, local, 0, 64, memory.address(), 12345);
    rig.deliver();
    assertThat(rig.client.poll())
        .extracting(End.Completion::id, End.Completion::status)
        .containsExactly(tuple(1L, 5), tuple(2L, 10));
  }
}
