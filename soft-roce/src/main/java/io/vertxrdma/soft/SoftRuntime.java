package io.vertxrdma.soft;

import io.netty.channel.EventLoop;
import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.soft.io.LoopbackAddresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What all objects of one soft provider share: options, ports, devices. */
final class SoftRuntime {

  private static final int TRIES = 8;

  private final SoftProviderOptions options;
  private final LocalAddresses addresses;
  private final PortTable ports = new PortTable(Privileges.mayBindPrivilegedPorts());
  private final OwnLoop ownLoop = new OwnLoop();
  private final SecureRandom random = new SecureRandom();
  private final Map<InetAddress, SoftDevice> devices = new ConcurrentHashMap<>();
  private volatile InetAddress chosenLoopback;

  SoftRuntime(SoftProviderOptions options) {
    this.options = new SoftProviderOptions(options);
    this.addresses = new LocalAddresses(this.options);
  }

  /** The first random number of a process takes its time. */
  void warmUp() {
    random.nextLong();
  }

  SoftProviderOptions options() {
    return options;
  }

  LocalAddresses addresses() {
    return addresses;
  }

  PortTable ports() {
    return ports;
  }

  OwnLoop ownLoop() {
    return ownLoop;
  }

  /** The device of a local address that may be used; the same object each time. */
  SoftDevice device(InetAddress address) {
    return devices.computeIfAbsent(
        address, local -> new SoftDevice(this, local, random.nextLong()));
  }

  boolean isOpen(InetAddress address) {
    SoftDevice device = devices.get(address);
    return device != null && device.isOpen();
  }

  /** Devices that are open, and those of the configured addresses. */
  List<SoftDevice> devices() {
    Set<SoftDevice> all = new LinkedHashSet<>();
    addresses.configured().forEach(address -> all.add(device(address)));
    devices.values().stream().filter(SoftDevice::isOpen).forEach(all::add);
    return new ArrayList<>(all);
  }

  /**
   * Chooses and acquires the device to reach a destination from.
   *
   * @return null when no address that may be used leads there
   * @throws AddressException when there is one, but its device can't be opened
   */
  SoftDevice acquireTowards(InetAddress destination, EventLoop loop) {
    if (destination.isLoopbackAddress()) {
      return acquireLoopback(destination, loop);
    }
    InetAddress local = addresses.towards(destination, options.getUdpPort());
    if (local == null) {
      return null;
    }
    boolean ourselves = local.equals(destination);
    if (addresses.isAllowed(local)) {
      try {
        SoftDevice device = device(local);
        device.acquire(loop);
        return device;
      } catch (AddressInUseException taken) {
        if (!ourselves) {
          throw taken;
        }
      }
    }
    // An address of this host that another process serves: loopback addresses lead there, too.
    return ourselves && local instanceof Inet4Address ? acquireLoopback(destination, loop) : null;
  }

  /**
   * A loopback target in this process has its own device; for others any loopback address but
   * theirs will do, best one that is open already.
   */
  private SoftDevice acquireLoopback(InetAddress destination, EventLoop loop) {
    SoftDevice target = devices.get(destination);
    if (target != null && target.acquireIfOpen()) {
      return target;
    }
    if (!(destination instanceof Inet4Address)) {
      SoftDevice only = device(destination);
      only.acquire(loop);
      return only;
    }
    for (SoftDevice device : devices.values()) {
      InetAddress address = device.address();
      if (address.isLoopbackAddress()
          && address instanceof Inet4Address
          && device.acquireIfOpen()) {
        return device;
      }
    }
    return acquireFreeLoopback(destination, loop);
  }

  /** Preferably the address of last time: each new one makes a device that stays. */
  private SoftDevice acquireFreeLoopback(InetAddress destination, EventLoop loop) {
    for (int i = 1; ; i++) {
      InetAddress known = chosenLoopback;
      InetAddress chosen =
          i == 1 && known != null ? known : LoopbackAddresses.free(options.getUdpPort(), random);
      if (chosen.equals(destination)) {
        continue;
      }
      try {
        SoftDevice device = device(chosen);
        device.acquire(loop);
        chosenLoopback = chosen;
        return device;
      } catch (AddressInUseException taken) {
        if (i == TRIES) {
          throw taken;
        }
      }
    }
  }
}
