package io.vertxrdma.core.nativeverbs;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Writes and reads {@code struct sockaddr_in} and {@code struct sockaddr_in6}. */
final class SockAddr {

  private SockAddr() {}

  /**
   * A native copy of an address, to be closed.
   *
   * @throws IllegalArgumentException for a host name that was not resolved
   */
  static Memory.Block allocate(InetSocketAddress address) {
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("unresolved address " + address);
    }
    Memory.Block block = Memory.allocate(Layout.SOCKADDR_SIZE);
    encode(address, block.address());
    return block;
  }

  /** Writes an address into zeroed memory. The family is in host order, port and address not. */
  static void encode(InetSocketAddress address, long at) {
    InetAddress ip = address.getAddress();
    byte[] bytes = ip.getAddress();
    boolean six = ip instanceof Inet6Address;
    Memory.putShort(at + Layout.SOCKADDR_FAMILY, six ? Layout.AF_INET6 : Layout.AF_INET);
    Memory.putByte(at + Layout.SOCKADDR_PORT, address.getPort() >>> 8);
    Memory.putByte(at + Layout.SOCKADDR_PORT + 1, address.getPort());
    Memory.putBytes(at + (six ? Layout.SOCKADDR_IN6_ADDR : Layout.SOCKADDR_IN_ADDR), bytes);
    if (six) {
      Memory.putInt(at + Layout.SOCKADDR_IN6_SCOPE, ((Inet6Address) ip).getScopeId());
    }
  }

  /** Reads an address, null when it is of no IP family. */
  static InetSocketAddress decode(long at) {
    int family = Memory.getUnsignedShort(at + Layout.SOCKADDR_FAMILY);
    if (family != Layout.AF_INET && family != Layout.AF_INET6) {
      return null;
    }
    int port =
        Memory.getUnsignedByte(at + Layout.SOCKADDR_PORT) << 8
            | Memory.getUnsignedByte(at + Layout.SOCKADDR_PORT + 1);
    try {
      return new InetSocketAddress(address(family, at), port);
    } catch (UnknownHostException e) {
      throw new AssertionError("4 and 16 bytes always are an address", e);
    }
  }

  private static InetAddress address(int family, long at) throws UnknownHostException {
    if (family == Layout.AF_INET) {
      return InetAddress.getByAddress(Memory.getBytes(at + Layout.SOCKADDR_IN_ADDR, 4));
    }
    byte[] bytes = Memory.getBytes(at + Layout.SOCKADDR_IN6_ADDR, 16);
    int scope = Memory.getInt(at + Layout.SOCKADDR_IN6_SCOPE);
    return scope == 0
        ? InetAddress.getByAddress(bytes)
        : Inet6Address.getByAddress(null, bytes, scope);
  }
}
