package io.vertxrdma.soft.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.vertxrdma.core.PortSpace;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MadTest {

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] filled(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 7 + 1);
    }
    return bytes;
  }

  private static CmReq request() {
    CmaHeader header = new CmaHeader(5555, address("10.77.0.2"), address("10.77.0.1"));
    return CmReq.builder()
        .localCommId(0x4d)
        .serviceId(ServiceId.of(PortSpace.TCP, 18515))
        .localCaGuid(0x0200c0fffe000001L)
        .localQpn(0x123)
        .responderResources(1)
        .initiatorDepth(2)
        .startingPsn(0x1111)
        .retryCount(6)
        .rnrRetryCount(5)
        .localGid(address("10.77.0.2"))
        .remoteGid(address("10.77.0.1"))
        .localAckTimeout(17)
        .privateData(header.before("HELO".getBytes(StandardCharsets.US_ASCII)))
        .build();
  }

  /** The bytes that lab/rc_endpoint.py sent and the kernels answered with a REP. */
  private static byte[] requestOfTheLab() {
    ByteBuffer mad = ByteBuffer.allocate(256);
    mad.put(HexFormat.of().parseHex("01070203000000001234567800000001001000000000"));
    ByteBuffer d = mad.slice(24, 232);
    d.putInt(0, 0x4d).putLong(8, 0x1060000 | 18515).putLong(16, 0x0200c0fffe000001L);
    d.put(32, new byte[] {0, 1, 0x23}).put(35, (byte) 1).put(39, (byte) 2);
    d.put(43, (byte) (20 << 3)).put(44, new byte[] {0, 0x11, 0x11}).put(47, (byte) (20 << 3 | 6));
    d.putShort(48, (short) 0xffff).put(50, (byte) (3 << 4 | 5)).put(51, (byte) (15 << 4));
    d.putInt(52, -1);
    d.put(56 + 10, HexFormat.of().parseHex("ffff0a4d0002"));
    d.put(72 + 10, HexFormat.of().parseHex("ffff0a4d0001"));
    d.put(93, (byte) 64).put(95, (byte) (17 << 3));
    d.put(141, (byte) 0x40).putShort(142, (short) 5555);
    d.put(156, HexFormat.of().parseHex("0a4d0002")).put(172, HexFormat.of().parseHex("0a4d0001"));
    d.put(176, "HELO".getBytes(StandardCharsets.US_ASCII));
    return mad.array();
  }

  static Stream<CmMessage> messages() {
    return Stream.of(
        CmReq.builder()
            .localCommId(-1)
            .serviceId(-2)
            .localCaGuid(-3)
            .localQpn(0xFFFFFE)
            .responderResources(255)
            .initiatorDepth(254)
            .transport(3)
            .flowControl(true)
            .startingPsn(0xFEDCBA)
            .remoteCmResponseTimeout(31)
            .localCmResponseTimeout(30)
            .retryCount(7)
            .rnrRetryCount(7)
            .pkey(0x8001)
            .pathMtu(5)
            .maxCmRetries(14)
            .srq(true)
            .localGid(address("fd00::1"))
            .remoteGid(address("fe80::2"))
            .flowLabel(0xABCDE)
            .trafficClass(253)
            .hopLimit(1)
            .localAckTimeout(31)
            .privateData(filled(92))
            .build(),
        new CmMra(1, -2, 1, 31, filled(222)),
        new CmRej(3, -4, 1, 28, filled(72), filled(148)),
        new CmRej(3, -4, 2, 0xFFFE, new byte[0], filled(148)),
        new CmRep(5, -6, 0xFFEEDD, 0xABCDEF, 255, 254, 31, true, 7, true, -7, filled(196)),
        new CmRep(5, -6, 1, 2, 3, 4, 5, false, 6, false, 7, filled(196)),
        new CmRtu(7, -8, filled(224)),
        new CmDreq(9, -10, 0xFFFFFF, filled(220)),
        new CmDrep(11, -12, filled(224)),
        new CmSidrReq(-13, 0xFFFF, ServiceId.of(PortSpace.UDP, 0xFFFF), filled(216)),
        new CmSidrRep(-14, 255, 0xFFFFFF, -15, 0x80010000, filled(136)));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void a_message_comes_back_as_it_was_sent(CmMessage message) {
    ByteBuffer bytes = new Mad(0x1234567800000001L, message).encode();
    assertThat(bytes.remaining()).isEqualTo(256);

    Mad.Decoded decoded = Mad.decode(bytes);

    assertThat(decoded.problem()).isEqualTo(Mad.Problem.NONE);
    assertThat(decoded.mad().transactionId()).isEqualTo(0x1234567800000001L);
    assertThat(decoded.mad().message()).usingRecursiveComparison().isEqualTo(message);
    assertThat(bytes.remaining()).isEqualTo(256);
  }

  @Test
  void a_request_has_the_bytes_the_kernel_answered() {
    byte[] bytes = new Mad(0x1234567800000001L, request()).encode().array();
    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(HexFormat.of().formatHex(requestOfTheLab()));
  }

  @Test
  void private_data_shorter_than_its_area_arrives_padded_with_zeros() {
    CmReq request = (CmReq) Mad.decode(new Mad(1, request()).encode()).mad().message();
    assertThat(request.privateData()).isEqualTo(Arrays.copyOf(request().privateData(), 92));
  }

  @Test
  void a_request_tells_who_connects_and_gives_the_user_56_padded_bytes() {
    CmReq request = (CmReq) Mad.decode(ByteBuffer.wrap(requestOfTheLab())).mad().message();
    assertThat(request.cmaHeader())
        .isEqualTo(new CmaHeader(5555, address("10.77.0.2"), address("10.77.0.1")));
    assertThat(request.userData())
        .isEqualTo(Arrays.copyOf("HELO".getBytes(StandardCharsets.US_ASCII), 56));
    assertThat(request.localGid()).isInstanceOf(Inet4Address.class);
    assertThat(ServiceId.port(request.serviceId(), PortSpace.TCP)).isEqualTo(18515);
    assertThat(ServiceId.port(request.serviceId(), PortSpace.UDP)).isEqualTo(-1);
  }

  @Test
  void fields_lie_where_the_specification_has_them() {
    byte[] rep =
        new Mad(
                1,
                new CmRep(
                    0x01020304,
                    0x05060708,
                    0x0A0B0C,
                    0x0D0E0F,
                    9,
                    8,
                    3,
                    true,
                    5,
                    true,
                    0x1112131415161718L,
                    new byte[] {0x77}))
            .encode()
            .array();
    assertThat(HexFormat.of().formatHex(rep, 24, 24 + 38))
        .isEqualTo(
            "0102030405060708"
                + "00000000"
                + "0a0b0c00"
                + "00000000"
                + "0d0e0f00"
                + "0908"
                + "19"
                + "b0"
                + "1112131415161718"
                + "7700");
    byte[] rej =
        new Mad(1, new CmRej(1, 2, 1, 28, new byte[] {5, 6, 7}, new byte[] {9})).encode().array();
    assertThat(HexFormat.of().formatHex(rej, 24, 24 + 16))
        .isEqualTo("0000000100000002" + "40" + "06" + "001c" + "05060700");
    assertThat(rej[24 + 84]).isEqualTo((byte) 9);
    byte[] dreq = new Mad(1, new CmDreq(1, 2, 0x123456, new byte[] {9})).encode().array();
    assertThat(HexFormat.of().formatHex(dreq, 24, 24 + 13))
        .isEqualTo("0000000100000002" + "12345600" + "09");
    byte[] mra = new Mad(1, new CmMra(1, 2, 1, 24, new byte[] {9})).encode().array();
    assertThat(HexFormat.of().formatHex(mra, 24, 24 + 11))
        .isEqualTo("0000000100000002" + "40" + "c0" + "09");
    byte[] sidr = new Mad(1, new CmSidrRep(1, 2, 0x123456, 3, 4, new byte[] {9})).encode().array();
    assertThat(HexFormat.of().formatHex(sidr, 24, 24 + 24))
        .isEqualTo("00000001" + "0200" + "0000" + "12345600" + "0000000000000003" + "00000004");
    assertThat(sidr[24 + 96]).isEqualTo((byte) 9);
    byte[] ask = new Mad(1, new CmSidrReq(1, 0xFFFF, 3, new byte[] {9})).encode().array();
    assertThat(HexFormat.of().formatHex(ask, 24, 24 + 17))
        .isEqualTo("00000001" + "ffff0000" + "0000000000000003" + "09");
  }

  @Test
  void ipv6_addresses_fill_their_places_in_the_header() {
    CmaHeader header = new CmaHeader(1, address("fd00::1"), address("fd00::2"));
    byte[] bytes = header.before(new byte[0]);
    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo("00600001" + "fd00" + "0".repeat(27) + "1" + "fd00" + "0".repeat(27) + "2");
    assertThat(CmaHeader.read(bytes)).isEqualTo(header);
  }

  @Test
  void a_cma_header_of_unknown_versions_is_none() {
    byte[] good = new CmaHeader(1, address("1.2.3.4"), address("5.6.7.8")).before(new byte[0]);
    byte[] version = good.clone();
    version[0] = 1;
    byte[] ip = good.clone();
    ip[1] = 0x50;
    assertThat(CmaHeader.read(version)).isNull();
    assertThat(CmaHeader.read(ip)).isNull();
    assertThat(CmaHeader.read(Arrays.copyOf(good, 35))).isNull();
    assertThat(CmaHeader.userData(new byte[3])).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void another_header_is_refused_with_its_reason(int at) {
    byte[] bytes = requestOfTheLab();
    bytes[at]++;
    Mad.Decoded decoded = Mad.decode(ByteBuffer.wrap(bytes));
    assertThat(decoded.mad()).isNull();
    assertThat(decoded.problem()).isEqualTo(Mad.Problem.values()[at + 2]);
  }

  @Test
  void an_unknown_message_or_length_is_refused_with_its_reason() {
    byte[] bytes = requestOfTheLab();
    bytes[17] = 0x19;
    assertThat(Mad.decode(ByteBuffer.wrap(bytes)).problem()).isEqualTo(Mad.Problem.ATTRIBUTE);
    assertThat(Mad.decode(ByteBuffer.allocate(255)).problem()).isEqualTo(Mad.Problem.LENGTH);
    assertThat(Mad.decode(ByteBuffer.allocate(257)).problem()).isEqualTo(Mad.Problem.LENGTH);
  }

  @Test
  void an_information_length_beyond_its_place_reads_as_the_whole_place() {
    byte[] bytes = new Mad(1, new CmRej(1, 2, 0, 4, new byte[8], new byte[0])).encode().array();
    bytes[24 + 9] = (byte) 0xFE;
    CmRej rej = (CmRej) Mad.decode(ByteBuffer.wrap(bytes)).mad().message();
    assertThat(rej.information()).hasSize(72);
  }

  @Test
  void private_data_that_does_not_fit_is_refused_by_name() {
    Mad mad = new Mad(1, new CmRtu(1, 2, new byte[225]));
    assertThatIllegalArgumentException()
        .isThrownBy(mad::encode)
        .withMessage("private data of a RTU has 225 bytes, at most 224 fit");
  }

  @Test
  void old_bytes_in_the_buffer_do_not_shine_through() {
    ByteBuffer dirty = ByteBuffer.wrap(filled(300)).position(10);
    Mad mad = new Mad(1, new CmRtu(1, 2, new byte[0]));
    mad.encode(dirty);
    assertThat(dirty.position()).isEqualTo(266);
    assertThat(dirty.slice(10, 256)).isEqualTo(mad.encode());
  }
}
