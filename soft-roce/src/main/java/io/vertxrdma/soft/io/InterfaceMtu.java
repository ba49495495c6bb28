package io.vertxrdma.soft.io;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.RdmaException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/** Finds the path MTU that fits the interface of an address. */
public final class InterfaceMtu {

  /**
   * What the kernel leaves for headers (iboe_get_mtu: GRH or IP 40, UDP 8, BTH 12, XRC 4, AtomicETH
   * 28, ICRC 4), so that both sides of a connection come to the same path MTU.
   */
  static final int HEADER_ROOM = 96;

  private static final int LARGEST = 4096;
  private static final int SMALLEST = 256;

  private InterfaceMtu() {}

  /**
   * The path MTU of a local address: 256, 512, 1024, 2048 or 4096.
   *
   * @throws AddressException when the address is none of this host, or its interface is too small
   */
  public static int pathMtu(InetAddress address) {
    if (address.isLoopbackAddress()) {
      return LARGEST; // all of 127.0.0.0/8 is on lo, whose MTU is 65536, but only one is listed
    }
    int mtu;
    try {
      NetworkInterface netdev = NetworkInterface.getByInetAddress(address);
      if (netdev == null) {
        throw notAvailable(address);
      }
      mtu = netdev.getMTU();
    } catch (SocketException e) {
      RdmaException failure = notAvailable(address);
      failure.initCause(e);
      throw failure;
    }
    int fitting = fitting(mtu);
    if (fitting == 0) {
      throw new AddressException(
          "bind",
          Errno.EINVAL.number(),
          Errno.EINVAL.name(),
          "bind ("
              + address.getHostAddress()
              + "): the interface's MTU of "
              + mtu
              + " has no room for RDMA packets");
    }
    return fitting;
  }

  /** The largest path MTU for an interface MTU, 0 if none fits. */
  static int fitting(int interfaceMtu) {
    for (int mtu = LARGEST; mtu >= SMALLEST; mtu >>= 1) {
      if (mtu + HEADER_ROOM <= interfaceMtu) {
        return mtu;
      }
    }
    return 0;
  }

  private static AddressException notAvailable(InetAddress address) {
    return SocketFailures.of(Errno.EADDRNOTAVAIL, address, 0);
  }
}
