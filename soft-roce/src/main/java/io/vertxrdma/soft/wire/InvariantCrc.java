package io.vertxrdma.soft.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The invariant CRC of RoCEv2 packets (IBTA annex A17): computed for a datagram with IPv4
 * identification 0 and DF set, checked for any identification. Not thread-safe; allocates nothing
 * per packet.
 *
 * <p>A receiver in user space doesn't see the identification, which the CRC covers. CRCs being
 * linear, the difference between the CRC received and the one for identification 0 is the
 * identification, as a polynomial of degree below 16, times a power of x that depends on nothing
 * but the number of bytes behind it. Dividing by that power leaves the identification, or, unless
 * the degree happens to be below 16, proof that the packet is damaged.
 */
public final class InvariantCrc {

  /** Bytes of the CRC behind a packet, least significant first. */
  public static final int LENGTH = 4;

  /** The longest packet this checks, BTH through pad: more than the largest path MTU needs. */
  public static final int MAX_PACKET = 4352;

  /** {@link #identification} of a packet whose CRC is wrong. */
  public static final int WRONG = -1;

  private static final int BTH_RESERVED = 4;
  private static final int UNITS = MAX_PACKET / 4 + 1;

  private final CRC32 crc = new CRC32();
  private final byte[] start = new byte[IpPath.maxLength() + Headers.BTH_LENGTH];

  /** x^-(bits behind the identification) for packets of 4, 8, 12... bytes. */
  private final int[] shifts = new int[UNITS];

  /** Prepares the powers of x for all lengths. */
  public InvariantCrc() {
    // 14 bytes of IP header behind the identification, 8 of UDP; 32 for the CRC register itself.
    int power = dividedByX(Crc32Algebra.ONE, 32 + 8 * (14 + 8));
    for (int unit = 0; unit < UNITS; unit++) {
      shifts[unit] = power;
      power = dividedByX(power, 32);
    }
  }

  private static int dividedByX(int a, int times) {
    int result = a;
    for (int i = 0; i < times; i++) {
      result = Crc32Algebra.dividedByX(result);
    }
    return result;
  }

  /**
   * The CRC of a packet.
   *
   * @param packet from position to limit, BTH through pad; its position and limit stay
   */
  public int compute(IpPath path, int sourcePort, int destinationPort, ByteBuffer packet) {
    int at = packet.position();
    int length = packet.remaining();
    int prefix = path.write(start, sourcePort, destinationPort, length + LENGTH);
    packet.get(at, start, prefix, Headers.BTH_LENGTH);
    start[prefix + BTH_RESERVED] = (byte) 0xFF;
    crc.reset();
    crc.update(start, 0, prefix + Headers.BTH_LENGTH);
    packet.position(at + Headers.BTH_LENGTH);
    crc.update(packet);
    packet.position(at);
    return (int) crc.getValue();
  }

  /**
   * Checks a packet that arrived: not too short, not too long, a whole number of words, and its CRC
   * right for some IPv4 identification.
   *
   * @param packet from position to limit, BTH through pad; its position and limit stay
   * @param received the CRC behind it
   * @return the identification it was computed for (0 with IPv6), or {@link #WRONG}
   */
  public int identification(
      IpPath path, int sourcePort, int destinationPort, ByteBuffer packet, int received) {
    int length = packet.remaining();
    if (length < Headers.BTH_LENGTH || length > MAX_PACKET || (length & 3) != 0) {
      return WRONG;
    }
    int syndrome = compute(path, sourcePort, destinationPort, packet) ^ received;
    if (syndrome == 0) {
      return 0;
    }
    if (!path.isIpv4()) {
      return WRONG;
    }
    int polynomial = Crc32Algebra.multiply(syndrome, shifts[length / 4]);
    // Degree below 16: the upper half; the first bit sent, the highest power, is bit 16.
    return (polynomial & 0xFFFF) != 0
        ? WRONG
        : Short.reverseBytes((short) (polynomial >>> 16)) & 0xFFFF;
  }
}
