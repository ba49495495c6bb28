package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.AddressHandleAttributes;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Writes and reads {@code struct ibv_ah_attr}; a GID is an IPv6 address or a mapped IPv4 one. */
final class AhAttributes {

  private static final int GID_LENGTH = 16;
  private static final int MAPPED = 10;

  private AhAttributes() {}

  /** The GID of an address. */
  static byte[] gid(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (!(address instanceof Inet4Address)) {
      return bytes;
    }
    byte[] gid = new byte[GID_LENGTH];
    gid[MAPPED] = (byte) 0xFF;
    gid[MAPPED + 1] = (byte) 0xFF;
    System.arraycopy(bytes, 0, gid, GID_LENGTH - bytes.length, bytes.length);
    return gid;
  }

  /** A native copy with every field written; to be closed. */
  static Memory.Block allocate(AddressHandleAttributes attributes) {
    Memory.Block block = Memory.allocate(Layout.AH_ATTR_SIZE);
    long at = block.address();
    if (attributes.isGlobal()) {
      Memory.putBytes(at + Layout.AH_ATTR_DGID, gid(attributes.destination()));
      Memory.putByte(at + Layout.AH_ATTR_IS_GLOBAL, 1);
    }
    Memory.putInt(at + Layout.AH_ATTR_FLOW_LABEL, attributes.flowLabel());
    Memory.putByte(at + Layout.AH_ATTR_SGID_INDEX, attributes.sourceGidIndex());
    Memory.putByte(at + Layout.AH_ATTR_HOP_LIMIT, attributes.hopLimit());
    Memory.putByte(at + Layout.AH_ATTR_TRAFFIC_CLASS, attributes.trafficClass());
    Memory.putShort(at + Layout.AH_ATTR_DLID, attributes.destinationLid());
    Memory.putByte(at + Layout.AH_ATTR_SL, attributes.serviceLevel());
    Memory.putByte(at + Layout.AH_ATTR_SRC_PATH_BITS, attributes.sourcePathBits());
    Memory.putByte(at + Layout.AH_ATTR_STATIC_RATE, attributes.staticRate());
    Memory.putByte(at + Layout.AH_ATTR_PORT_NUM, attributes.port());
    return block;
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException when a field is out of its range
   */
  static AddressHandleAttributes read(long at) {
    boolean global = Memory.getUnsignedByte(at + Layout.AH_ATTR_IS_GLOBAL) != 0;
    return new AddressHandleAttributes(
        global ? address(Memory.getBytes(at + Layout.AH_ATTR_DGID, GID_LENGTH)) : null,
        Memory.getInt(at + Layout.AH_ATTR_FLOW_LABEL),
        Memory.getUnsignedByte(at + Layout.AH_ATTR_SGID_INDEX),
        Memory.getUnsignedByte(at + Layout.AH_ATTR_HOP_LIMIT),
        Memory.getUnsignedByte(at + Layout.AH_ATTR_TRAFFIC_CLASS),
        Memory.getUnsignedShort(at + Layout.AH_ATTR_DLID),
        Memory.getUnsignedByte(at + Layout.AH_ATTR_SL),
        Memory.getUnsignedByte(at + Layout.AH_ATTR_SRC_PATH_BITS),
        Memory.getUnsignedByte(at + Layout.AH_ATTR_STATIC_RATE),
        Memory.getUnsignedByte(at + Layout.AH_ATTR_PORT_NUM));
  }

  private static InetAddress address(byte[] gid) {
    try {
      return InetAddress.getByAddress(gid);
    } catch (UnknownHostException e) {
      throw new AssertionError("16 bytes always are an address", e);
    }
  }
}
