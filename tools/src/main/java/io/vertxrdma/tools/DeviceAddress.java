package io.vertxrdma.tools;

import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.ProviderSelection;
import io.vertxrdma.core.RdmaProvider;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;

/** Finds an address to listen on for a user who did not name one. */
public final class DeviceAddress {

  /** Of the soft provider, which may have been told another. */
  private static final int UDP_PORT = Integer.getInteger("vertx.rdma.soft.udpPort", 4791);

  private DeviceAddress() {}

  /**
   * An IPv4 address of one of the provider's devices; of soft ones, an address that no other
   * process has a soft device on.
   *
   * @throws CommandFailure with {@link ExitCode#NO_DEVICE} when there is none
   */
  public static String of(RdmaProvider provider) {
    boolean soft = provider.name().equals(ProviderSelection.SOFT);
    for (DeviceContext device : provider.devices()) {
      for (InetAddress candidate : device.addresses(1)) {
        if (candidate instanceof Inet4Address && !(soft && isTaken(candidate.getHostAddress()))) {
          return candidate.getHostAddress();
        }
      }
    }
    if (soft) {
      // Somebody else's soft device has 127.0.0.1: any other loopback address does as well.
      for (int last = 2; last < 255; last++) {
        if (!isTaken("127.0.0." + last)) {
          return "127.0.0." + last;
        }
      }
    }
    throw new CommandFailure(
        ExitCode.NO_DEVICE,
        "no device of the " + provider.name() + " provider has an IPv4 address; use --address");
  }

  /** Whether somebody has the UDP port of RoCEv2 at a loopback address. */
  private static boolean isTaken(String address) {
    try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress(address, UDP_PORT))) {
      return !probe.isBound();
    } catch (SocketException taken) {
      return true;
    }
  }
}
