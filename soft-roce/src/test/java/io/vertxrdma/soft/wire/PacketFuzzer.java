package io.vertxrdma.soft.wire;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * Fuzz target: any bytes as a packet. What the check lets pass can be read to its last header
 * without a look at the length, and the CRC made for it is right.
 */
public final class PacketFuzzer {

  private static final int PORT = 4791;
  private static final IpPath IPV4 = path("127.0.0.1", "127.0.0.2");
  private static final IpPath IPV6 = path("::1", "fe80::2");
  private static final InvariantCrc CRC = new InvariantCrc();

  private PacketFuzzer() {}

  private static IpPath path(String from, String to) {
    try {
      return IpPath.of(InetAddress.getByName(from), InetAddress.getByName(to));
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  /**
   * One input: a packet, whose last four bytes are also taken for its CRC.
   *
   * @param input any bytes
   */
  public static void fuzzerTestOneInput(byte[] input) {
    ByteBuffer packet = ByteBuffer.wrap(input);
    PacketCheck.Result result = PacketCheck.check(packet);
    check(packet.position() == 0 && packet.limit() == input.length, "the buffer was moved");
    if (result == PacketCheck.Result.OK) {
      read(packet);
    }
    crc(packet);
  }

  private static void read(ByteBuffer packet) {
    int opcode = Headers.opcode(packet, 0);
    int headers = PacketCheck.headerLength(opcode);
    int payload = PacketCheck.payloadLength(packet);
    int pad = Headers.pad(packet, 0);
    check(headers >= Headers.BTH_LENGTH && payload >= 0, "lengths below zero");
    check(headers + payload + pad == packet.remaining(), "lengths that don't sum up");
    check((packet.remaining() & 3) == 0, "no whole number of words");
    int at = Headers.BTH_LENGTH;
    switch (headers - Headers.BTH_LENGTH) {
      case Headers.RETH_LENGTH, Headers.RETH_LENGTH + Headers.IMMEDIATE_LENGTH -> {
        Headers.rethAddress(packet, at);
        Headers.rethRkey(packet, at);
        check(Headers.rethLength(packet, at) >= 0, "a length below zero");
      }
      case Headers.ATOMIC_ETH_LENGTH -> {
        Headers.atomicAddress(packet, at);
        Headers.atomicRkey(packet, at);
        Headers.atomicSwapOrAdd(packet, at);
        Headers.atomicCompare(packet, at);
      }
      default -> {
        // One or two words, which the next line reads.
      }
    }
    if (headers > Headers.BTH_LENGTH) {
      Headers.immediate(packet, headers - Headers.IMMEDIATE_LENGTH);
      Headers.aethSyndrome(packet, at);
      check(Headers.aethMsn(packet, at) <= Headers.MASK_24, "more than 24 bits");
    }
    check(Headers.psn(packet, 0) <= Headers.MASK_24, "more than 24 bits");
    check(Headers.destinationQpn(packet, 0) <= Headers.MASK_24, "more than 24 bits");
  }

  private static void crc(ByteBuffer datagram) {
    if (datagram.remaining() < InvariantCrc.LENGTH) {
      check(CRC.identification(IPV4, PORT, PORT, datagram, 0) < 0, "no packet, but a right CRC");
      return;
    }
    int length = datagram.remaining() - InvariantCrc.LENGTH;
    ByteBuffer packet = datagram.slice(0, length);
    int received = datagram.getInt(length);
    CRC.identification(IPV4, PORT, PORT, packet, received);
    CRC.identification(IPV6, PORT, PORT, packet, received);
    check(packet.position() == 0 && packet.limit() == length, "the buffer was moved");
    if (length >= Headers.BTH_LENGTH && length <= InvariantCrc.MAX_PACKET && length % 4 == 0) {
      int right = CRC.compute(IPV4, PORT, PORT, packet);
      check(CRC.identification(IPV4, PORT, PORT, packet, right) == 0, "the right CRC is wrong");
      right = CRC.compute(IPV6, PORT, PORT, packet);
      check(CRC.identification(IPV6, PORT, PORT, packet, right) == 0, "the right CRC is wrong");
      check(CRC.identification(IPV6, PORT, PORT, packet, right ^ 1) < 0, "a wrong CRC is right");
    }
  }
}
