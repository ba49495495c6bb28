package io.vertxrdma.soft.transport;

import static io.vertxrdma.soft.transport.RawPeer.PSN;
import static io.vertxrdma.soft.transport.RawPeer.reth;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Opcode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** READs and atomics on the wire: what is answered, what is answered again, and what is refused. */
class RepliesTest {

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

  @Test
  void a_read_is_answered_with_as_many_packets_as_it_takes() {
    End.fill(memory, 0, 600, 3);
    peer.send(Opcode.RC_READ_REQUEST, PSN, true, reth(memory, 600));
    List<FakeNetwork.Packet> answers = peer.answers();
    assertThat(answers).extracting(FakeNetwork.Packet::opcode).containsExactly(0x0D, 0x0E, 0x0F);
    assertThat(answers).extracting(FakeNetwork.Packet::psn).containsExactly(PSN, PSN + 1, PSN + 2);
    assertThat(answers.get(0).syndrome()).isEqualTo(0x1F);
    assertThat(answers.get(0).msn()).isEqualTo(1);
    assertThat(answers.get(2).msn()).isEqualTo(1);
    assertThat(answers.get(0).bytes()).hasSize(12 + 4 + 256);
    assertThat(answers.get(1).bytes()).hasSize(12 + 256);
    assertThat(answers.get(2).bytes()).hasSize(12 + 4 + 88);
    peer.write(PSN + 3, memory, 8);
    assertAnswer(0x1F, PSN + 3, 2);
  }

  @Test
  void a_repeated_read_is_answered_from_where_it_asks() {
    End.fill(memory, 0, 600, 3);
    peer.send(Opcode.RC_READ_REQUEST, PSN, true, reth(memory, 600));
    peer.answers();
    peer.send(
        Opcode.RC_READ_REQUEST,
        PSN + 1,
        true,
        packet -> Headers.putReth(packet, memory.address() + 256, memory.remoteKey(), 344));
    assertThat(peer.answers())
        .extracting(FakeNetwork.Packet::opcode, FakeNetwork.Packet::psn)
        .containsExactly(tuple(0x0D, PSN + 1), tuple(0x0F, PSN + 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"key", "address", "length"})
  void a_repeated_read_that_asks_for_something_else_is_not_answered(String what) {
    peer.send(Opcode.RC_READ_REQUEST, PSN, true, reth(memory, 600));
    peer.answers();
    peer.send(
        Opcode.RC_READ_REQUEST,
        PSN,
        true,
        packet ->
            Headers.putReth(
                packet,
                memory.address() + (what.equals("address") ? 8 : 0),
                memory.remoteKey() + (what.equals("key") ? 1 : 0),
                what.equals("length") ? 601 : 600));
    assertThat(peer.answers()).isEmpty();
    assertThat(peer.end.pair.state()).isEqualTo(QueuePairState.RTS);
  }

  @Test
  void reads_and_atomics_out_of_memory_are_not_answered_again() {
    for (int i = 0; i < 5; i++) {
      peer.send(Opcode.RC_READ_REQUEST, PSN + i, true, reth(memory, 8));
    }
    assertThat(peer.answers()).hasSize(5);
    peer.send(Opcode.RC_READ_REQUEST, PSN, true, reth(memory, 8));
    assertThat(peer.answers()).as("the oldest of five, with a depth of four").isEmpty();
    peer.send(Opcode.RC_READ_REQUEST, PSN + 1, true, reth(memory, 8));
    assertThat(peer.answer().psn()).isEqualTo(PSN + 1);
  }

  @Test
  void more_reads_at_once_than_were_agreed_are_refused() {
    MemoryRegion big = peer.end.memory(256 * 300);
    for (int i = 0; i < 5; i++) {
      peer.put(peer.packet(Opcode.RC_READ_REQUEST, PSN + 300 * i, true, reth(big, 256 * 300)));
    }
    peer.network.deliver();
    assertThat(peer.answers()).anyMatch(p -> p.opcode() == 0x11 && p.syndrome() == 0x61);
    assertThat(peer.end.pair.state()).isEqualTo(QueuePairState.ERR);
  }

  /** Of a peer that ran out of patience just before the answers came, which made room. */
  @Test
  void requests_repeated_after_their_answer_leave_room_for_the_next() {
    for (int i = 0; i < 4; i++) {
      peer.send(Opcode.RC_READ_REQUEST, PSN + i, true, reth(memory, 8));
    }
    assertThat(peer.answers()).hasSize(4);
    for (int i = 0; i < 5; i++) {
      peer.put(peer.packet(Opcode.RC_READ_REQUEST, PSN + i, true, reth(memory, 8)));
    }
    peer.network.deliver();
    assertThat(peer.answers())
        .extracting(FakeNetwork.Packet::opcode, FakeNetwork.Packet::psn)
        .containsExactly(
            tuple(0x10, PSN + 1), tuple(0x10, PSN + 2), tuple(0x10, PSN + 3), tuple(0x10, PSN + 4));
    assertThat(peer.end.pair.state()).isEqualTo(QueuePairState.RTS);
    peer.write(PSN + 5, memory, 8);
    assertAnswer(0x1F, PSN + 5, 6);
  }

  @Test
  void a_long_read_is_answered_in_portions_and_nothing_behind_it_is_acknowledged_before() {
    MemoryRegion big = peer.end.memory(256 * 600);
    peer.send(Opcode.RC_READ_REQUEST, PSN, true, reth(big, 256 * 600));
    assertThat(peer.answers()).hasSize(256);
    peer.write(PSN + 600, memory, 8);
    List<FakeNetwork.Packet> more = peer.answers();
    assertThat(more).hasSize(256).noneMatch(packet -> packet.opcode() == 0x11);
    // Asked again for the end while that is still to come: it comes once, then the ACK.
    peer.send(
        Opcode.RC_READ_REQUEST,
        PSN + 590,
        true,
        packet -> Headers.putReth(packet, big.address() + 590 * 256, big.remoteKey(), 10 * 256));
    peer.network.run(10);
    List<FakeNetwork.Packet> rest = peer.answers();
    assertThat(rest).extracting(FakeNetwork.Packet::psn).endsWith(PSN + 599, PSN + 600);
    assertThat(rest.get(rest.size() - 1).opcode()).isEqualTo(0x11);
    assertThat(peer.network.timers.running()).isZero();
  }

  @Test
  void the_rest_of_a_long_answer_comes_by_itself() {
    MemoryRegion big = peer.end.memory(256 * 600);
    peer.send(Opcode.RC_READ_REQUEST, PSN, true, reth(big, 256 * 600));
    peer.network.run(10);
    List<FakeNetwork.Packet> answers = peer.answers();
    assertThat(answers).hasSize(600);
    assertThat(answers.get(599).psn()).isEqualTo(PSN + 599);
  }

  @Test
  void an_unaligned_atomic_is_an_invalid_request() {
    peer.send(
        Opcode.RC_FETCH_ADD,
        PSN,
        true,
        packet -> Headers.putAtomicEth(packet, memory.address() + 4, memory.remoteKey(), 1, 0));
    assertAnswer(0x61, PSN, 0);
    assertThat(memory.buffer().getLong(0)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {8189, 8185, 8192, -8, Long.MAX_VALUE, Long.MIN_VALUE})
  void an_atomic_outside_of_the_region_is_refused(long offset) {
    peer.send(
        Opcode.RC_FETCH_ADD,
        PSN,
        true,
        packet ->
            Headers.putAtomicEth(packet, memory.address() + offset, memory.remoteKey(), 1, 0));
    assertAnswer(0x62, PSN, 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0x80000000, 0xFFFFFFFF, 8193})
  void reads_of_such_lengths_are_refused_too(int length) {
    peer.send(Opcode.RC_READ_REQUEST, PSN, false, reth(memory, length));
    assertAnswer(0x62, PSN, 0);
  }

  @Test
  void a_response_is_acknowledgement_enough_for_what_came_with_its_request() {
    peer.put(
        peer.packet(Opcode.RC_WRITE_ONLY, PSN, true, reth(memory, 8).andThen(RawPeer.payload(8))));
    peer.put(peer.packet(Opcode.RC_READ_REQUEST, PSN + 1, true, reth(memory, 8)));
    peer.network.deliver();
    assertThat(peer.answer().opcode()).isEqualTo(Opcode.RC_READ_RESPONSE_ONLY);
    peer.put(peer.packet(Opcode.RC_READ_REQUEST, PSN + 2, true, reth(memory, 8)));
    peer.put(
        peer.packet(
            Opcode.RC_WRITE_ONLY, PSN + 3, true, reth(memory, 8).andThen(RawPeer.payload(8))));
    peer.network.deliver();
    assertThat(peer.answers())
        .extracting(FakeNetwork.Packet::opcode, FakeNetwork.Packet::psn)
        .containsExactly(tuple(0x10, PSN + 2), tuple(0x11, PSN + 3));
  }
}
