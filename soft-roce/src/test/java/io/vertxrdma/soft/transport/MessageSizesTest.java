package io.vertxrdma.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.soft.wire.Opcode;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages around the path MTU: how they are cut, and that what arrives is what was sent. */
class MessageSizesTest {

  private static final int GUARD = 64;

  static Stream<Arguments> sizes() {
    return Stream.of(256, 512, 1024, 2048, 4096)
        .flatMap(
            mtu ->
                IntStream.of(0, 1, 2, 3, 4, mtu - 1, mtu, mtu + 1, 2 * mtu, 3 * mtu, 3 * mtu + 1)
                    .mapToObj(size -> Arguments.of(mtu, size)));
  }

  private static Rig rig(int mtu) {
    Rig rig = new Rig();
    rig.mtu = mtu;
    return rig.connect();
  }

  private static int packets(int mtu, int size) {
    return Math.max(1, (size + mtu - 1) / mtu);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void a_write_with_immediate_arrives_exactly(int mtu, int size) {
    Rig rig = rig(mtu);
    MemoryRegion source = rig.client.pattern(size + 1, 1);
    MemoryRegion target = rig.server.memory(size + 2 * GUARD);
    rig.server.receive(2, 70);
    rig.client.post(
        7,
        SendOpcode.RDMA_WRITE_WITH_IMM,
        SendFlag.SIGNALED,
        0xCAFEBABE,
        source,
        0,
        size,
        target.address() + GUARD,
        target.remoteKey());
    rig.deliver();
    assertThat(rig.server.poll())
        .containsExactly(
            new End.Completion(
                70,
                0,
                WorkCompletionOpcode.RECV_RDMA_WITH_IMM,
                size,
                2,
                0xCAFEBABE,
                rig.server.pair.number(),
                0));
    assertThat(rig.client.poll())
        .containsExactly(
            new End.Completion(
                7, 0, WorkCompletionOpcode.RDMA_WRITE, size, 0, 0, rig.client.pair.number(), 0));
    assertThat(End.bytes(target, GUARD, size)).isEqualTo(End.pattern(size, 1, 0));
    assertThat(End.bytes(target, 0, GUARD)).containsOnly(0);
    assertThat(End.bytes(target, GUARD + size, GUARD)).containsOnly(0);
    List<Integer> opcodes =
        rig.network.log.stream().map(FakeNetwork.Packet::opcode).filter(op -> op < 0x11).toList();
    assertThat(opcodes).hasSize(packets(mtu, size));
    if (opcodes.size() == 1) {
      assertThat(opcodes).containsExactly(Opcode.RC_WRITE_ONLY_IMM);
    } else {
      assertThat(opcodes).startsWith(Opcode.RC_WRITE_FIRST).endsWith(Opcode.RC_WRITE_LAST_IMM);
    }
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void a_send_fills_its_receive_exactly(int mtu, int size) {
    Rig rig = rig(mtu);
    MemoryRegion source = rig.client.pattern(size + 1, 2);
    MemoryRegion inbox = rig.server.memory(size + GUARD);
    rig.server.receiveInto(70, inbox, 0, size);
    rig.client.send(7, source, size);
    rig.deliver();
    assertThat(rig.server.poll())
        .containsExactly(
            new End.Completion(
                70, 0, WorkCompletionOpcode.RECV, size, 0, 0, rig.server.pair.number(), 0));
    assertThat(rig.client.pollStatuses()).containsExactly(0);
    assertThat(End.bytes(inbox, 0, size)).isEqualTo(End.pattern(size, 2, 0));
    assertThat(End.bytes(inbox, size, GUARD)).containsOnly(0);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void a_read_brings_exactly_what_was_asked_for(int mtu, int size) {
    Rig rig = rig(mtu);
    MemoryRegion into = rig.client.memory(size + GUARD);
    MemoryRegion from = rig.server.pattern(size + 1, 3);
    rig.client.read(7, into, size, from);
    rig.deliver();
    assertThat(rig.client.poll())
        .containsExactly(
            new End.Completion(
                7, 0, WorkCompletionOpcode.RDMA_READ, size, 0, 0, rig.client.pair.number(), 0));
    assertThat(End.bytes(into, 0, size)).isEqualTo(End.pattern(size, 3, 0));
    assertThat(End.bytes(into, size, GUARD)).containsOnly(0);
    // The next message has the number after the last response.
    rig.network.log.clear();
    rig.client.writeImmediate(8, 0);
    assertThat(rig.network.log.get(0).psn()).isEqualTo(0x1000 + packets(mtu, size));
  }

  @Test
  void a_read_of_many_pieces_comes_whole() {
    Rig rig = rig(256);
    int size = 256 * 1000 + 5;
    MemoryRegion into = rig.client.memory(size);
    MemoryRegion from = rig.server.pattern(size, 4);
    rig.client.read(7, into, size, from);
    rig.deliver();
    assertThat(rig.client.pollStatuses()).containsExactly(0);
    assertThat(End.bytes(into, 0, size)).isEqualTo(End.pattern(size, 4, 0));
    assertThat(rig.network.log.stream().filter(p -> p.opcode() == Opcode.RC_READ_REQUEST))
        .hasSize(8);
  }

  @Test
  void pieces_of_memory_are_gathered_and_scattered_in_order() {
    Rig rig = rig(256);
    MemoryRegion source = rig.client.pattern(1000, 5);
    MemoryRegion inbox = rig.server.memory(1000);
    try (var batch = rig.server.pair.allocateReceiveBatch(1, 3)) {
      batch.add(70);
      batch.addScatterGather(inbox.address() + 500, 300, inbox.localKey());
      batch.addScatterGather(inbox.address(), 0, 0xBAD);
      batch.addScatterGather(inbox.address(), 400, inbox.localKey());
      assertThat(batch.post()).isZero();
    }
    try (SendBatch batch = rig.client.pair.allocateSendBatch(1, 4)) {
      batch.add(7, SendOpcode.SEND, SendFlag.SIGNALED, 0, 0, 0);
      batch.addScatterGather(source.address(), 1, source.localKey());
      batch.addScatterGather(source.address() + 1, 256, source.localKey());
      batch.addScatterGather(0, 0, 0xBAD);
      batch.addScatterGather(source.address() + 257, 343, source.localKey());
      assertThat(batch.post()).isZero();
    }
    rig.deliver();
    assertThat(rig.client.pollStatuses()).containsExactly(0);
    assertThat(rig.server.poll().get(0).bytes()).isEqualTo(600);
    assertThat(End.bytes(inbox, 500, 300)).isEqualTo(End.pattern(300, 5, 0));
    assertThat(End.bytes(inbox, 0, 300)).isEqualTo(End.pattern(300, 5, 300));
  }

  @Test
  void inline_data_is_copied_when_posted_and_needs_no_key() {
    Rig rig = rig(1024);
    MemoryRegion source = rig.client.pattern(100, 6);
    MemoryRegion target = rig.server.memory(128);
    // Something in front with endless retries, so that the packet goes out after the change.
    rig.server.receive(1, 0);
    try (SendBatch batch = rig.client.pair.allocateSendBatch(1, 2)) {
      rig.network.drop(packet -> true);
      batch.add(
          7,
          SendOpcode.RDMA_WRITE,
          SendFlag.SIGNALED | SendFlag.INLINE,
          0,
          target.address(),
          target.remoteKey());
      batch.addScatterGather(source.address(), 60, 0xBAD);
      batch.addScatterGather(source.address() + 60, 40, 0xBAD);
      assertThat(batch.post()).isZero();
    }
    End.fill(source, 0, 100, 99);
    source.close();
    rig.network.dropNothing();
    rig.network.run(1000);
    assertThat(rig.client.pollStatuses()).containsExactly(0);
    assertThat(End.bytes(target, 0, 100)).isEqualTo(End.pattern(100, 6, 0));
  }

  @Test
  void inline_data_over_the_limit_of_a_read_or_from_nowhere_is_refused() {
    Rig rig = rig(1024);
    MemoryRegion memory = rig.client.memory(4096);
    int inline = SendFlag.INLINE;
    assertThat(rig.client.post(1, SendOpcode.SEND, inline, 0, memory, 0, 128, 0, 0)).isZero();
    assertThat(rig.client.post(1, SendOpcode.SEND, inline, 0, memory, 0, 129, 0, 0)).isEqualTo(22);
    assertThat(rig.client.post(1, SendOpcode.RDMA_READ, inline, 0, memory, 0, 8, 0, 0))
        .isEqualTo(22);
    assertThat(rig.client.post(1, SendOpcode.SEND, inline, 0, memory, 4090, 7, 0, 0)).isEqualTo(14);
  }

  @Test
  void the_last_packet_of_a_message_and_every_64th_ask_for_an_acknowledgement() {
    Rig rig = rig(256);
    MemoryRegion source = rig.client.pattern(256 * 120, 1);
    MemoryRegion target = rig.server.memory(256 * 120, AccessFlag.values());
    rig.client.write(1, source, 256 * 120, target);
    List<Integer> asking =
        rig.network.log.stream()
            .filter(FakeNetwork.Packet::asksForAcknowledge)
            .map(packet -> packet.psn() - 0x1000)
            .toList();
    assertThat(asking).containsExactly(63, 119);
  }

  @Test
  void one_acknowledgement_tells_of_up_to_sixteen_messages_that_came_together() {
    Rig rig = rig(1024);
    rig.server.receive(50, 0);
    try (SendBatch batch = rig.client.pair.allocateSendBatch(50, 0)) {
      for (int i = 0; i < 50; i++) {
        batch.add(i, SendOpcode.RDMA_WRITE_WITH_IMM, SendFlag.SIGNALED, i, 0, 0);
      }
      assertThat(batch.post()).isZero();
    }
    rig.deliver();
    List<FakeNetwork.Packet> answers =
        rig.network.log.stream().filter(p -> p.source().equals(rig.server.address)).toList();
    assertThat(answers).extracting(FakeNetwork.Packet::syndrome).containsOnly(0x1F);
    assertThat(answers).extracting(packet -> packet.psn() - 0x1000).containsExactly(15, 31, 47, 49);
    assertThat(answers).extracting(FakeNetwork.Packet::msn).containsExactly(16, 32, 48, 50);
    assertThat(rig.client.poll()).hasSize(50);
  }

  @Test
  void a_receive_in_use_is_not_touched_by_posting_the_next() {
    Rig rig = new Rig();
    rig.server.capabilities = new QueuePairCapabilities(1, 1, 1, 1, 0);
    rig.connect();
    MemoryRegion source = rig.client.pattern(1500, 1);
    MemoryRegion inbox = rig.server.memory(4000);
    rig.server.receiveInto(70, inbox, 0, 1500);
    rig.network.drop(packet -> packet.psn() == 0x1001);
    rig.client.send(7, source, 1500);
    rig.deliver();
    assertThat(rig.server.receiveInto(71, inbox, 2000, 1500)).isZero();
    rig.network.dropNothing();
    rig.network.settle();
    assertThat(rig.server.pollIds()).containsExactly(70L);
    assertThat(End.bytes(inbox, 0, 1500)).isEqualTo(End.pattern(1500, 1, 0));
    assertThat(End.bytes(inbox, 1500, 2500)).containsOnly(0);
  }
}
