package io.vertxrdma.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases M1 and M4, I3, I5 and I6: a peer reaches what it was given, and nothing else. */
class RemoteMemoryTest {

  private static final int SIZE = 4096;
  private static final int RECEIVES = 3;

  private final Rig rig = new Rig();
  private MemoryRegion source;
  private ByteBuffer surroundings;
  private MemoryRegion target;

  @BeforeEach
  void connect() {
    rig.connect();
    source = rig.client.pattern(2 * SIZE, 1);
    surroundings = ByteBuffer.allocateDirect(3 * SIZE);
    target =
        rig.server.domain.register(surroundings.slice(SIZE, SIZE), Set.of(AccessFlag.values()));
    rig.server.receive(RECEIVES, 100);
  }

  private void write(SendOpcode opcode, long address, int key, int length) {
    rig.client.post(7, opcode, SendFlag.SIGNALED, 1, source, 0, length, address, key);
    rig.deliver();
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of("key + 1", 0L, 1, 8),
        Arguments.of("address - 1", -1L, 0, 8),
        Arguments.of("one byte over the end", SIZE - 1L, 0, 2),
        Arguments.of("behind the end", (long) SIZE, 0, 1),
        Arguments.of("longer than the region", 0L, 0, SIZE + 1),
        Arguments.of("much longer", 0L, 0, 2 * SIZE),
        Arguments.of("around the address space", Long.MIN_VALUE, 0, 8));
  }

  private void assertRefused(int receiverStatus) {
    assertThat(rig.client.pollStatuses()).containsExactly(10);
    assertThat(rig.client.pair.state()).isEqualTo(QueuePairState.ERR);
    assertThat(rig.server.pair.state()).isEqualTo(QueuePairState.ERR);
    assertThat(rig.server.pollStatuses()).containsExactly(receiverStatus, 5, 5);
    byte[] all = new byte[3 * SIZE];
    surroundings.get(0, all);
    assertThat(all).containsOnly(0);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void a_write_with_immediate_outside_of_the_region_fails_on_both_sides_and_changes_nothing(
      String name, long offset, int keyOffset, int length) {
    write(
        SendOpcode.RDMA_WRITE_WITH_IMM,
        target.address() + offset,
        target.remoteKey() + keyOffset,
        length);
    // rxe fails the receive that the message would have used; a message of several packets is
    // refused at its first, which uses none.
    assertRefused(length <= rig.mtu ? 10 : 5);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void a_plain_write_outside_of_the_region_fails_on_both_sides_and_changes_nothing(
      String name, long offset, int keyOffset, int length) {
    write(SendOpcode.RDMA_WRITE, target.address() + offset, target.remoteKey() + keyOffset, length);
    assertRefused(5);
  }

  @ParameterizedTest
  @MethodSource("overflowing")
  void addresses_that_overflow_are_refused(long address, int length) {
    write(SendOpcode.RDMA_WRITE_WITH_IMM, address, target.remoteKey(), length);
    assertRefused(length <= rig.mtu ? 10 : 5);
  }

  static Stream<Arguments> overflowing() {
    return Stream.of(
        Arguments.of(-1L, 1),
        Arguments.of(-1L, 2),
        Arguments.of(-1L, SIZE),
        Arguments.of(-4L, 8),
        Arguments.of(0L, 8),
        Arguments.of(Long.MAX_VALUE, 8),
        Arguments.of(Long.MIN_VALUE, 8));
  }

  @Test
  void the_very_last_byte_can_be_written() {
    write(SendOpcode.RDMA_WRITE_WITH_IMM, target.address() + SIZE - 1, target.remoteKey(), 1);
    assertThat(rig.client.pollStatuses()).containsExactly(0);
    assertThat(rig.server.pollStatuses()).containsExactly(0);
    assertThat(surroundings.get(2 * SIZE - 1)).isEqualTo(End.patternByte(1, 0));
    assertThat(surroundings.get(2 * SIZE)).isZero();
  }

  @Test
  void a_local_key_is_no_remote_key() {
    assertThat(target.localKey()).isNotEqualTo(target.remoteKey());
    write(SendOpcode.RDMA_WRITE_WITH_IMM, target.address(), target.localKey(), 8);
    assertRefused(10);
  }

  @Test
  void every_region_has_keys_of_its_own_and_a_page_of_its_own() {
    MemoryRegion other = rig.server.memory(1);
    assertThat(List.of(other.localKey(), other.remoteKey()))
        .doesNotContain(target.localKey(), target.remoteKey(), 0);
    assertThat(other.address() % 4096).isZero();
    assertThat(Math.abs(other.address() - target.address())).isGreaterThan(SIZE);
  }

  @Test
  void memory_of_another_protection_domain_is_refused() {
    ProtectionDomain other = rig.server.engine.allocateProtectionDomain(rig.server.device);
    MemoryRegion foreign =
        other.register(ByteBuffer.allocateDirect(64), Set.of(AccessFlag.values()));
    write(SendOpcode.RDMA_WRITE_WITH_IMM, foreign.address(), foreign.remoteKey(), 8);
    assertRefused(10);
  }

  @ParameterizedTest
  @EnumSource(
      value = SendOpcode.class,
      names = {"RDMA_WRITE", "RDMA_READ", "ATOMIC_FETCH_AND_ADD", "ATOMIC_CMP_AND_SWP"})
  void memory_without_the_right_is_refused(SendOpcode opcode) {
    AccessFlag[] others =
        Stream.of(AccessFlag.values())
            .filter(flag -> flag != needed(opcode))
            .toArray(AccessFlag[]::new);
    MemoryRegion memory = rig.server.memory(64, others);
    End.fill(memory, 0, 64, 9);
    MemoryRegion local = rig.client.memory(64);
    rig.client.post(
        7, opcode, SendFlag.SIGNALED, 0, local, 0, 8, memory.address(), memory.remoteKey());
    rig.deliver();
    assertThat(rig.client.pollStatuses()).containsExactly(10);
    assertThat(End.bytes(memory, 0, 64)).isEqualTo(End.pattern(64, 9, 0));
    assertThat(End.bytes(local, 0, 64)).containsOnly(0);
    assertThat(rig.server.pair.state()).isEqualTo(QueuePairState.ERR);
  }

  private static AccessFlag needed(SendOpcode opcode) {
    return switch (opcode) {
      case RDMA_WRITE -> AccessFlag.REMOTE_WRITE;
      case RDMA_READ -> AccessFlag.REMOTE_READ;
      default -> AccessFlag.REMOTE_ATOMIC;
    };
  }

  @ParameterizedTest
  @EnumSource(
      value = SendOpcode.class,
      names = {"RDMA_WRITE", "RDMA_READ", "ATOMIC_FETCH_AND_ADD"})
  void what_the_connection_does_not_allow_at_all_is_an_invalid_request(SendOpcode opcode) {
    Rig other = new Rig();
    other.remoteAccess = Rig.ALL_REMOTE_ACCESS & ~needed(opcode).bit();
    other.connect();
    MemoryRegion memory = other.server.memory(64);
    MemoryRegion local = other.client.pattern(64, 1);
    other.client.post(
        7, opcode, SendFlag.SIGNALED, 0, local, 0, 8, memory.address(), memory.remoteKey());
    other.deliver();
    assertThat(other.client.pollStatuses()).containsExactly(9);
    assertThat(End.bytes(memory, 0, 64)).containsOnly(0);
  }

  @Test
  void no_write_lands_after_the_region_was_closed() {
    write(SendOpcode.RDMA_WRITE, target.address(), target.remoteKey(), 8);
    int key = target.remoteKey();
    long address = target.address();
    target.close();
    surroundings.putLong(SIZE, 0);
    write(SendOpcode.RDMA_WRITE_WITH_IMM, address, key, 8);
    assertThat(rig.client.pollStatuses()).containsExactly(0, 10);
    assertThat(surroundings.getLong(SIZE)).isZero();
  }

  @Test
  void closing_the_region_in_the_middle_of_a_message_stops_it() {
    MemoryRegion big = rig.server.memory(8192);
    ByteBuffer view = big.buffer();
    // The tail of the message comes after the region was closed.
    rig.network.drop(
        packet -> packet.psn() >= 0x1002 && packet.source().equals(rig.client.address));
    rig.client.write(7, source, 4096, big);
    rig.deliver();
    assertThat(view.get(2047)).isEqualTo(End.patternByte(1, 2047));
    big.close();
    rig.network.dropNothing();
    rig.network.settle();
    assertThat(rig.client.pollStatuses()).containsExactly(10);
    assertThat(view.get(2048)).isZero();
  }

  @Test
  void a_read_whose_memory_is_closed_under_way_is_refused() {
    MemoryRegion readable = rig.server.pattern(4096, 4);
    MemoryRegion into = rig.client.memory(4096);
    rig.network.drop(packet -> packet.opcode() >= 0x0D && packet.opcode() <= 0x10);
    rig.client.read(7, into, 4096, readable);
    rig.deliver();
    readable.close();
    rig.network.dropNothing();
    rig.network.settle();
    assertThat(rig.client.pollStatuses()).containsExactly(10);
    assertThat(End.bytes(into, 0, 4096)).containsOnly(0);
  }

  @Test
  void immediates_are_any_32_bits() {
    int[] values = {0xDEADBEEF, 1, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFF, 0x01020304};
    rig.server.receive(values.length, 0);
    for (int value : values) {
      rig.network.log.clear();
      rig.client.writeImmediate(1, value);
      byte[] packet = rig.network.log.get(0).bytes();
      assertThat(ByteBuffer.wrap(packet).getInt(packet.length - 4)).isEqualTo(value);
    }
    rig.deliver();
    assertThat(rig.server.poll().stream().mapToInt(End.Completion::immediate).toArray())
        .containsExactly(values);
  }

  @Test
  void a_write_of_no_bytes_needs_no_key_and_uses_one_receive() {
    write(SendOpcode.RDMA_WRITE_WITH_IMM, target.address(), target.remoteKey(), 0);
    write(SendOpcode.RDMA_WRITE_WITH_IMM, 0, 0, 0);
    write(SendOpcode.RDMA_WRITE, -1, 12345, 0);
    assertThat(rig.client.pollStatuses()).containsExactly(0, 0, 0);
    assertThat(rig.server.poll())
        .extracting(End.Completion::id, End.Completion::bytes)
        .containsExactly(tuple(100L, 0), tuple(101L, 0));
  }

  @Test
  void the_payload_is_there_when_the_immediate_is() {
    for (int n = 0; n < 200; n++) {
      rig.server.receive(1, n);
      End.fill(source, 0, SIZE, n);
      write(SendOpcode.RDMA_WRITE_WITH_IMM, target.address(), target.remoteKey(), SIZE);
      assertThat(rig.server.poll()).hasSize(1);
      assertThat(End.bytes(target, 0, SIZE)).isEqualTo(End.pattern(SIZE, n, 0));
      rig.client.poll();
    }
  }

  @Test
  void a_bad_local_key_fails_the_request_before_a_packet_leaves() {
    int before = rig.network.log.size();
    try (var batch = rig.client.pair.allocateSendBatch(1, 1)) {
      batch.add(7, SendOpcode.RDMA_WRITE, 0, 0, target.address(), target.remoteKey());
      batch.addScatterGather(source.address(), 8, source.localKey() + 1);
      assertThat(batch.post()).isZero();
    }
    assertThat(rig.client.poll())
        .extracting(End.Completion::id, End.Completion::status)
        .containsExactly(tuple(7L, 4));
    assertThat(rig.network.log).hasSize(before);
    assertThat(rig.client.pair.state()).isEqualTo(QueuePairState.ERR);
  }

  @Test
  void a_bad_local_key_lets_the_requests_before_it_finish() {
    rig.client.write(1, source, SIZE, target);
    MemoryRegion small = rig.client.memory(8);
    try (var batch = rig.client.pair.allocateSendBatch(2, 1)) {
      batch.add(2, SendOpcode.RDMA_WRITE, 0, 0, target.address(), target.remoteKey());
      batch.addScatterGather(small.address(), 9, small.localKey());
      batch.add(3, SendOpcode.RDMA_WRITE, 0, 0, target.address(), target.remoteKey());
      assertThat(batch.post()).isZero();
    }
    assertThat(rig.client.poll()).isEmpty();
    rig.deliver();
    assertThat(rig.client.poll())
        .extracting(End.Completion::id, End.Completion::status)
        .containsExactly(tuple(1L, 0), tuple(2L, 4), tuple(3L, 5));
    assertThat(End.bytes(target, 0, SIZE)).isEqualTo(End.pattern(SIZE, 1, 0));
  }

  @Test
  void a_receive_without_local_write_takes_no_send() {
    MemoryRegion readOnly = rig.server.memory(64, AccessFlag.REMOTE_READ);
    drainReceives();
    rig.server.receiveInto(5, readOnly, 0, 64);
    rig.client.send(1, source, 8);
    rig.deliver();
    assertThat(rig.client.pollStatuses()).containsExactly(11);
    assertThat(rig.server.pollStatuses()).containsExactly(4);
    assertThat(End.bytes(readOnly, 0, 64)).containsOnly(0);
  }

  @Test
  void a_send_longer_than_its_receive_is_a_length_error_here_and_an_invalid_request_there() {
    drainReceives();
    MemoryRegion inbox = rig.server.memory(64);
    rig.server.receiveInto(5, inbox, 0, 7);
    rig.server.receiveInto(6, inbox, 0, 64);
    rig.client.send(1, source, 8);
    rig.deliver();
    assertThat(rig.client.pollStatuses()).containsExactly(9);
    assertThat(rig.server.poll())
        .extracting(End.Completion::id, End.Completion::status)
        .containsExactly(tuple(5L, 1), tuple(6L, 5));
    assertThat(End.bytes(inbox, 0, 64)).containsOnly(0);
  }

  private void drainReceives() {
    for (int i = 0; i < RECEIVES; i++) {
      rig.client.writeImmediate(i, i);
    }
    rig.deliver();
    rig.client.poll();
    rig.server.poll();
  }
}
