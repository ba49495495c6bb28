package io.vertxrdma.soft.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InvariantCrcTest {

  private final InvariantCrc crc = new InvariantCrc();
  private final SplittableRandom random = new SplittableRandom(20261129);

  /** Accepted by the rxe of a 6.12 kernel. */
  private static final String KERNEL_PACKET =
      "0b20ffff00000011806c4dfb0000564a136b1360000002ac00000016deadbeef"
          + "68656c6c6f2066726f6d2075736572737061636521210000";

  private static ByteBuffer bytes(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  private static IpPath path(String from, String to) {
    try {
      return IpPath.of(InetAddress.getByName(from), InetAddress.getByName(to));
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  /** The CRC of a whole IPv4 frame the slow, obvious way, for any identification. */
  private static int ofFrame(byte[] from, byte[] to, int id, int sport, ByteBuffer packet) {
    int udp = 8 + packet.remaining() + 4;
    ByteBuffer frame = ByteBuffer.allocate(8 + 20 + 8 + packet.remaining());
    frame.putLong(-1).put((byte) 0x45).put((byte) -1).putShort((short) (20 + udp));
    frame.putShort((short) id).putShort((short) 0x4000).put((byte) -1).put((byte) 17);
    frame.putShort((short) -1).put(from).put(to);
    frame.putShort((short) sport).putShort((short) 4791).putShort((short) udp).putShort((short) -1);
    frame.put(packet.duplicate());
    frame.put(8 + 20 + 8 + 4, (byte) -1);
    CRC32 crc = new CRC32();
    crc.update(frame.array());
    return (int) crc.getValue();
  }

  private ByteBuffer randomPacket(int length) {
    byte[] raw = new byte[length];
    random.nextBytes(raw);
    return ByteBuffer.wrap(raw);
  }

  @Test
  void a_packet_the_kernel_took_has_this_crc() {
    IpPath path = path("10.77.0.2", "10.77.0.1");
    int value = crc.compute(path, 4791, 4791, bytes(KERNEL_PACKET));
    assertThat(Integer.reverseBytes(value)).isEqualTo(0x38c16e5b);
  }

  @Test
  void a_congestion_notification_of_a_connectx4_checks_out_and_shows_its_identification() {
    ByteBuffer cnp = bytes("8100 ffff 4000 0118 0000 0000" + "00".repeat(16));
    int received = Integer.reverseBytes(0x82fd002a);
    IpPath path = path("10.0.17.1", "10.0.18.1");
    assertThat(crc.identification(path, 0, 4791, cnp, received)).isEqualTo(0x718c);
  }

  @Test
  void a_vector_of_scapy_checks_out_and_shows_its_identification() {
    ByteBuffer packet =
        bytes("2460ffff000000d300cf1710" + "4630818be28935d90e9a95505401be885e500000");
    int received = Integer.reverseBytes(0x78f353f3);
    IpPath path = path("192.168.0.7", "192.168.0.7");
    assertThat(crc.identification(path, 49152, 4791, packet, received)).isEqualTo(1144);
  }

  @Test
  void ipv6_covers_addresses_ports_and_lengths_and_masks_class_flow_and_hop_limit()
      throws UnknownHostException {
    ByteBuffer packet = randomPacket(40);
    InetAddress from = InetAddress.getByName("fd00::1");
    InetAddress to = InetAddress.getByName("fd00::2");
    ByteBuffer frame = ByteBuffer.allocate(8 + 40 + 8 + 40);
    frame.putLong(-1).putInt(0x6FFF_FFFF).putShort((short) 52).put((byte) 17).put((byte) -1);
    frame.put(from.getAddress()).put(to.getAddress());
    frame.putShort((short) 49152).putShort((short) 4791).putShort((short) 52).putShort((short) -1);
    frame.put(packet.duplicate());
    frame.put(8 + 40 + 8 + 4, (byte) -1);
    CRC32 whole = new CRC32();
    whole.update(frame.array());

    int value = crc.compute(IpPath.of(from, to), 49152, 4791, packet);

    assertThat(value).isEqualTo((int) whole.getValue());
  }

  @Test
  void with_ipv6_only_the_one_crc_is_right() {
    ByteBuffer packet = randomPacket(64);
    IpPath six = path("fd00::1", "fd00::2");
    int value = crc.compute(six, 4791, 4791, packet);
    assertThat(crc.identification(six, 4791, 4791, packet, value)).isZero();
    for (int bit = 0; bit < 32; bit++) {
      assertThat(crc.identification(six, 4791, 4791, packet, value ^ 1 << bit)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 0x80, 0x100, 0x1234, 0x8000, 0xfffe, 0xffff})
  void every_identification_is_accepted_and_recognised_at_every_length(int id) throws Exception {
    byte[] from = {10, 77, 0, 2};
    byte[] to = {10, 77, 0, 1};
    IpPath path = path("10.77.0.2", "10.77.0.1");
    for (int length = 12; length <= InvariantCrc.MAX_PACKET; length += 4) {
      ByteBuffer packet = randomPacket(length);
      int received = ofFrame(from, to, id, 55410, packet);
      assertThat(crc.identification(path, 55410, 4791, packet, received)).isEqualTo(id);
    }
  }

  @Test
  void the_accepted_syndromes_are_exactly_the_span_of_the_sixteen_identification_bits() {
    byte[] from = {127, 0, 0, 1};
    byte[] to = {127, 0, 0, 2};
    IpPath path = path("127.0.0.1", "127.0.0.2");
    for (int length : new int[] {12, 16, 280, 1088, 4128, InvariantCrc.MAX_PACKET}) {
      ByteBuffer packet = randomPacket(length);
      int zero = ofFrame(from, to, 0, 4791, packet);
      int[] pivots = new int[32];
      int rank = 0;
      for (int bit = 0; bit < 16; bit++) {
        int rest = reduce(pivots, ofFrame(from, to, 1 << bit, 4791, packet) ^ zero);
        if (rest != 0) {
          pivots[31 - Integer.numberOfLeadingZeros(rest)] = rest;
          rank++;
        }
      }
      assertThat(rank).isEqualTo(16);
      for (int i = 0; i < 20_000; i++) {
        int syndrome = i % 2 == 0 ? random.nextInt() : combination(pivots);
        boolean inSpan = reduce(pivots, syndrome) == 0;
        int result = crc.identification(path, 4791, 4791, packet, zero ^ syndrome);
        assertThat(result >= 0).isEqualTo(inSpan);
      }
    }
  }

  private static int reduce(int[] pivots, int value) {
    int rest = value;
    for (int bit = 31; bit >= 0; bit--) {
      if ((rest >> bit & 1) != 0 && pivots[bit] != 0) {
        rest ^= pivots[bit];
      }
    }
    return rest;
  }

  private int combination(int[] pivots) {
    int sum = 0;
    for (int pivot : pivots) {
      sum ^= random.nextBoolean() ? pivot : 0;
    }
    return sum;
  }

  @Test
  void twenty_thousand_single_byte_errors_are_all_found() {
    byte[] from = {10, 77, 0, 2};
    byte[] to = {10, 77, 0, 1};
    IpPath path = path("10.77.0.2", "10.77.0.1");
    int found = 0;
    for (int i = 0; i < 20_000; i++) {
      ByteBuffer packet = randomPacket(12 + 4 * random.nextInt(1036));
      int received = ofFrame(from, to, random.nextInt(0x10000), 4791, packet);
      int at = random.nextInt(packet.remaining() - 1);
      at = at >= 4 ? at + 1 : at; // byte 4 is masked
      packet.put(at, (byte) (packet.get(at) ^ 1 + random.nextInt(255)));
      found += crc.identification(path, 4791, 4791, packet, received) < 0 ? 1 : 0;
    }
    assertThat(found).isEqualTo(20_000);
  }

  @Test
  void another_port_address_or_length_is_a_wrong_crc() {
    ByteBuffer packet = bytes(KERNEL_PACKET);
    IpPath path = path("10.77.0.2", "10.77.0.1");
    int value = crc.compute(path, 4791, 4791, packet);
    assertThat(crc.identification(path, 4790, 4791, packet, value)).isEqualTo(-1);
    assertThat(crc.identification(path, 4791, 4790, packet, value)).isEqualTo(-1);
    assertThat(crc.identification(path("10.77.0.3", "10.77.0.1"), 4791, 4791, packet, value))
        .isEqualTo(-1);
    ByteBuffer shorter = packet.duplicate().limit(packet.limit() - 4);
    assertThat(crc.identification(path, 4791, 4791, shorter, value)).isEqualTo(-1);
  }

  @Test
  void lengths_that_no_packet_has_are_refused_without_a_look() {
    IpPath path = path("10.77.0.2", "10.77.0.1");
    for (int length : new int[] {0, 4, 8, 11, 13, 14, 15, InvariantCrc.MAX_PACKET + 4, 9000}) {
      assertThat(crc.identification(path, 4791, 4791, ByteBuffer.allocate(length), 0))
          .isEqualTo(-1);
    }
  }

  @Test
  void direct_and_heap_buffers_at_any_position_give_the_same_and_keep_position_and_limit() {
    ByteBuffer heap = bytes(KERNEL_PACKET);
    IpPath path = path("10.77.0.2", "10.77.0.1");
    ByteBuffer direct = ByteBuffer.allocateDirect(200);
    direct.position(7).put(heap.duplicate()).flip().position(7);
    assertThat(crc.compute(path, 4791, 4791, direct))
        .isEqualTo(crc.compute(path, 4791, 4791, heap));
    assertThat(direct.position()).isEqualTo(7);
    assertThat(direct.remaining()).isEqualTo(heap.remaining());
  }
}
