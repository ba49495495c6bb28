package io.vertxrdma.soft;

import io.netty.channel.EventLoop;
import io.vertxrdma.core.CmOption;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Where an id is: its state, its port, its addresses, and the devices it keeps open. Guarded by the
 * id's monitor, but for what opens a device: that comes before, without the monitor.
 */
final class IdAddress {

  private final SoftRuntime runtime;
  private final PortSpace space;
  private final Map<CmOption, Integer> options = new EnumMap<>(CmOption.class);
  private final List<SoftDevice> acquired = new ArrayList<>();
  private IdState state = IdState.IDLE;
  private PortTable.Binding binding;
  private InetSocketAddress local;
  private InetSocketAddress remote;
  private SoftDevice resolving;
  private volatile SoftDevice device;

  /** Of a new id. */
  IdAddress(SoftRuntime runtime, PortSpace space) {
    this.runtime = runtime;
    this.space = space;
  }

  /** Of the id of a request; takes over one use of the device. */
  void requestArrived(SoftDevice on, InetSocketAddress local, InetSocketAddress remote) {
    this.device = on;
    this.local = local;
    this.remote = remote;
    this.state = IdState.CONNECT;
    acquired.add(on);
  }

  IdState state() {
    return state;
  }

  /** Moves on from a state; refuses in any other. */
  void advance(String operation, IdState from, IdState to) {
    require(operation, from);
    state = to;
  }

  void require(String operation, IdState wanted) {
    if (state != wanted) {
      throw SoftErrors.invalid(operation, "the cm id is " + state);
    }
  }

  InetSocketAddress local() {
    return local;
  }

  InetSocketAddress remote() {
    return remote;
  }

  /** The device, null while it is not known. */
  SoftDevice device() {
    return device;
  }

  void setOption(CmOption option, int value) {
    boolean beforeBind = option == CmOption.REUSE_ADDRESS || option == CmOption.ADDRESS_FAMILY_ONLY;
    if (beforeBind && state != IdState.IDLE
        || option == CmOption.ACK_TIMEOUT && space != PortSpace.TCP) {
      throw SoftErrors.invalid("rdma_set_option", option + "=" + value);
    }
    options.put(option, value);
  }

  /** The value of an option, or what it is when it was not set. */
  int option(CmOption option, int otherwise) {
    return options.getOrDefault(option, otherwise);
  }

  private boolean isSet(CmOption option) {
    return option(option, 0) != 0;
  }

  /** Opens the device of a local address; without the monitor. */
  SoftDevice open(String operation, InetSocketAddress address, EventLoop loop) {
    InetAddress wanted = address.getAddress();
    if (!runtime.addresses().isAllowed(wanted)) {
      Errno errno = runtime.addresses().isLocal(wanted) ? Errno.ENODEV : Errno.EADDRNOTAVAIL;
      throw SoftErrors.address(operation, errno, address, SoftErrors.notAllowed(wanted));
    }
    SoftDevice found = runtime.device(wanted);
    found.acquire(loop);
    return found;
  }

  /** Binds; the device is that of the address, or null for a wildcard. */
  void bind(InetSocketAddress address, SoftDevice opened) {
    require("rdma_bind_addr", IdState.IDLE);
    bindPort("rdma_bind_addr", address);
    if (opened != null) {
      device = opened;
      acquired.add(opened);
    }
    state = IdState.BOUND;
  }

  private void bindPort(String operation, InetSocketAddress address) {
    try {
      binding =
          runtime
              .ports()
              .bind(
                  space,
                  address,
                  isSet(CmOption.REUSE_ADDRESS),
                  isSet(CmOption.ADDRESS_FAMILY_ONLY));
      local = binding.address();
    } catch (PortTable.Refused refused) {
      throw SoftErrors.port(operation, refused.errno(), address);
    }
  }

  /** The addresses a listener needs besides its own device: those behind a wildcard. */
  List<InetAddress> behindWildcard() {
    if (state != IdState.IDLE && (binding == null || !binding.isWildcard())) {
      return List.of();
    }
    InetAddress wildcard =
        state == IdState.IDLE ? new InetSocketAddress(0).getAddress() : local.getAddress();
    return runtime.addresses().behind(wildcard, isSet(CmOption.ADDRESS_FAMILY_ONLY));
  }

  /** Opens the devices of several addresses, or none; without the monitor. */
  List<SoftDevice> openAll(List<InetAddress> addresses, EventLoop loop) {
    List<SoftDevice> opened = new ArrayList<>();
    try {
      for (InetAddress address : addresses) {
        opened.add(open("rdma_listen", new InetSocketAddress(address, 0), loop));
      }
      return opened;
    } catch (RuntimeException failure) {
      opened.forEach(SoftDevice::release);
      throw failure;
    }
  }

  /** Starts to listen; keeps the devices open. */
  void listen(SoftCmId id, int backlog, List<SoftDevice> opened) {
    if (state == IdState.IDLE) {
      bindPort("rdma_listen", new InetSocketAddress(0));
      state = IdState.BOUND;
    }
    require("rdma_listen", IdState.BOUND);
    try {
      runtime.ports().listen(binding, new SoftListener(id, local.getPort(), backlog));
    } catch (PortTable.Refused refused) {
      throw SoftErrors.port("rdma_listen", refused.errno(), local);
    }
    acquired.addAll(opened);
    state = IdState.LISTENING;
  }

  /** The local address to resolve from: given by an earlier bind, or now; null for any. */
  InetSocketAddress source(InetSocketAddress given) {
    InetSocketAddress source = state == IdState.BOUND ? local : given;
    return source == null || source.getAddress().isAnyLocalAddress() ? null : source;
  }

  /** Opens the device that leads to a destination; null if none does; without the monitor. */
  SoftDevice openTowards(InetSocketAddress source, InetSocketAddress destination, EventLoop loop) {
    return source == null
        ? runtime.acquireTowards(destination.getAddress(), loop)
        : open("rdma_resolve_addr", source, loop);
  }

  /**
   * Notes what was found; {@link #resolved} makes it known.
   *
   * @param given the source asked for, or null
   * @param opened the device that leads there, null for none: then only the port is taken
   */
  void resolve(InetSocketAddress given, InetSocketAddress destination, SoftDevice opened) {
    if (state == IdState.IDLE) {
      bindPort("rdma_resolve_addr", given == null ? anyPort(opened, destination) : given);
      state = IdState.BOUND;
    }
    require("rdma_resolve_addr", IdState.BOUND);
    remote = destination;
    if (opened != null) {
      resolving = opened;
      acquired.add(opened);
      state = IdState.ADDRESS_RESOLVED;
    }
  }

  private static InetSocketAddress anyPort(SoftDevice opened, InetSocketAddress destination) {
    return new InetSocketAddress(
        opened == null ? SoftErrors.wildcardLike(destination.getAddress()) : opened.address(), 0);
  }

  /** The event of the resolution is read: as with librdmacm, only now is the device known. */
  void resolved() {
    device = resolving;
    local = new InetSocketAddress(resolving.address(), local.getPort());
  }

  /** Gives the port back; the devices are for the caller to release, without the monitor. */
  List<SoftDevice> close() {
    if (binding != null) {
      runtime.ports().release(binding);
    }
    return List.copyOf(acquired);
  }
}
