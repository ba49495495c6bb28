package io.vertxrdma.soft.transport;

import static io.vertxrdma.soft.transport.RawPeer.PSN;
import static io.vertxrdma.soft.transport.RawPeer.immediate;
import static io.vertxrdma.soft.transport.RawPeer.payload;
import static io.vertxrdma.soft.transport.RawPeer.reth;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Opcode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The receiving half on the wire: order, duplicates, gaps, lengths, and who may talk at all. */
class ResponderTest {

  private static final Consumer<ByteBuffer> NOTHING = packet -> {};

  private final RawPeer peer = new RawPeer();
  private final MemoryRegion memory = peer.end.memory(8192);

  private void assertAnswer(int syndrome, int psn, int msn) {
    FakeNetwork.Packet answer = peer.answer();
    assertThat(answer.opcode()).isEqualTo(Opcode.RC_ACKNOWLEDGE);
    assertThat(answer.destinationQpn()).isEqualTo(RawPeer.QPN);
    assertThat(answer.destination()).isEqualTo(peer.address);
    assertThat(answer.syndrome()).isEqualTo(syndrome);
    assertThat(answer.psn()).isEqualTo(psn);
    assertThat(answer.msn()).isEqualTo(msn);
  }

  private long dropped(SoftCounters.Name name) {
    return peer.end.count(name);
  }

  @Test
  void messages_are_acknowledged_with_their_last_number_and_counted() {
    peer.write(PSN, memory, 8);
    assertAnswer(0x1F, PSN, 1);
    peer.send(Opcode.RC_WRITE_FIRST, PSN + 1, false, reth(memory, 600).andThen(payload(256)));
    peer.send(Opcode.RC_WRITE_MIDDLE, PSN + 2, false, payload(256));
    assertThat(peer.answers()).isEmpty();
    peer.send(Opcode.RC_WRITE_LAST, PSN + 3, true, payload(88));
    assertAnswer(0x1F, PSN + 3, 2);
    assertThat(memory.buffer().get(599)).isEqualTo((byte) 88);
    assertThat(memory.buffer().get(600)).isZero();
  }

  @Test
  void nothing_is_acknowledged_unless_asked() {
    peer.send(Opcode.RC_WRITE_ONLY, PSN, false, reth(memory, 8).andThen(payload(8)));
    assertThat(peer.answers()).isEmpty();
    assertThat(memory.buffer().get(7)).isEqualTo((byte) 8);
  }

  @Test
  void a_duplicate_is_acknowledged_again_and_not_written_again() {
    peer.write(PSN, memory, 8);
    peer.write(PSN + 1, memory, 4);
    peer.answers();
    memory.buffer().put(0, (byte) 99);
    peer.write(PSN, memory, 8);
    assertAnswer(0x1F, PSN + 1, 2);
    peer.write(PSN - 1, memory, 8);
    assertAnswer(0x1F, PSN + 1, 2);
    assertThat(memory.buffer().get(0)).isEqualTo((byte) 99);
    assertThat(dropped(SoftCounters.Name.DUPLICATE_REQUEST)).isEqualTo(2);
  }

  @Test
  void a_gap_brings_one_complaint_until_the_missing_packet_comes() {
    peer.write(PSN + 1, memory, 8);
    assertAnswer(0x60, PSN, 0);
    peer.write(PSN + 2, memory, 8);
    peer.write(PSN + 3, memory, 8);
    assertThat(peer.answers()).isEmpty();
    assertThat(memory.buffer().get(0)).isZero();
    peer.write(PSN, memory, 8);
    assertAnswer(0x1F, PSN, 1);
    peer.write(PSN + 2, memory, 8);
    assertAnswer(0x60, PSN + 1, 1);
  }

  private void put(int psn, boolean ask) {
    peer.put(peer.packet(Opcode.RC_WRITE_ONLY, psn, ask, reth(memory, 8).andThen(payload(8))));
  }

  @Test
  void of_two_packets_in_the_wrong_order_only_the_one_that_came_too_early_is_asked_for() {
    put(PSN + 1, true);
    put(PSN, true);
    peer.network.deliver();
    assertAnswer(0x60, PSN + 1, 1);
    put(PSN + 2, true);
    peer.network.deliver();
    assertThat(peer.answers()).as("the same complaint").isEmpty();
  }

  @Test
  void a_gap_that_closes_within_a_batch_is_no_complaint() {
    put(PSN + 1, true);
    put(PSN, false);
    put(PSN + 1, false);
    peer.network.deliver();
    assertAnswer(0x1F, PSN + 1, 2);
  }

  @Test
  void the_complaint_is_about_what_is_missing_at_the_end_of_the_batch() {
    put(PSN + 1, false);
    put(PSN + 3, false);
    put(PSN, false);
    put(PSN + 1, false);
    peer.network.deliver();
    assertAnswer(0x60, PSN + 2, 2);
  }

  @Test
  void numbers_go_round_at_24_bits() {
    RawPeer other = new RawPeer();
    int first = 0xFFFFFE;
    other.end.pair.close();
    other.end.createPair();
    other.end.pair.connect(
        new ConnectionSetup(
            other.address, RawPeer.QPN, 1, first, 256, 4, 4, 14, 7, 7, Rig.ALL_REMOTE_ACCESS));
    MemoryRegion target = other.end.memory(64);
    for (int i = 0; i < 4; i++) {
      other.write(first + i & Headers.MASK_24, target, 8);
      assertThat(other.answer().psn()).isEqualTo(first + i & Headers.MASK_24);
    }
    // Behind, across the end of the numbers.
    other.write(first, target, 8);
    assertThat(other.answer().psn()).isEqualTo(1);
    assertThat(other.end.count(SoftCounters.Name.DUPLICATE_REQUEST)).isEqualTo(1);
  }

  static Stream<Arguments> nonsense() {
    return Stream.of(
        Arguments.of("middle without first", List.of(Opcode.RC_WRITE_MIDDLE), List.of(256)),
        Arguments.of("last without first", List.of(Opcode.RC_WRITE_LAST), List.of(8)),
        Arguments.of("send last without first", List.of(Opcode.RC_SEND_LAST), List.of(8)),
        Arguments.of(
            "write middle in a send",
            List.of(Opcode.RC_SEND_FIRST, Opcode.RC_WRITE_MIDDLE),
            List.of(256, 256)),
        Arguments.of(
            "send middle in a write",
            List.of(Opcode.RC_WRITE_FIRST, Opcode.RC_SEND_MIDDLE),
            List.of(256, 256)),
        Arguments.of(
            "first in a write",
            List.of(Opcode.RC_WRITE_FIRST, Opcode.RC_WRITE_FIRST),
            List.of(256, 256)),
        Arguments.of(
            "only in a send", List.of(Opcode.RC_SEND_FIRST, Opcode.RC_SEND_ONLY), List.of(256, 8)),
        Arguments.of(
            "read in a write",
            List.of(Opcode.RC_WRITE_FIRST, Opcode.RC_READ_REQUEST),
            List.of(256, 0)),
        Arguments.of(
            "first shorter than the path MTU", List.of(Opcode.RC_SEND_FIRST), List.of(255)),
        Arguments.of("first longer than the path MTU", List.of(Opcode.RC_SEND_FIRST), List.of(260)),
        Arguments.of("only longer than the path MTU", List.of(Opcode.RC_SEND_ONLY), List.of(260)),
        Arguments.of(
            "last without payload",
            List.of(Opcode.RC_SEND_FIRST, Opcode.RC_SEND_LAST),
            List.of(256, 0)),
        Arguments.of("write first too short", List.of(Opcode.RC_WRITE_FIRST), List.of(252)),
        Arguments.of(
            "write middle too short",
            List.of(Opcode.RC_WRITE_FIRST, Opcode.RC_WRITE_MIDDLE),
            List.of(256, 100)),
        Arguments.of(
            "write last too early",
            List.of(Opcode.RC_WRITE_FIRST, Opcode.RC_WRITE_LAST),
            List.of(256, 256)),
        Arguments.of(
            "write last too short",
            List.of(Opcode.RC_WRITE_FIRST, Opcode.RC_WRITE_MIDDLE, Opcode.RC_WRITE_LAST),
            List.of(256, 256, 87)),
        Arguments.of(
            "write middle too late",
            List.of(Opcode.RC_WRITE_FIRST, Opcode.RC_WRITE_MIDDLE, Opcode.RC_WRITE_MIDDLE),
            List.of(256, 256, 88)),
        Arguments.of("write only of another length", List.of(Opcode.RC_WRITE_ONLY), List.of(8)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("nonsense")
  void packets_that_make_no_sense_are_an_invalid_request_and_end_the_connection(
      String name, List<Integer> opcodes, List<Integer> lengths) {
    MemoryRegion inbox = peer.end.memory(2048);
    peer.end.receiveInto(1, inbox, 0, 1024);
    peer.end.receiveInto(2, inbox, 1024, 1024);
    for (int i = 0; i < opcodes.size(); i++) {
      boolean hasReth =
          opcodes.get(i) == Opcode.RC_WRITE_FIRST
              || opcodes.get(i) == Opcode.RC_WRITE_ONLY
              || opcodes.get(i) == Opcode.RC_READ_REQUEST;
      peer.send(
          opcodes.get(i),
          PSN + i,
          true,
          (hasReth ? reth(memory, 600) : NOTHING).andThen(payload(lengths.get(i))));
    }
    List<FakeNetwork.Packet> answers = peer.answers();
    FakeNetwork.Packet refusal = answers.get(answers.size() - 1);
    assertThat(refusal.syndrome()).isEqualTo(0x61);
    assertThat(refusal.psn()).isEqualTo(PSN + opcodes.size() - 1);
    assertThat(peer.end.pair.state()).isEqualTo(QueuePairState.ERR);
    // The receive of a send under way fails, the others are flushed.
    boolean isSend =
        opcodes.get(0) == Opcode.RC_SEND_FIRST || opcodes.get(0) == Opcode.RC_SEND_ONLY;
    int first = isSend ? 9 : 5;
    assertThat(peer.end.pollStatuses()).containsExactly(first, 5);
  }

  @Test
  void a_receive_posted_in_the_middle_of_a_batch_withdraws_the_refusal() {
    byte[] write =
        peer.packet(Opcode.RC_WRITE_ONLY_IMM, PSN, false, reth(memory, 0).andThen(immediate(1)));
    ByteBuffer mad = ByteBuffer.allocate(276);
    Headers.putBth(mad, Opcode.UD_SEND_ONLY, false, 0, 1, false, 0);
    Headers.putDeth(mad, 0x80010000, 1);
    peer.end.engine.setManagementHandler((source, number, bytes) -> peer.end.receive(1, 70));
    peer.put(write);
    peer.put(mad.array());
    peer.put(write);
    peer.network.deliver();
    assertAnswer(0x1F, PSN, 1);
    assertThat(peer.end.pollIds()).containsExactly(70L);
  }

  @Test
  void a_write_with_immediate_in_two_packets_uses_one_receive_at_its_end() {
    peer.end.receive(2, 70);
    peer.send(Opcode.RC_WRITE_FIRST, PSN, false, reth(memory, 300).andThen(payload(256)));
    assertThat(peer.end.poll()).isEmpty();
    peer.send(Opcode.RC_WRITE_LAST_IMM, PSN + 1, true, immediate(0xABCD).andThen(payload(44)));
    assertThat(peer.end.poll())
        .containsExactly(new End.Completion(70, 0, 129, 300, 2, 0xABCD, peer.end.pair.number(), 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {0x80000000, 0xFFFFFFFF, 8193})
  void lengths_are_unsigned_and_checked_as_a_whole(int length) {
    peer.send(Opcode.RC_WRITE_FIRST, PSN, false, reth(memory, length).andThen(payload(256)));
    assertAnswer(0x62, PSN, 0);
    assertThat(memory.buffer().get(0)).isZero();
  }

  @Test
  void a_stranger_changes_nothing() {
    peer.address = End.address("10.0.0.3");
    peer.write(PSN, memory, 8);
    peer.write(PSN + 5, memory, 8);
    peer.send(Opcode.RC_WRITE_MIDDLE, PSN, true, payload(256));
    peer.send(Opcode.RC_ACKNOWLEDGE, RawPeer.OWN_PSN, true, packet -> packet.putInt(0x62000000));
    assertThat(peer.answers()).isEmpty();
    assertThat(dropped(SoftCounters.Name.DROP_BAD_SOURCE)).isEqualTo(4);
    assertThat(memory.buffer().get(0)).isZero();
    peer.address = End.address("10.0.0.1");
    peer.write(PSN, memory, 8);
    assertAnswer(0x1F, PSN, 1);
  }

  private byte[] writePacket() {
    return peer.packet(Opcode.RC_WRITE_ONLY, PSN, true, reth(memory, 8).andThen(payload(8)));
  }

  private void assertDropped(byte[] packet, SoftCounters.Name reason) {
    peer.put(packet);
    peer.network.deliver();
    assertThat(peer.answers()).isEmpty();
    assertThat(dropped(reason)).isEqualTo(1);
    assertThat(memory.buffer().get(0)).isZero();
    assertThat(peer.end.pair.state()).isEqualTo(QueuePairState.RTS);
  }

  @Test
  void a_packet_of_another_partition_is_dropped() {
    byte[] packet = writePacket();
    packet[2] = 0x12;
    assertDropped(packet, SoftCounters.Name.DROP_BAD_PKEY);
  }

  @Test
  void a_limited_member_of_our_partition_may_talk_to_us() {
    byte[] packet = writePacket();
    packet[2] = 0x7F;
    peer.put(packet);
    peer.network.deliver();
    assertAnswer(0x1F, PSN, 1);
  }

  @Test
  void a_packet_of_another_version_is_dropped() {
    byte[] packet = writePacket();
    packet[1] |= 1;
    assertDropped(packet, SoftCounters.Name.DROP_BAD_VERSION);
  }

  @Test
  void a_packet_for_nobody_is_dropped() {
    byte[] packet = writePacket();
    packet[7] ^= 1;
    assertDropped(packet, SoftCounters.Name.DROP_BAD_QPN);
  }

  @Test
  void a_datagram_for_a_reliable_connection_is_dropped() {
    byte[] packet = writePacket();
    packet[0] = Opcode.UD_SEND_ONLY;
    assertDropped(packet, SoftCounters.Name.DROP_BAD_OPCODE);
  }

  @Test
  void packets_too_short_for_their_headers_are_dropped() {
    byte[] whole = writePacket();
    IntStream.range(0, 28)
        .forEach(
            length -> {
              peer.put(Arrays.copyOf(whole, length));
              peer.network.deliver();
            });
    assertThat(dropped(SoftCounters.Name.DROP_SHORT)).isEqualTo(28);
    assertThat(peer.answers()).isEmpty();
    peer.put(whole);
    peer.network.deliver();
    assertAnswer(0x1F, PSN, 1);
  }
}
