package io.vertxrdma.soft;

import io.netty.channel.EventLoop;
import io.vertxrdma.core.Availability;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.RdmaProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * RDMA in software, on every machine: RoCEv2 and the InfiniBand connection manager in Java, over a
 * UDP socket for each local address in use. Thread-safe.
 *
 * <p>A wildcard listener listens on the addresses of the options, which is 127.0.0.1 unless
 * something else was said. An address belongs to one process, and there to one provider: its UDP
 * port is taken. Two on one host use two addresses of 127.0.0.0/8; a client chooses a free one by
 * itself when it connects to another's.
 *
 * <p>Two Vert.x instances in one JVM have a provider each, so this holds for them too: they connect
 * to each other as two processes do, but listen on two addresses. To listen on one, give both the
 * same provider, with {@link SoftProviderOptions#setOwnEventLoop}, since a socket on the event loop
 * of one of them would end with it.
 */
public final class SoftProvider implements RdmaProvider {

  static final String NAME = "soft";

  private final SoftRuntime runtime;
  private volatile Availability availability;

  /** Makes the provider with default options; nothing is opened before the first use. */
  public SoftProvider() {
    this(new SoftProviderOptions());
  }

  /** Makes the provider; the options are copied. */
  public SoftProvider(SoftProviderOptions options) {
    this.runtime = new SoftRuntime(options);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Availability availability() {
    Availability known = availability;
    if (known == null) {
      known = look();
      availability = known;
    }
    return known;
  }

  private Availability look() {
    try (DatagramChannel probe = DatagramChannel.open()) {
      probe.bind(null);
    } catch (IOException e) {
      return Availability.unavailable(
          Availability.Cause.KERNEL_SUPPORT_MISSING, "this process can't open UDP sockets: " + e);
    }
    StringBuilder where = new StringBuilder("127.0.0.0/8");
    for (InetAddress address : runtime.addresses().configured()) {
      if (!address.isLoopbackAddress()) {
        where.append(", ").append(address.getHostAddress());
      }
    }
    return Availability.available(
        "RoCEv2 over UDP port " + runtime.options().getUdpPort() + " on " + where);
  }

  @Override
  public CmEventChannel createEventChannel(Executor eventLoop) {
    // What takes long the first time is done here and not on the event loop.
    runtime.warmUp();
    boolean usable = eventLoop instanceof EventLoop && !runtime.options().isOwnEventLoop();
    return new SoftEventChannel(runtime, usable ? (EventLoop) eventLoop : null);
  }

  @Override
  public List<DeviceContext> devices() {
    return List.copyOf(runtime.devices());
  }

  @Override
  public Optional<DeviceContext> deviceFor(InetAddress localAddress) {
    Objects.requireNonNull(localAddress, "localAddress");
    return runtime.addresses().isAllowed(localAddress)
        ? Optional.of(runtime.device(localAddress))
        : Optional.empty();
  }

  /**
   * What the device of a local address counts, for as long as this provider lives.
   *
   * @throws IllegalArgumentException when the options don't allow that address
   */
  public SoftCounters counters(InetAddress localAddress) {
    Objects.requireNonNull(localAddress, "localAddress");
    if (!runtime.addresses().isAllowed(localAddress)) {
      throw new IllegalArgumentException(
          "not an address of this provider: " + localAddress.getHostAddress());
    }
    return runtime.device(localAddress).counters();
  }

  @Override
  public String toString() {
    return NAME;
  }
}
