package io.vertxrdma.soft.transport;

import static io.vertxrdma.soft.transport.RawPeer.OWN_PSN;
import static io.vertxrdma.soft.transport.RawPeer.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Opcode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sending half on the wire: what each answer of a peer, sensible or not, makes of it. */
class RequesterTest {

  private final RawPeer peer = new RawPeer();
  private final MemoryRegion memory = peer.end.pattern(4096, 1);

  private void writes(int count) {
    for (int i = 0; i < count; i++) {
      peer.end.writeImmediate(i, i);
    }
  }

  private static Consumer<ByteBuffer> aeth(int syndrome) {
    return packet -> Headers.putAeth(packet, syndrome, 1);
  }

  private void acknowledge(int psn, int syndrome) {
    peer.send(Opcode.RC_ACKNOWLEDGE, psn & Headers.MASK_24, false, aeth(syndrome));
  }

  private List<Integer> sentPsns() {
    return peer.answers().stream().map(packet -> packet.psn() - OWN_PSN).toList();
  }

  @Test
  void an_acknowledgement_completes_everything_up_to_it() {
    writes(5);
    acknowledge(OWN_PSN + 2, 0x1F);
    assertThat(peer.end.pollIds()).containsExactly(0L, 1L, 2L);
    acknowledge(OWN_PSN + 4, 0x05);
    assertThat(peer.end.pollIds()).containsExactly(3L, 4L);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, -100, 2, 3, 100, 0x800000, 0x7FFFFF})
  void answers_to_packets_that_are_not_out_are_dropped(int offset) {
    writes(2);
    for (int syndrome : new int[] {0x1F, 0x20, 0x60, 0x61, 0x62, 0x63}) {
      acknowledge(OWN_PSN + offset, syndrome);
    }
    assertThat(peer.end.poll()).isEmpty();
    assertThat(peer.end.pair.state()).isEqualTo(QueuePairState.RTS);
    assertThat(peer.end.count(SoftCounters.Name.DROP_OUT_OF_WINDOW)).isEqualTo(6);
    acknowledge(OWN_PSN + 1, 0x1F);
    assertThat(peer.end.pollStatuses()).containsExactly(0, 0);
  }

  @Test
  void an_answer_to_nothing_is_dropped() {
    acknowledge(OWN_PSN, 0x62);
    acknowledge(OWN_PSN - 1, 0x62);
    assertThat(peer.end.pair.state()).isEqualTo(QueuePairState.RTS);
  }

  @ParameterizedTest
  @CsvSource({"0x61, 9", "0x62, 10", "0x63, 11"})
  void a_refusal_completes_what_was_before_fails_the_request_and_flushes_the_rest(
      String syndrome, int status) {
    writes(4);
    acknowledge(OWN_PSN + 2, Integer.decode(syndrome));
    assertThat(peer.end.poll())
        .extracting(End.Completion::id, End.Completion::status)
        .containsExactly(tuple(0L, 0), tuple(1L, 0), tuple(2L, status), tuple(3L, 5));
    assertThat(peer.end.pair.state()).isEqualTo(QueuePairState.ERR);
  }

  @ParameterizedTest
  @ValueSource(ints = {0x40, 0x64, 0x7F, 0x80, 0xFF})
  void an_answer_nobody_knows_is_dropped(int syndrome) {
    writes(1);
    acknowledge(OWN_PSN, syndrome);
    assertThat(peer.end.poll()).isEmpty();
    assertThat(peer.end.pair.state()).isEqualTo(QueuePairState.RTS);
  }

  @Test
  void a_sequence_error_sends_everything_from_there_on_again_once() {
    writes(5);
    peer.answers();
    acknowledge(OWN_PSN + 2, 0x60);
    assertThat(sentPsns()).containsExactly(2, 3, 4);
    assertThat(peer.end.pollIds()).containsExactly(0L, 1L);
    acknowledge(OWN_PSN + 2, 0x60);
    assertThat(sentPsns()).as("the same complaint again").isEmpty();
    acknowledge(OWN_PSN + 3, 0x60);
    assertThat(sentPsns()).containsExactly(3, 4);
  }

  @Test
  void no_more_than_128_packets_are_out_and_each_acknowledgement_makes_room() {
    writes(200);
    assertThat(sentPsns()).isEqualTo(IntStream.range(0, 128).boxed().toList());
    acknowledge(OWN_PSN, 0x1F);
    assertThat(sentPsns()).containsExactly(128);
    acknowledge(OWN_PSN + 40, 0x1F);
    assertThat(sentPsns()).isEqualTo(IntStream.range(129, 169).boxed().toList());
  }

  @Test
  void after_a_timeout_few_packets_go_out_and_acknowledgements_open_the_window_again() {
    writes(200);
    peer.answers();
    peer.network.timers.runNext(Long.MAX_VALUE);
    assertThat(sentPsns()).containsExactly(0, 1, 2, 3);
    acknowledge(OWN_PSN + 3, 0x1F);
    assertThat(sentPsns()).isEqualTo(IntStream.range(4, 12).boxed().toList());
    acknowledge(OWN_PSN + 11, 0x1F);
    assertThat(sentPsns()).isEqualTo(IntStream.range(12, 28).boxed().toList());
  }

  @Test
  void after_an_acknowledgement_of_everything_no_more_than_the_whole_window_goes_out() {
    writes(400);
    peer.answers();
    peer.network.timers.runNext(Long.MAX_VALUE);
    peer.answers();
    acknowledge(OWN_PSN + 127, 0x1F);
    assertThat(sentPsns()).isEqualTo(IntStream.range(128, 256).boxed().toList());
  }

  @Test
  void a_sequence_error_halves_the_packets_that_are_out() {
    writes(200);
    peer.answers();
    acknowledge(OWN_PSN, 0x60);
    assertThat(sentPsns()).isEqualTo(IntStream.range(0, 64).boxed().toList());
    acknowledge(OWN_PSN + 9, 0x1F);
    assertThat(sentPsns()).isEqualTo(IntStream.range(64, 84).boxed().toList());
  }

  @Test
  void a_long_message_asks_for_an_acknowledgement_within_the_smallest_window() {
    int packets = 100;
    MemoryRegion big = peer.end.memory(packets * RawPeer.MTU);
    peer.end.write(1, big, packets * RawPeer.MTU, big);
    peer.answers();
    peer.network.timers.runNext(Long.MAX_VALUE);
    assertThat(peer.answers())
        .extracting(FakeNetwork.Packet::asksForAcknowledge)
        .containsExactly(false, true, false, true);
  }

  @ParameterizedTest
  @CsvSource({"256, 128", "1024, 128", "2048, 64", "4096, 32"})
  void no_more_bytes_are_out_than_a_socket_buffer_holds(int mtu, int packets) {
    Rig rig = new Rig();
    rig.mtu = mtu;
    rig.connect();
    MemoryRegion big = rig.client.memory(1 << 20);
    rig.client.write(1, big, 1 << 20, big);
    assertThat(rig.network.log).hasSize(packets);
    assertThat(rig.network.log.get(packets / 2 - 1).asksForAcknowledge()).isTrue();
    assertThat(rig.network.log.get(packets - 1).asksForAcknowledge()).isTrue();
  }

  @Test
  void a_sequence_error_while_waiting_for_the_receiver_does_not_end_the_wait() {
    writes(3);
    peer.answers();
    acknowledge(OWN_PSN, 0x20 | 12);
    acknowledge(OWN_PSN, 0x60);
    acknowledge(OWN_PSN, 0x20 | 12);
    assertThat(peer.answers()).isEmpty();
    peer.network.run(1);
    assertThat(sentPsns()).containsExactly(0, 1, 2);
    assertThat(peer.end.count(SoftCounters.Name.RECEIVED_RNR_NAK)).isEqualTo(1);
  }

  @Test
  void a_late_acknowledgement_ends_the_wait_for_the_receiver() {
    writes(2);
    peer.answers();
    acknowledge(OWN_PSN, 0x20);
    acknowledge(OWN_PSN, 0x1F);
    assertThat(sentPsns()).containsExactly(1);
    assertThat(peer.end.pollIds()).containsExactly(0L);
  }

  @Test
  void a_late_acknowledgement_overtakes_a_second_pass() {
    peer.end.write(1, memory, 1024, memory);
    peer.answers();
    acknowledge(OWN_PSN, 0x20 | 12);
    acknowledge(OWN_PSN + 2, 0x1F);
    assertThat(sentPsns()).containsExactly(3);
    acknowledge(OWN_PSN + 3, 0x1F);
    assertThat(peer.end.pollIds()).containsExactly(1L);
    peer.end.writeImmediate(2, 2);
    assertThat(sentPsns()).containsExactly(4);
  }

  @Test
  void read_responses_of_the_wrong_length_place_or_kind_are_not_taken() {
    MemoryRegion into = peer.end.memory(600);
    peer.end.read(1, into, 600, memory);
    int first = Opcode.RC_READ_RESPONSE_FIRST;
    int last = Opcode.RC_READ_RESPONSE_LAST;
    peer.send(first, OWN_PSN, false, aeth(0x1F).andThen(payload(255)));
    peer.send(first, OWN_PSN, false, aeth(0x1F).andThen(payload(260)));
    peer.send(last, OWN_PSN, false, aeth(0x1F).andThen(payload(256)));
    peer.send(Opcode.RC_READ_RESPONSE_ONLY, OWN_PSN, false, aeth(0x1F).andThen(payload(256)));
    peer.send(first, OWN_PSN, false, aeth(0x62).andThen(payload(256)));
    peer.send(Opcode.RC_ATOMIC_ACKNOWLEDGE, OWN_PSN, false, aeth(0x1F).andThen(p -> p.putLong(1)));
    assertThat(End.bytes(into, 0, 600)).containsOnly(0);
    assertThat(peer.end.pair.state()).isEqualTo(QueuePairState.RTS);
    peer.send(first, OWN_PSN, false, aeth(0x1F).andThen(payload(256)));
    peer.send(Opcode.RC_READ_RESPONSE_MIDDLE, OWN_PSN + 1, false, payload(256));
    peer.send(last, OWN_PSN + 2, false, aeth(0x1F).andThen(payload(87)));
    assertThat(peer.end.poll()).isEmpty();
    peer.send(last, OWN_PSN + 2, false, aeth(0x1F).andThen(payload(88)));
    assertThat(peer.end.pollStatuses()).containsExactly(0);
    assertThat(into.buffer().get(599)).isEqualTo((byte) 88);
  }

  @Test
  void a_read_response_to_a_write_is_dropped() {
    writes(1);
    peer.send(Opcode.RC_READ_RESPONSE_ONLY, OWN_PSN, false, aeth(0x1F));
    peer.send(Opcode.RC_ATOMIC_ACKNOWLEDGE, OWN_PSN, false, aeth(0x1F).andThen(p -> p.putLong(1)));
    assertThat(peer.end.poll()).isEmpty();
    acknowledge(OWN_PSN, 0x1F);
    assertThat(peer.end.pollStatuses()).containsExactly(0);
  }

  @Test
  void a_missing_read_response_is_asked_for_once_however_many_come_behind_it() {
    MemoryRegion into = peer.end.memory(2048);
    peer.end.read(1, into, 2048, memory);
    peer.answers();
    for (int i = 1; i < 7; i++) {
      peer.send(Opcode.RC_READ_RESPONSE_MIDDLE, OWN_PSN + i, false, payload(256));
    }
    FakeNetwork.Packet again = peer.answer();
    assertThat(again.opcode()).isEqualTo(Opcode.RC_READ_REQUEST);
    assertThat(again.psn()).isEqualTo(OWN_PSN);
  }

  @Test
  void the_next_piece_of_a_long_read_is_asked_for_when_the_one_before_has_come() {
    int piece = 128 * RawPeer.MTU;
    MemoryRegion into = peer.end.memory(2 * piece);
    peer.end.read(1, into, 2 * piece, memory);
    peer.send(
        Opcode.RC_READ_RESPONSE_FIRST, OWN_PSN, false, aeth(0x1F).andThen(payload(RawPeer.MTU)));
    for (int i = 1; i < 127; i++) {
      peer.send(Opcode.RC_READ_RESPONSE_MIDDLE, OWN_PSN + i, false, payload(RawPeer.MTU));
    }
    assertThat(sentPsns()).containsExactly(0);
    peer.send(
        Opcode.RC_READ_RESPONSE_LAST,
        OWN_PSN + 127,
        false,
        aeth(0x1F).andThen(payload(RawPeer.MTU)));
    assertThat(sentPsns()).containsExactly(128);
  }

  @Test
  void a_part_of_a_message_acknowledged_across_the_end_of_the_numbers_does_not_complete_it() {
    RawPeer other = new RawPeer(Rig.ALL_REMOTE_ACCESS, 4, 0xFFFFFE, 7);
    MemoryRegion source = other.end.pattern(1280, 1);
    other.end.write(1, source, 1280, source);
    for (int psn : new int[] {0xFFFFFE, 0xFFFFFF, 0, 1}) {
      other.send(Opcode.RC_ACKNOWLEDGE, psn, false, aeth(0x1F));
      assertThat(other.end.poll()).isEmpty();
    }
    other.send(Opcode.RC_ACKNOWLEDGE, 2, false, aeth(0x1F));
    assertThat(other.end.pollIds()).containsExactly(1L);
  }

  @Test
  void a_complaint_while_waiting_for_the_receiver_costs_no_retry() {
    RawPeer other = new RawPeer(Rig.ALL_REMOTE_ACCESS, 4, OWN_PSN, 0);
    other.end.writeImmediate(1, 1);
    other.send(Opcode.RC_ACKNOWLEDGE, OWN_PSN, false, aeth(0x20));
    other.send(Opcode.RC_ACKNOWLEDGE, OWN_PSN, false, aeth(0x60));
    assertThat(other.end.poll()).isEmpty();
    other.send(Opcode.RC_ACKNOWLEDGE, OWN_PSN, false, aeth(0x1F));
    assertThat(other.end.pollStatuses()).containsExactly(0);
  }

  @Test
  void a_complaint_later_than_the_timeout_costs_no_second_retry() {
    RawPeer other = new RawPeer(Rig.ALL_REMOTE_ACCESS, 4, OWN_PSN, 1);
    other.end.writeImmediate(1, 1);
    other.network.timers.runNext(Long.MAX_VALUE);
    assertThat(other.answers()).as("sent, and once more after the timeout").hasSize(2);
    other.send(Opcode.RC_ACKNOWLEDGE, OWN_PSN, false, aeth(0x60));
    assertThat(other.answers()).isEmpty();
    assertThat(other.end.poll()).isEmpty();
    other.send(Opcode.RC_ACKNOWLEDGE, OWN_PSN, false, aeth(0x1F));
    assertThat(other.end.pollStatuses()).containsExactly(0);
  }

  @Test
  void what_a_complaint_sends_again_has_a_whole_timeout() {
    RawPeer other = new RawPeer(Rig.ALL_REMOTE_ACCESS, 4, OWN_PSN, 1);
    long timeout = 4096L << 14;
    other.end.writeImmediate(1, 1);
    other.network.timers.setNow(timeout - 1);
    other.send(Opcode.RC_ACKNOWLEDGE, OWN_PSN, false, aeth(0x60));
    other.network.run(2);
    assertThat(other.answers()).as("sent, and once more after the complaint").hasSize(2);
    assertThat(other.end.poll()).as("the retry had no time yet").isEmpty();
    other.send(Opcode.RC_ACKNOWLEDGE, OWN_PSN, false, aeth(0x1F));
    assertThat(other.end.pollStatuses()).containsExactly(0);
  }
}
