package io.vertxrdma.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.AddressHandleAttributes;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.SoftDeviceOptions;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Opcode;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Unreliable datagrams, and the management datagrams of queue pair 1. */
class DatagramTest {

  private static final int KEY = 0x11223344;

  private final FakeNetwork network = new FakeNetwork();
  private final End from = new End(network, "10.0.0.1", SoftDeviceOptions.DEFAULT);
  private final End to = new End(network, "10.0.0.2", SoftDeviceOptions.DEFAULT);

  private void activate() {
    from.createPair(QueuePairType.UD).activate(1);
    to.createPair(QueuePairType.UD).activate(KEY);
  }

  private int send(SendOpcode opcode, MemoryRegion source, int length, int queueKey) {
    try (AddressHandle handle = from.domain.createAddressHandle(from.address, to.address);
        SendBatch batch = from.pair.allocateSendBatch(1, 1)) {
      batch.add(5, opcode, SendFlag.SIGNALED, 0xABCD, 0, 0);
      batch.addScatterGather(source.address(), length, source.localKey());
      batch.setUdAddress(handle, to.pair.number(), queueKey);
      int errno = batch.post();
      network.deliver();
      return errno;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 4096})
  void a_datagram_arrives_behind_forty_bytes_that_end_in_the_ip_header(int length) {
    activate();
    MemoryRegion inbox = to.memory(5000);
    to.receiveInto(9, inbox, 0, 40 + length);
    MemoryRegion source = from.pattern(length + 1, 1);
    assertThat(send(SendOpcode.SEND, source, length, KEY)).isZero();
    assertThat(from.poll())
        .extracting(End.Completion::id, End.Completion::status, End.Completion::opcode)
        .containsExactly(tuple(5L, 0, 0));
    assertThat(to.poll())
        .containsExactly(
            new End.Completion(9, 0, 128, 40 + length, 1, 0, to.pair.number(), from.pair.number()));
    assertThat(End.bytes(inbox, 40, length)).isEqualTo(End.pattern(length, 1, 0));
    byte[] header = End.bytes(inbox, 20, 20);
    int padded = (length + 3) / 4 * 4;
    assertThat(header).startsWith(0x45);
    assertThat(ByteBuffer.wrap(header).getShort(2)).isEqualTo((short) (20 + 8 + 20 + padded + 4));
    assertThat(header[9]).isEqualTo((byte) 17);
    assertThat(header).endsWith(10, 0, 0, 1, 10, 0, 0, 2);
  }

  @Test
  void an_immediate_comes_along() {
    activate();
    MemoryRegion inbox = to.memory(100);
    to.receiveInto(9, inbox, 0, 100);
    send(SendOpcode.SEND_WITH_IMM, from.pattern(8, 1), 8, KEY);
    assertThat(to.poll())
        .extracting(End.Completion::flags, End.Completion::immediate)
        .containsExactly(tuple(3, 0xABCD));
  }

  @Test
  void the_wrong_queue_key_or_no_receive_lose_the_datagram_without_a_trace() {
    activate();
    MemoryRegion source = from.pattern(8, 1);
    MemoryRegion inbox = to.memory(100);
    send(SendOpcode.SEND, source, 8, KEY);
    assertThat(to.count(SoftCounters.Name.DROP_NO_RECEIVE)).isEqualTo(1);
    to.receiveInto(9, inbox, 0, 47);
    send(SendOpcode.SEND, source, 8, KEY + 1);
    assertThat(to.count(SoftCounters.Name.DROP_BAD_QKEY)).isEqualTo(1);
    assertThat(to.poll()).isEmpty();
    assertThat(from.pollStatuses()).containsExactly(0, 0);
    send(SendOpcode.SEND, source, 7, KEY);
    assertThat(to.poll()).hasSize(1);
  }

  @Test
  void a_receive_that_is_too_short_fails_and_the_queue_pair_with_it() {
    activate();
    MemoryRegion inbox = to.memory(100);
    to.receiveInto(9, inbox, 0, 47);
    to.receiveInto(10, inbox, 0, 100);
    send(SendOpcode.SEND, from.pattern(8, 1), 8, KEY);
    assertThat(to.count(SoftCounters.Name.DROP_BAD_LENGTH)).isEqualTo(1);
    assertThat(to.poll())
        .extracting(End.Completion::id, End.Completion::status)
        .containsExactly(tuple(9L, 1), tuple(10L, 5));
    assertThat(to.pair.state()).isEqualTo(QueuePairState.ERR);
    assertThat(from.pollStatuses()).containsExactly(0);
  }

  @Test
  void a_datagram_over_the_path_mtu_to_nowhere_or_of_another_kind_is_refused_when_posted() {
    activate();
    MemoryRegion source = from.memory(8192);
    assertThat(send(SendOpcode.SEND, source, 4097, KEY)).isEqualTo(22);
    assertThat(send(SendOpcode.RDMA_WRITE, source, 8, KEY)).isEqualTo(22);
    assertThat(from.send(1, source, 8)).isEqualTo(22);
  }

  @ParameterizedTest
  @CsvSource({"10.0.0.7, 10.0.0.8", "fd77::7, fd77::8"})
  void the_header_leads_back_to_the_sender(String here, String there) {
    End one = new End(network, here, SoftDeviceOptions.DEFAULT);
    End two = new End(network, there, SoftDeviceOptions.DEFAULT);
    one.createPair(QueuePairType.UD).activate(KEY);
    two.createPair(QueuePairType.UD).activate(KEY);
    MemoryRegion inbox = two.memory(100);
    two.receiveInto(1, inbox, 0, 100);
    MemoryRegion reply = one.memory(100);
    one.receiveInto(2, reply, 0, 100);
    AddressHandle forth = one.domain.createAddressHandle(one.address, two.address);
    sendTo(one, forth, two.pair.number());
    WorkCompletions received = two.queue.allocate(1);
    assertThat(two.queue.poll(received)).isEqualTo(1);
    assertThat(received.hasGlobalRoutingHeader(0)).isTrue();
    assertThat(received.sourceQueuePair(0)).isEqualTo(one.pair.number());
    AddressHandle back = two.domain.createAddressHandle(received, 0, inbox.buffer(), 1);
    sendTo(two, back, received.sourceQueuePair(0));
    assertThat(one.poll())
        .filteredOn(completion -> completion.opcode() == 128)
        .extracting(End.Completion::id, End.Completion::source)
        .containsExactly(tuple(2L, two.pair.number()));
    inbox.buffer().put(new byte[40]);
    assertThatThrownBy(() -> two.domain.createAddressHandle(received, 0, inbox.buffer(), 1))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("ibv_create_ah_from_wc");
  }

  private void sendTo(End end, AddressHandle handle, int number) {
    MemoryRegion source = end.pattern(8, 1);
    try (SendBatch batch = end.pair.allocateSendBatch(1, 1)) {
      batch.add(5, SendOpcode.SEND, SendFlag.SIGNALED, 0, 0, 0);
      batch.addScatterGather(source.address(), 8, source.localKey());
      batch.setUdAddress(handle, number, KEY);
      assertThat(batch.post()).isZero();
      network.deliver();
    }
  }

  @Test
  void paths_the_device_does_not_have_are_refused() {
    assertThatThrownBy(() -> from.domain.createAddressHandle(to.address, from.address))
        .isInstanceOf(AddressException.class)
        .hasMessageContaining("10.0.0.2");
    InetAddress six = End.address("fd77::1");
    assertThatThrownBy(() -> from.domain.createAddressHandle(from.address, six))
        .isInstanceOf(IllegalArgumentException.class);
    List.of(
            AddressHandleAttributes.toAddress(six, 0, 1),
            AddressHandleAttributes.toAddress(to.address, 1, 1),
            AddressHandleAttributes.toAddress(to.address, 0, 2),
            AddressHandleAttributes.toAddress(End.address("224.0.0.1"), 0, 1),
            AddressHandleAttributes.toAddress(null, 0, 1))
        .forEach(
            attributes ->
                assertThatThrownBy(() -> from.domain.createAddressHandle(attributes))
                    .isInstanceOf(RdmaException.class)
                    .hasMessageContaining("Invalid argument"));
  }

  @Test
  void a_handle_is_for_open_datagram_queue_pairs_of_its_domain() {
    activate();
    AddressHandle handle = from.domain.createAddressHandle(from.address, to.address);
    assertThat(handle.protectionDomain()).isSameAs(from.domain);
    assertThatThrownBy(from.domain::close).hasMessageContaining("1 address handles");
    try (SendBatch batch = to.pair.allocateSendBatch(1, 1)) {
      batch.add(5, SendOpcode.SEND, 0, 0, 0, 0);
      assertThatThrownBy(() -> batch.setUdAddress(handle, 1, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("protection domain");
    }
    try (SendBatch batch = from.pair.allocateSendBatch(1, 1)) {
      batch.add(5, SendOpcode.SEND, 0, 0, 0, 0);
      assertThatThrownBy(() -> batch.setUdAddress(handle, -1, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("-1");
      batch.setUdAddress(handle, 1, 1);
      handle.close();
      assertThat(batch.post()).isEqualTo(22);
      assertThatThrownBy(() -> batch.setUdAddress(handle, 1, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
    try (SendBatch batch = from.createPair(QueuePairType.RC).allocateSendBatch(1, 1)) {
      batch.add(5, SendOpcode.SEND, 0, 0, 0, 0);
      assertThatThrownBy(() -> batch.setUdAddress(handle, 1, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("RC");
    }
  }

  @Test
  void a_bad_local_key_fails_it() {
    activate();
    MemoryRegion source = from.memory(8);
    assertThat(send(SendOpcode.SEND, source, 9, KEY)).isZero();
    assertThat(from.pollStatuses()).containsExactly(4);
    assertThat(from.pair.state()).isEqualTo(QueuePairState.ERR);
  }

  @Test
  void a_queue_pair_takes_only_the_transition_of_its_own_type() {
    from.createPair(QueuePairType.UD);
    assertThatThrownBy(
            () ->
                from.pair.connect(new ConnectionSetup(to.address, 1, 1, 1, 256, 1, 1, 14, 7, 7, 0)))
        .hasMessageContaining("Invalid argument");
    from.createPair(QueuePairType.RC);
    assertThatThrownBy(() -> from.pair.activate(1)).hasMessageContaining("Invalid argument");
  }

  private record Arrived(InetAddress source, int number, byte[] bytes) {}

  private final List<Arrived> arrived = new ArrayList<>();

  private void handleManagement() {
    to.engine.setManagementHandler(
        (source, number, mad) -> {
          assertThat(to.engine.inside()).isTrue();
          byte[] bytes = new byte[mad.remaining()];
          mad.get(bytes);
          arrived.add(new Arrived(source, number, bytes));
        });
  }

  @Test
  void management_datagrams_go_from_queue_pair_1_to_queue_pair_1() {
    handleManagement();
    byte[] mad = End.pattern(256, 7, 0);
    ByteBuffer buffer = ByteBuffer.wrap(mad);
    from.engine.sendManagement(to.address, buffer);
    assertThat(buffer.remaining()).isEqualTo(256);
    FakeNetwork.Packet packet = network.log.get(0);
    assertThat(packet.bytes()).hasSize(12 + 8 + 256);
    assertThat(packet.opcode()).isEqualTo(Opcode.UD_SEND_ONLY);
    assertThat(packet.destinationQpn()).isEqualTo(1);
    assertThat(Headers.dethQkey(ByteBuffer.wrap(packet.bytes()), 12)).isEqualTo(0x80010000);
    assertThat(Headers.dethSourceQpn(ByteBuffer.wrap(packet.bytes()), 12)).isEqualTo(1);
    assertThat(network.unflushed()).isZero();
    network.deliver();
    assertThat(arrived).hasSize(1);
    assertThat(arrived.get(0).source()).isEqualTo(from.address);
    assertThat(arrived.get(0).number()).isEqualTo(1);
    assertThat(arrived.get(0).bytes()).isEqualTo(mad);
    assertThatThrownBy(() -> from.engine.sendManagement(to.address, ByteBuffer.allocate(255)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("256")
        .hasMessageContaining("255");
  }

  private void inject(int opcode, int queueKey, int length) {
    ByteBuffer packet = ByteBuffer.allocate(20 + length);
    Headers.putBth(packet, opcode, false, 0, 1, false, 0);
    Headers.putDeth(packet, queueKey, 1);
    network.inject(new FakeNetwork.Packet(from.address, to.address, packet.array()));
    network.deliver();
  }

  @Test
  void other_packets_to_queue_pair_1_are_dropped_and_counted() {
    inject(Opcode.UD_SEND_ONLY, 0x80010000, 256);
    assertThat(to.count(SoftCounters.Name.DROP_BAD_QPN)).as("nobody listens").isEqualTo(1);
    handleManagement();
    inject(Opcode.UD_SEND_ONLY, 0x80010001, 256);
    assertThat(to.count(SoftCounters.Name.DROP_BAD_QKEY)).isEqualTo(1);
    inject(Opcode.UD_SEND_ONLY, 0x80010000, 252);
    inject(Opcode.UD_SEND_ONLY, 0x80010000, 260);
    assertThat(to.count(SoftCounters.Name.DROP_BAD_LENGTH)).isEqualTo(2);
    inject(Opcode.RC_SEND_ONLY, 0x80010000, 256);
    inject(Opcode.UD_SEND_ONLY_IMM, 0x80010000, 260);
    assertThat(to.count(SoftCounters.Name.DROP_BAD_OPCODE)).isEqualTo(2);
    assertThat(arrived).isEmpty();
    inject(Opcode.UD_SEND_ONLY, 0x80010000, 256);
    assertThat(arrived).hasSize(1);
  }

  @Test
  void a_handler_that_throws_harms_nobody() {
    to.engine.setManagementHandler(
        (source, number, mad) -> {
          throw new IllegalStateException("thrown by the test");
        });
    inject(Opcode.UD_SEND_ONLY, 0x80010000, 256);
    assertThat(to.count(SoftCounters.Name.DROP_OTHER)).isEqualTo(1);
    assertThat(to.engine.inside()).isFalse();
    handleManagement();
    inject(Opcode.UD_SEND_ONLY, 0x80010000, 256);
    assertThat(arrived).hasSize(1);
  }
}
