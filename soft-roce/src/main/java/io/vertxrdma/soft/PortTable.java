package io.vertxrdma.soft;

import io.vertxrdma.core.Errno;
import io.vertxrdma.core.PortSpace;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The RDMA port spaces of a provider: who is bound to which port of which address, and who listens.
 * The rules are those of the kernel (core/cma.c, cma_check_port). Thread-safe; calls nobody.
 */
final class PortTable {

  /** What the kernel's ip_local_port_range is by default. */
  private static final int FIRST_EPHEMERAL = 32_768;

  private static final int LAST_EPHEMERAL = 60_999;
  private static final int FIRST_UNPRIVILEGED = 1024;

  /** A bind the table refuses. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1;
    private final Errno errno;

    Refused(Errno errno) {
      super(errno.name());
      this.errno = errno;
    }

    Errno errno() {
      return errno;
    }
  }

  /** An id's hold on a port. */
  static final class Binding {
    private final PortSpace space;
    private final InetSocketAddress address;
    private final boolean familyOnly;
    private boolean shared;
    private SoftListener listener;

    private Binding(
        PortSpace space, InetSocketAddress address, boolean shared, boolean familyOnly) {
      this.space = space;
      this.address = address;
      this.shared = shared;
      // An IPv4 address is of one family by nature (kernel cma.c, rdma_bind_addr).
      this.familyOnly = familyOnly || address.getAddress() instanceof Inet4Address;
    }

    InetSocketAddress address() {
      return address;
    }

    boolean isWildcard() {
      return address.getAddress().isAnyLocalAddress();
    }

    private boolean covers(InetAddress local) {
      if (!isWildcard()) {
        return address.getAddress().equals(local);
      }
      boolean sameFamily =
          address.getAddress() instanceof Inet4Address == local instanceof Inet4Address;
      return sameFamily || !familyOnly && !(address.getAddress() instanceof Inet4Address);
    }
  }

  private record Key(PortSpace space, int port) {}

  private final boolean mayBindPrivileged;
  private final Map<Key, List<Binding>> bindings = new HashMap<>();

  /**
   * Makes an empty table.
   *
   * @param mayBindPrivileged whether ports below 1024 are for this process
   */
  PortTable(boolean mayBindPrivileged) {
    this.mayBindPrivileged = mayBindPrivileged;
  }

  /**
   * Takes a port.
   *
   * @param address port 0 for any free one
   * @param shared SO_REUSEADDR: may share with others that say so too
   * @param familyOnly an IPv6 wildcard without IPv4
   */
  synchronized Binding bind(
      PortSpace space, InetSocketAddress address, boolean shared, boolean familyOnly)
      throws Refused {
    int port = address.getPort() == 0 ? freePort(space) : address.getPort();
    if (port < FIRST_UNPRIVILEGED && !mayBindPrivileged) {
      throw new Refused(Errno.EACCES);
    }
    Binding wanted =
        new Binding(space, new InetSocketAddress(address.getAddress(), port), shared, familyOnly);
    checkPort(wanted, shared);
    bindings.computeIfAbsent(new Key(space, port), key -> new ArrayList<>(1)).add(wanted);
    return wanted;
  }

  private int freePort(PortSpace space) throws Refused {
    int count = LAST_EPHEMERAL - FIRST_EPHEMERAL + 1;
    int start = ThreadLocalRandom.current().nextInt(count);
    for (int i = 0; i < count; i++) {
      int port = FIRST_EPHEMERAL + (start + i) % count;
      if (!bindings.containsKey(new Key(space, port))) {
        return port;
      }
    }
    throw new Refused(Errno.EADDRNOTAVAIL);
  }

  private void checkPort(Binding wanted, boolean shared) throws Refused {
    InetAddress address = wanted.address.getAddress();
    for (Binding other : at(wanted)) {
      if (other == wanted || shared && other.shared) {
        continue;
      }
      InetAddress taken = other.address.getAddress();
      boolean sameFamily = address instanceof Inet4Address == taken instanceof Inet4Address;
      if (wanted.familyOnly && other.familyOnly && !sameFamily) {
        continue;
      }
      if (wanted.isWildcard() || other.isWildcard()) {
        throw new Refused(Errno.EADDRNOTAVAIL);
      }
      if (address.equals(taken)) {
        throw new Refused(Errno.EADDRINUSE);
      }
    }
  }

  private List<Binding> at(Binding binding) {
    return bindings.getOrDefault(new Key(binding.space, binding.address.getPort()), List.of());
  }

  /** Starts to listen; a shared binding must be the only one then. */
  synchronized void listen(Binding binding, SoftListener listener) throws Refused {
    if (binding.shared) {
      checkPort(binding, false);
      binding.shared = false;
    }
    binding.listener = listener;
  }

  /** Gives the port back, and listens no more. */
  synchronized void release(Binding binding) {
    Key key = new Key(binding.space, binding.address.getPort());
    binding.listener = null;
    List<Binding> left = bindings.get(key);
    if (left != null && left.remove(binding) && left.isEmpty()) {
      bindings.remove(key);
    }
  }

  /** Who listens on a port of a local address, or null. */
  synchronized SoftListener listener(PortSpace space, int port, InetAddress local) {
    for (Binding binding : bindings.getOrDefault(new Key(space, port), List.of())) {
      if (binding.listener != null && binding.covers(local)) {
        return binding.listener;
      }
    }
    return null;
  }

  /** Whether anybody listens on that port of any address. */
  synchronized boolean isListening(PortSpace space, int port) {
    for (Binding binding : bindings.getOrDefault(new Key(space, port), List.of())) {
      if (binding.listener != null) {
        return true;
      }
    }
    return false;
  }

  /** Ports taken; for tests. */
  synchronized int size() {
    return bindings.size();
  }
}
