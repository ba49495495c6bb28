package io.vertxrdma.core;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * A way to do RDMA on this machine: the native one over librdmacm, or one in software.
 *
 * <p>Providers are found with {@link java.util.ServiceLoader}; see {@link RdmaProviders}. A
 * provider is thread-safe; what it creates is not unless it says so.
 */
public interface RdmaProvider {

  /** The provider's name, for example {@code "native"}. */
  String name();

  /**
   * Whether the provider can be used here, and if not, why. The first call may load libraries and
   * enumerate devices (blocking, milliseconds); later calls answer from memory. Never throws.
   */
  Availability availability();

  /**
   * Creates a channel on which connection manager events arrive.
   *
   * @param eventLoop where the caller will poll. A provider that does its own input and output does
   *     it there if it is an event loop it can use (Netty's); null, or another executor, makes it
   *     use a loop of its own. The native provider needs none
   * @throws ProviderUnavailableException when {@link #availability()} says no
   * @throws RdmaException when the operating system refuses another channel
   */
  CmEventChannel createEventChannel(Executor eventLoop);

  /** {@link #createEventChannel(Executor)} for a caller without an event loop. */
  default CmEventChannel createEventChannel() {
    return createEventChannel(null);
  }

  /**
   * The devices as they are now. Blocking: opens each device.
   *
   * @throws ProviderUnavailableException when {@link #availability()} says no
   */
  List<DeviceContext> devices();

  /**
   * The device that owns a local address, found by its GID table. Blocking: see {@link #devices()}.
   */
  Optional<DeviceContext> deviceFor(InetAddress localAddress);
}
