package io.vertxrdma.soft.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.soft.SoftCounters.Name;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UdpLinkUntrustedTest extends UdpLinkFixture {

  @ParameterizedTest
  @EnumSource
  void every_flipped_bit_is_dropped_and_counted(Transport transport) {
    UdpLink from = open(transport);
    UdpLink to = open(transport);
    Inbox inbox = receive(to);
    int bits = (16 + 4) * 8;
    for (int bit = 0; bit < bits; bit++) {
      from.sendCorrupted(to.localAddress(), packet(bit, 16), bit);
    }
    from.send(to.localAddress(), packet(-1, 16));
    from.sendCorrupted(from.localAddress(), packet(1, 16), 0);
    from.flush();
    await().until(() -> inbox.words.contains(-1));
    // The eight bits of BTH byte 4 are what the CRC leaves out.
    assertThat(inbox.words).containsExactly(32, 33, 34, 35, 36, 37, 38, 39, -1);
    assertThat(counters.get(Name.DROP_BAD_ICRC)).isEqualTo(bits - 8 + 1);
  }

  @ParameterizedTest
  @EnumSource
  void datagrams_no_peer_would_send_are_dropped_and_counted(Transport transport) throws Exception {
    UdpLink to = open(transport);
    Inbox inbox = receive(to);
    InetSocketAddress target = new InetSocketAddress(to.localAddress(), PORT);
    try (DatagramSocket stranger = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
      for (int length : new int[] {0, 1, 15, 16, 17, 100, 4356, 4357, 4360, 9000, 65_000}) {
        stranger.send(new DatagramPacket(new byte[length], length, target));
      }
      stranger.send(signed(stranger, to, 0, 77));
    }
    inbox.awaitWords(77);
    assertThat(counters.get(Name.DROP_SHORT)).isEqualTo(3);
    assertThat(counters.get(Name.DROP_LONG)).isEqualTo(4);
    assertThat(counters.get(Name.DROP_BAD_ICRC)).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  void a_crc_for_another_identification_and_source_port_is_right_too(Transport transport)
      throws Exception {
    UdpLink to = open(transport);
    Inbox inbox = receive(to);
    try (DatagramSocket kernel = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
      for (int id : new int[] {0, 1, 0x1234, 0xFFFF}) {
        kernel.send(signed(kernel, to, id, id));
      }
    }
    inbox.awaitWords(0, 1, 0x1234, 0xFFFF);
  }

  @ParameterizedTest
  @EnumSource
  void a_receiver_that_throws_costs_its_packet_only(Transport transport) {
    UdpLink from = open(transport);
    UdpLink to = open(transport);
    Inbox inbox = new Inbox();
    to.setReceiver(
        new Link.Receiver() {
          @Override
          public void packet(InetAddress source, ByteBuffer packet) {
            if (packet.getInt(packet.position()) == 1) {
              throw new IllegalStateException("expected by the test");
            }
            inbox.packet(source, packet);
          }

          @Override
          public void batchEnd() {
            throw new IllegalStateException("expected by the test");
          }
        });
    from.send(to.localAddress(), packet(1, 12));
    from.send(to.localAddress(), packet(2, 12));
    from.flush();
    inbox.awaitWords(2);
    from.send(to.localAddress(), packet(3, 12));
    from.flush();
    inbox.awaitWords(2, 3);
  }
}
