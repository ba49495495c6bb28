package io.vertxrdma.reactive.impl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Which senders are the same: address and queue pair count, what comes between does not. */
class GlobalRoutingHeaderTest {

  private static ByteBuffer ipv4(int source, int timeToLive, int before) {
    ByteBuffer header = ByteBuffer.allocate(GlobalRoutingHeader.LENGTH);
    for (int i = 0; i < 20; i++) {
      header.put((byte) before);
    }
    header.put((byte) 0x45).put((byte) 0).putShort((short) 100).putInt(7);
    header.put((byte) timeToLive).put((byte) 17).putShort((short) 0);
    header.putInt(source).putInt(0x0A00_0001);
    int sum = 0;
    for (int at = 20; at < 40; at += 2) {
      sum += header.getShort(at) & 0xFFFF;
    }
    sum = (sum & 0xFFFF) + (sum >>> 16);
    return header.putShort(30, (short) ~sum).flip();
  }

  private static ByteBuffer ipv6(int source, int flow) {
    ByteBuffer header = ByteBuffer.allocate(GlobalRoutingHeader.LENGTH);
    header.putInt(0x6000_0000 | flow).putInt(0);
    // The end of it looks like the beginning of an IPv4 header.
    header.putLong(0xFD77_0000_0000_0000L | source).putLong(0x4500_0000);
    return header.position(0);
  }

  private static ByteBuffer sender(ByteBuffer header) {
    return GlobalRoutingHeader.sender(header, 17);
  }

  @Test
  void an_ipv4_sender_is_its_address_whatever_else_the_header_says() {
    ByteBuffer one = sender(ipv4(0x0A00_0002, 64, 0));
    assertThat(sender(ipv4(0x0A00_0002, 63, 0))).isEqualTo(one).hasSameHashCodeAs(one);
    assertThat(sender(ipv4(0x0A00_0002, 64, 0x60))).as("rubbish in front").isEqualTo(one);
    assertThat(sender(ipv4(0x0A00_0003, 64, 0))).isNotEqualTo(one);
    assertThat(GlobalRoutingHeader.sender(ipv4(0x0A00_0002, 64, 0), 18)).isNotEqualTo(one);
  }

  @Test
  void an_ipv6_sender_is_its_address_whatever_else_the_header_says() {
    ByteBuffer one = sender(ipv6(2, 0));
    assertThat(sender(ipv6(2, 99))).isEqualTo(one);
    assertThat(sender(ipv6(3, 0))).isNotEqualTo(one);
  }
}
