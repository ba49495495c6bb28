package io.vertxrdma.soft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

/** Which addresses this host has, which of them the provider may use, and which leads where. */
final class LocalAddresses {

  private final List<InetAddress> listed;
  private final boolean all;

  /** Copies what the options say. */
  LocalAddresses(SoftProviderOptions options) {
    this.listed = List.copyOf(options.listedAddresses());
    this.all = options.allAddresses();
  }

  /** Whether this host has the address. */
  boolean isLocal(InetAddress address) {
    if (address.isLoopbackAddress()) {
      return true;
    }
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether this host has the address and the provider may use it. */
  boolean isAllowed(InetAddress address) {
    return !address.isAnyLocalAddress()
        && (address.isLoopbackAddress() || all || listed.contains(address))
        && isLocal(address);
  }

  /** What a wildcard address stands for: the listed addresses of its family. */
  List<InetAddress> behind(InetAddress wildcard, boolean familyOnly) {
    List<InetAddress> found = new ArrayList<>();
    for (InetAddress address : configured()) {
      boolean four = address instanceof Inet4Address;
      boolean wanted = wildcard instanceof Inet4Address ? four : !four || !familyOnly;
      if (wanted) {
        found.add(address);
      }
    }
    return found;
  }

  /** The addresses the provider was told to use. */
  List<InetAddress> configured() {
    List<InetAddress> found = new ArrayList<>(listed);
    if (all) {
      try {
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address instanceof Inet4Address && !found.contains(address))
            .forEach(found::add);
      } catch (SocketException e) {
        throw new UncheckedIOException(e);
      }
    }
    found.removeIf(address -> !isLocal(address));
    return found;
  }

  /** The local address that packets to a destination carry, or null when nothing leads there. */
  InetAddress towards(InetAddress destination, int udpPort) {
    try (DatagramChannel probe = DatagramChannel.open()) {
      probe.connect(new InetSocketAddress(destination, udpPort));
      InetAddress local = ((InetSocketAddress) probe.getLocalAddress()).getAddress();
      return local.isAnyLocalAddress() ? null : local;
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Whether anybody has the UDP port of a loopback address. The host itself tells, at once, when
   * nobody has.
   */
  boolean isAnybodyAt(InetAddress loopback, int udpPort) {
    try (DatagramChannel probe = DatagramChannel.open()) {
      probe.connect(new InetSocketAddress(loopback, udpPort));
      probe.configureBlocking(false);
      probe.write(ByteBuffer.allocate(1));
      probe.read(ByteBuffer.allocate(1));
      return true;
    } catch (PortUnreachableException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
