package io.vertxrdma.core;

import java.net.InetAddress;

/**
 * The path an {@link AddressHandle} stands for ({@code struct ibv_ah_attr}).
 *
 * @param destination the destination GID as an IP address, on RoCE the peer's; null for an
 *     InfiniBand path inside one subnet, which has no global route
 * @param flowLabel of the global route, 20 bits
 * @param sourceGidIndex which entry of the port's GID table is the source, 0..255
 * @param hopLimit of the global route, 0..255; on RoCE the IP time to live
 * @param trafficClass of the global route, 0..255
 * @param destinationLid the InfiniBand address, 16 bits; 0 on RoCE
 * @param serviceLevel 0..15
 * @param sourcePathBits low bits of the source LID, 0..127
 * @param staticRate 0..255, see ibv_create_ah(3); 0 is the port's own rate
 * @param port the device port it leaves by, 1..255
 */
public record AddressHandleAttributes(
    InetAddress destination,
    int flowLabel,
    int sourceGidIndex,
    int hopLimit,
    int trafficClass,
    int destinationLid,
    int serviceLevel,
    int sourcePathBits,
    int staticRate,
    int port) {

  /** The hop limit of addresses given without one, as Linux sends IP (IPDEFTTL). */
  public static final int DEFAULT_HOP_LIMIT = 64;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming field, limits and value
   */
  public AddressHandleAttributes {
    check("flowLabel", flowLabel, 0, 0xF_FFFF);
    check("sourceGidIndex", sourceGidIndex, 0, 0xFF);
    check("hopLimit", hopLimit, 0, 0xFF);
    check("trafficClass", trafficClass, 0, 0xFF);
    check("destinationLid", destinationLid, 0, 0xFFFF);
    check("serviceLevel", serviceLevel, 0, 0xF);
    check("sourcePathBits", sourcePathBits, 0, 0x7F);
    check("staticRate", staticRate, 0, 0xFF);
    check("port", port, 1, 0xFF);
  }

  private static void check(String name, int value, int low, int high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(name + " must be " + low + ".." + high + ", was " + value);
    }
  }

  /** A RoCEv2 path to an IP address, everything else at its default. */
  public static AddressHandleAttributes toAddress(
      InetAddress destination, int sourceGidIndex, int port) {
    return new AddressHandleAttributes(
        destination, 0, sourceGidIndex, DEFAULT_HOP_LIMIT, 0, 0, 0, 0, 0, port);
  }

  /** Whether the path has a global route; on RoCE always. */
  public boolean isGlobal() {
    return destination != null;
  }
}
