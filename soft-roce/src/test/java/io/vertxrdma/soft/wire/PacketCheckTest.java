package io.vertxrdma.soft.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.soft.wire.PacketCheck.Result;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PacketCheckTest {

  private static ByteBuffer packet(int opcode, int behindBth, int pad) {
    ByteBuffer packet = ByteBuffer.allocate(3 + 12 + behindBth).position(3);
    Headers.putBth(packet, opcode, false, pad, 0x11, true, 5);
    return packet.position(3);
  }

  @ParameterizedTest
  @CsvSource({
    "0x00, 0", "0x01, 0", "0x02, 0", "0x03, 4", "0x04, 0", "0x05, 4", "0x06, 16", "0x07, 0",
    "0x08, 0", "0x09, 4", "0x0A, 16", "0x0B, 20", "0x0C, 16", "0x0D, 4", "0x0E, 0", "0x0F, 4",
    "0x10, 4", "0x11, 4", "0x12, 12", "0x13, 28", "0x14, 28", "0x64, 8", "0x65, 12"
  })
  void each_opcode_needs_its_headers(String code, int behindBth) {
    int opcode = Integer.decode(code);
    assertThat(PacketCheck.check(packet(opcode, behindBth, 0))).isEqualTo(Result.OK);
    assertThat(PacketCheck.headerLength(opcode)).isEqualTo(12 + behindBth);
    assertThat(PacketCheck.payloadLength(packet(opcode, behindBth, 0))).isZero();
    if (behindBth > 0) {
      assertThat(PacketCheck.check(packet(opcode, behindBth - 1, 0))).isEqualTo(Result.SHORT);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0x0C, 0x11, 0x12, 0x13, 0x14})
  void opcodes_without_payload_have_none_and_no_pad(int opcode) {
    int headers = PacketCheck.headerLength(opcode) - 12;
    assertThat(PacketCheck.check(packet(opcode, headers + 4, 0))).isEqualTo(Result.BAD_LENGTH);
    assertThat(PacketCheck.check(packet(opcode, headers, 1))).isEqualTo(Result.BAD_LENGTH);
  }

  @Test
  void payload_is_what_the_pad_leaves_of_it() {
    ByteBuffer packet = packet(Opcode.RC_WRITE_ONLY_IMM, 20 + 24, 2);
    assertThat(PacketCheck.check(packet)).isEqualTo(Result.OK);
    assertThat(PacketCheck.payloadLength(packet)).isEqualTo(22);
  }

  @Test
  void a_pad_longer_than_what_is_there_or_off_the_word_is_a_bad_length() {
    assertThat(PacketCheck.check(packet(Opcode.RC_SEND_ONLY, 0, 3))).isEqualTo(Result.BAD_LENGTH);
    assertThat(PacketCheck.check(packet(Opcode.RC_SEND_ONLY, 7, 1))).isEqualTo(Result.BAD_LENGTH);
  }

  @Test
  void another_transport_version_is_refused_before_anything_else() {
    ByteBuffer packet = packet(0x99, 0, 0);
    packet.put(4, (byte) 1);
    assertThat(PacketCheck.check(packet)).isEqualTo(Result.BAD_VERSION);
  }

  @ParameterizedTest
  @ValueSource(ints = {0x15, 0x16, 0x17, 0x1C, 0x1D, 0x24, 0x63, 0x66, 0x81, 0xFF})
  void what_we_do_not_speak_is_unknown(int opcode) {
    assertThat(PacketCheck.check(packet(opcode, 40, 0))).isEqualTo(Result.UNKNOWN_OPCODE);
    assertThat(PacketCheck.headerLength(opcode)).isZero();
  }

  @Test
  void less_than_a_bth_is_short() {
    for (int length = 0; length < 12; length++) {
      assertThat(PacketCheck.check(ByteBuffer.allocate(length))).isEqualTo(Result.SHORT);
    }
  }

  @Test
  void the_reference_packet_reads_as_intended() {
    ByteBuffer packet = packet(Opcode.RC_WRITE_ONLY_IMM, 20, 0).position(3 + 12);
    Headers.putReth(packet, 0x0000564a136b1360L, 0x2ac, 0xFFFF_FFFF);
    packet.putInt(0xdeadbeef);
    assertThat(Headers.opcode(packet, 3)).isEqualTo(0x0B);
    assertThat(Headers.destinationQpn(packet, 3)).isEqualTo(0x11);
    assertThat(Headers.acknowledgeRequest(packet, 3)).isTrue();
    assertThat(Headers.psn(packet, 3)).isEqualTo(5);
    assertThat(Headers.rethAddress(packet, 15)).isEqualTo(0x0000564a136b1360L);
    assertThat(Headers.rethRkey(packet, 15)).isEqualTo(0x2ac);
    assertThat(Headers.rethLength(packet, 15)).isEqualTo(0xFFFF_FFFFL);
    assertThat(Headers.immediate(packet, 31)).isEqualTo(0xdeadbeef);
  }

  @Test
  void the_other_headers_come_back_as_written() {
    ByteBuffer bytes = ByteBuffer.allocate(64);
    Headers.putDeth(bytes, 0x80010000, 0xFF000001);
    Headers.putAeth(bytes, 0x61, 0x1ABCDEF);
    Headers.putAtomicEth(bytes, -2, 7, Long.MIN_VALUE, 42);
    assertThat(Headers.dethQkey(bytes, 0)).isEqualTo(0x80010000);
    assertThat(Headers.dethSourceQpn(bytes, 0)).isEqualTo(1);
    assertThat(bytes.getInt(4)).isEqualTo(1);
    assertThat(Headers.aethSyndrome(bytes, 8)).isEqualTo(0x61);
    assertThat(Headers.aethMsn(bytes, 8)).isEqualTo(0xABCDEF);
    assertThat(Headers.atomicAddress(bytes, 12)).isEqualTo(-2);
    assertThat(Headers.atomicRkey(bytes, 12)).isEqualTo(7);
    assertThat(Headers.atomicSwapOrAdd(bytes, 12)).isEqualTo(Long.MIN_VALUE);
    assertThat(Headers.atomicCompare(bytes, 12)).isEqualTo(42);
    assertThat(bytes.position()).isEqualTo(40);
  }
}
