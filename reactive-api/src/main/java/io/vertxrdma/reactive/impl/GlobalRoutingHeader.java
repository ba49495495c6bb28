package io.vertxrdma.reactive.impl;

import io.vertxrdma.core.WorkCompletions;
import java.nio.ByteBuffer;

/** What is in front of a datagram's payload: an IPv6 header or, in the second half, an IPv4 one. */
final class GlobalRoutingHeader {

  static final int LENGTH = WorkCompletions.GLOBAL_ROUTING_HEADER_LENGTH;

  private static final int IPV6_ADDRESSES = 8;
  private static final int IPV4 = 20;
  private static final int IPV4_ADDRESSES = IPV4 + 12;
  private static final int IPV4_WITHOUT_OPTIONS = 0x45;

  private GlobalRoutingHeader() {}

  /** What tells a sender from others: both addresses and its queue pair. Equal for equal ones. */
  static ByteBuffer sender(ByteBuffer header, int queuePairNumber) {
    int start = isIpv4(header) ? IPV4_ADDRESSES : IPV6_ADDRESSES;
    ByteBuffer addresses = header.duplicate().limit(LENGTH).position(start);
    return ByteBuffer.allocate(addresses.remaining() + Integer.BYTES)
        .putInt(queuePairNumber)
        .put(addresses)
        .flip();
  }

  /** What precedes an IPv4 header may be anything, also something that looks like IPv6. */
  private static boolean isIpv4(ByteBuffer header) {
    if (header.get(IPV4) != IPV4_WITHOUT_OPTIONS) {
      return false;
    }
    return header.get(0) >> 4 != 6 || hasChecksum(header);
  }

  /** Whether the one's complement sum of an IPv4 header is right (RFC 791). */
  private static boolean hasChecksum(ByteBuffer header) {
    int sum = 0;
    for (int at = IPV4; at < LENGTH; at += Short.BYTES) {
      sum += header.getShort(at) & 0xFFFF;
    }
    return (sum & 0xFFFF) + (sum >>> 16) == 0xFFFF;
  }
}
