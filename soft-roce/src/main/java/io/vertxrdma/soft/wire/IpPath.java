package io.vertxrdma.soft.wire;

import java.net.Inet4Address;
import java.net.InetAddress;

/**
 * What the invariant CRC covers of the IP and UDP headers between two addresses, prepared once: the
 * bytes in front of the BTH with everything masked that routers change.
 *
 * <pre>
 * 8 bytes 0xFF for the local route header that Ethernet lacks
 * IPv4  0 0x45 | 1 TOS 0xFF | 2 total length | 4 id 0 | 6 DF | 8 TTL 0xFF | 9 17 | 10 checksum 0xFFFF | 12 from | 16 to
 * IPv6  0 6, class and flow label all ones | 4 payload length | 6 17 | 7 hop limit 0xFF | 8 from | 24 to
 * UDP   0 source port | 2 destination port | 4 length | 6 checksum 0xFFFF
 * </pre>
 *
 * Kernel: sw/rxe/rxe_icrc.c rxe_icrc_hdr.
 */
public final class IpPath {
  private static final int LRH = 8;
  private static final int UDP = 8;

  private final byte[] prefix;
  private final boolean ipv4;

  private IpPath(byte[] prefix, boolean ipv4) {
    this.prefix = prefix;
    this.ipv4 = ipv4;
  }

  /** The path of datagrams from one address to another of the same family. */
  public static IpPath of(InetAddress from, InetAddress to) {
    boolean ipv4 = from instanceof Inet4Address;
    if (ipv4 != to instanceof Inet4Address) {
      throw new IllegalArgumentException("addresses of two families: " + from + " and " + to);
    }
    byte[] prefix = new byte[LRH + (ipv4 ? 20 : 40) + UDP];
    fill(prefix, 0, LRH);
    if (ipv4) {
      prefix[LRH] = 0x45;
      fill(prefix, LRH + 1, 1);
      prefix[LRH + 6] = 0x40;
      fill(prefix, LRH + 8, 1);
      prefix[LRH + 9] = 17;
      fill(prefix, LRH + 10, 2);
      System.arraycopy(from.getAddress(), 0, prefix, LRH + 12, 4);
      System.arraycopy(to.getAddress(), 0, prefix, LRH + 16, 4);
    } else {
      prefix[LRH] = 0x6F;
      fill(prefix, LRH + 1, 3);
      prefix[LRH + 6] = 17;
      fill(prefix, LRH + 7, 1);
      System.arraycopy(from.getAddress(), 0, prefix, LRH + 8, 16);
      System.arraycopy(to.getAddress(), 0, prefix, LRH + 24, 16);
    }
    fill(prefix, prefix.length - 2, 2);
    return new IpPath(prefix, ipv4);
  }

  private static void fill(byte[] bytes, int at, int count) {
    for (int i = at; i < at + count; i++) {
      bytes[i] = (byte) 0xFF;
    }
  }

  /** Whether it is IPv4: then the identification is covered, which a receiver can't know. */
  public boolean isIpv4() {
    return ipv4;
  }

  /** Largest prefix. */
  static int maxLength() {
    return LRH + 40 + UDP;
  }

  /** Writes the prefix of a datagram with that payload length, and returns the prefix's length. */
  int write(byte[] to, int sourcePort, int destinationPort, int udpPayload) {
    int udp = prefix.length - UDP;
    System.arraycopy(prefix, 0, to, 0, prefix.length);
    int udpLength = udpPayload + UDP;
    put16(to, ipv4 ? LRH + 2 : LRH + 4, ipv4 ? udpLength + 20 : udpLength);
    put16(to, udp, sourcePort);
    put16(to, udp + 2, destinationPort);
    put16(to, udp + 4, udpLength);
    return prefix.length;
  }

  private static void put16(byte[] to, int at, int value) {
    to[at] = (byte) (value >> 8);
    to[at + 1] = (byte) value;
  }
}
