package io.vertxrdma.soft.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UntrustedBytesTest {

  private static final int EACH = 1_000_000;

  private final SplittableRandom random = new SplittableRandom(4791);

  /** Cheaper than an AssertJ object two million times. */
  private static void check(boolean holds) {
    if (!holds) {
      throw new AssertionError();
    }
  }

  @Test
  void a_million_random_and_mutated_packets_are_judged_and_never_read_past_their_end() {
    Map<PacketCheck.Result, Integer> seen = new EnumMap<>(PacketCheck.Result.class);
    byte[] raw = new byte[128];
    ByteBuffer packet = ByteBuffer.wrap(raw);
    for (int i = 0; i < EACH; i++) {
      random.nextBytes(raw);
      packet.clear().position(random.nextInt(8));
      int at = packet.position();
      if (i % 2 == 0) { // plausible: a known opcode and version, mutated from there
        raw[at] = (byte) random.nextInt(0x18);
        raw[at + 1] &= (byte) 0xF0;
      }
      packet.limit(at + random.nextInt(97));
      PacketCheck.Result result = PacketCheck.check(packet);
      seen.merge(result, 1, Integer::sum);
      check(packet.position() == at);
      if (result == PacketCheck.Result.OK) {
        int payload = PacketCheck.payloadLength(packet);
        int headers = PacketCheck.headerLength(Headers.opcode(packet, at));
        check(payload >= 0 && headers + payload <= packet.remaining());
      }
    }
    assertThat(seen).containsOnlyKeys(PacketCheck.Result.values());
  }

  @Test
  void a_million_random_and_mutated_management_datagrams_are_read_or_refused() throws Exception {
    Map<Mad.Problem, Integer> seen = new EnumMap<>(Mad.Problem.class);
    byte[] raw = new byte[256];
    ByteBuffer mad = ByteBuffer.wrap(raw);
    for (int i = 0; i < EACH; i++) {
      mad.clear();
      if (i % 16 == 0) {
        random.nextBytes(raw);
      }
      raw[random.nextInt(256)] = (byte) random.nextInt();
      if (i % 8 != 0) { // plausible header
        mad.putInt(0, 0x01070203);
        mad.putShort(16, (short) (0x10 + random.nextInt(9)));
      }
      mad.limit(random.nextInt(64) == 0 ? random.nextInt(256) : 256);
      Mad.Decoded decoded = Mad.decode(mad);
      seen.merge(decoded.problem(), 1, Integer::sum);
      check((decoded.mad() != null) == (decoded.problem() == Mad.Problem.NONE));
      if (decoded.mad() != null && decoded.mad().message() instanceof CmReq request) {
        CmaHeader header = request.cmaHeader();
        check(request.userData().length == 56);
        check(header == null || header.sourceAddress() != null);
      }
    }
    assertThat(seen)
        .containsKeys(
            Mad.Problem.NONE,
            Mad.Problem.LENGTH,
            Mad.Problem.BASE_VERSION,
            Mad.Problem.MANAGEMENT_CLASS);
    assertThat(seen.get(Mad.Problem.NONE)).isGreaterThan(EACH / 2);
  }

  @Test
  void a_hundred_thousand_random_packets_have_no_right_crc_beyond_chance() throws Exception {
    InvariantCrc crc = new InvariantCrc();
    IpPath path = IpPath.of(InetAddress.getByName("127.0.0.1"), InetAddress.getByName("127.0.0.2"));
    byte[] raw = new byte[128];
    int accepted = 0;
    for (int i = 0; i < 100_000; i++) {
      random.nextBytes(raw);
      ByteBuffer packet = ByteBuffer.wrap(raw, 0, random.nextInt(129));
      accepted += crc.identification(path, 4791, 4791, packet, random.nextInt()) >= 0 ? 1 : 0;
    }
    // One in 2^16 of those with a possible length: the identification costs half the CRC.
    assertThat(accepted).isLessThan(10);
  }
}
