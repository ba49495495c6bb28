package io.vertxrdma.soft.wire;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The first 36 bytes of a REQ's or SIDR_REQ's private data: who connects to whom in terms of IP
 * (struct cma_hdr, kernel core/cma_priv.h).
 *
 * <pre>
 *  0 version (0) | 1 IP version in the high nibble | 2 source port
 *  4 source address (16) | 20 destination address (16); IPv4 in the last four bytes of each
 * </pre>
 *
 * @param sourcePort the connecting side's port
 * @param sourceAddress the connecting side's address
 * @param destinationAddress the listening side's address, of the same family
 */
public record CmaHeader(int sourcePort, InetAddress sourceAddress, InetAddress destinationAddress) {

  /** Bytes it takes. */
  public static final int LENGTH = 36;

  /** This header and the user's bytes behind it: the private data of a REQ or SIDR_REQ. */
  public byte[] before(byte[] userData) {
    ByteBuffer all = ByteBuffer.allocate(LENGTH + userData.length);
    boolean four = sourceAddress instanceof Inet4Address;
    if (four != destinationAddress instanceof Inet4Address) {
      throw new IllegalArgumentException(
          "addresses of two families: " + sourceAddress + " and " + destinationAddress);
    }
    all.put(1, (byte) (four ? 0x40 : 0x60));
    all.putShort(2, (short) sourcePort);
    all.put(four ? 16 : 4, sourceAddress.getAddress());
    all.put(four ? 32 : 20, destinationAddress.getAddress());
    all.put(LENGTH, userData);
    return all.array();
  }

  /**
   * Reads the header at the start of private data.
   *
   * @return null when there is none: too short, or of a version that nobody knows
   */
  public static CmaHeader read(byte[] privateData) {
    if (privateData.length < LENGTH || privateData[0] != 0) {
      return null;
    }
    int ipVersion = privateData[1] >> 4 & 0xF;
    if (ipVersion != 4 && ipVersion != 6) {
      return null;
    }
    ByteBuffer all = ByteBuffer.wrap(privateData);
    int skip = ipVersion == 4 ? 12 : 0;
    return new CmaHeader(
        CmFields.u16(all, 2),
        CmFields.address(CmFields.bytes(all, 4 + skip, 16 - skip)),
        CmFields.address(CmFields.bytes(all, 20 + skip, 16 - skip)));
  }

  /** What the user sent, zero-padded to the area: the private data without this header. */
  public static byte[] userData(byte[] privateData) {
    return java.util.Arrays.copyOfRange(
        privateData, Math.min(LENGTH, privateData.length), privateData.length);
  }
}
