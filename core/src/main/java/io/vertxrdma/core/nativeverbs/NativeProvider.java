package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.Availability;
import io.vertxrdma.core.Availability.Cause;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.ProviderUnavailableException;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.RdmaProvider;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * RDMA through librdmacm and libibverbs, on Linux machines with an RDMA device. Thread-safe.
 *
 * <p>Make one and keep it: each provider reads the devices' asynchronous events for itself.
 */
public final class NativeProvider implements RdmaProvider {

  static final String NAME = "native";

  private final Supplier<NativeCalls> loader;
  private final Machine machine;
  private volatile State state;

  /** Null runtime: unavailable. */
  private record State(Availability availability, NativeRuntime runtime) {}

  /** Makes the provider; nothing is loaded before the first use. */
  public NativeProvider() {
    this(JnrCalls::load, Machine.real());
  }

  /** A provider over calls that are already there; looks at no library and no device file. */
  NativeProvider(NativeCalls calls) {
    this(() -> calls, null);
  }

  NativeProvider(Supplier<NativeCalls> loader, Machine machine) {
    this.loader = Objects.requireNonNull(loader, "loader");
    this.machine = machine;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Availability availability() {
    return state().availability;
  }

  private State state() {
    State known = state;
    if (known == null) {
      synchronized (this) {
        known = state;
        if (known == null) {
          known = probe();
          state = known;
        }
      }
    }
    return known;
  }

  private NativeRuntime runtime() {
    State known = state();
    if (known.runtime == null) {
      throw new ProviderUnavailableException(NAME, known.availability);
    }
    return known.runtime;
  }

  /** Finds out once; a failure to load a class is an answer like the others. */
  private State probe() {
    if (machine != null) {
      Optional<Availability> unsupported = machine.unsupported();
      if (unsupported.isPresent()) {
        return new State(unsupported.get(), null);
      }
    }
    try {
      NativeRuntime runtime = new NativeRuntime(loader.get());
      Optional<Availability> obstacle = machine == null ? Optional.empty() : machine.obstacle();
      Availability answer = obstacle.isPresent() ? obstacle.get() : look(runtime);
      return new State(answer, answer.isAvailable() ? runtime : null);
    } catch (ProviderUnavailableException e) {
      return new State(e.availability(), null);
    } catch (LinkageError e) {
      return unavailable(
          Cause.LIBRARY_MISSING,
          "the native access library (jnr-ffi, jffi) can't be loaded: "
              + e
              + "; it unpacks itself into java.io.tmpdir, which must allow executable files");
    } catch (RuntimeException e) {
      return unavailable(Cause.KERNEL_SUPPORT_MISSING, "looking for RDMA devices failed: " + e);
    }
  }

  private static State unavailable(Cause cause, String reason) {
    return new State(Availability.unavailable(cause, reason), null);
  }

  private Availability look(NativeRuntime runtime) {
    NativeCalls calls = runtime.calls;
    long channel = calls.rdma_create_event_channel();
    if (channel == 0) {
      return noChannel(calls.errno());
    }
    try {
      LayoutCheck.run(calls, channel);
    } finally {
      calls.rdma_destroy_event_channel(channel);
    }
    List<NativeDeviceContext> devices = runtime.devices();
    if (devices.isEmpty()) {
      if (machine != null && machine.hasDevices()) {
        return Availability.unavailable(
            Cause.NO_RIGHTS,
            "librdmacm can't open any of this machine's RDMA devices; may this user read and write"
                + " /dev/infiniband/uverbs*?");
      }
      return Availability.unavailable(Cause.NO_DEVICE, "this machine has no RDMA device");
    }
    return Availability.available(
        "librdmacm with "
            + devices.stream()
                .map(device -> device.name() + " (" + device.transport() + ")")
                .collect(Collectors.joining(", ")));
  }

  private Availability noChannel(int errno) {
    String failure = RdmaException.ofErrno("rdma_create_event_channel", errno).getMessage();
    Errno known = Errno.of(errno);
    if (known == Errno.ENODEV) {
      boolean noModules = machine != null && !machine.hasModules();
      return Availability.unavailable(
          Cause.NO_DEVICE,
          failure
              + ": this machine has no RDMA device"
              + (noModules ? ", and the kernel's RDMA modules are not loaded" : ""));
    }
    if (known == Errno.EACCES || known == Errno.EPERM) {
      return Availability.unavailable(
          Cause.NO_RIGHTS,
          failure + ": this user or container may not use /dev/infiniband/rdma_cm");
    }
    return Availability.unavailable(
        Cause.KERNEL_SUPPORT_MISSING,
        failure
            + ": can't open /dev/infiniband/rdma_cm; are the kernel modules ib_uverbs and rdma_ucm"
            + " loaded?");
  }

  @Override
  public CmEventChannel createEventChannel(Executor eventLoop) {
    return NativeEventChannel.create(runtime());
  }

  @Override
  public List<DeviceContext> devices() {
    return List.copyOf(runtime().devices());
  }

  @Override
  public Optional<DeviceContext> deviceFor(InetAddress localAddress) {
    Objects.requireNonNull(localAddress, "localAddress");
    return runtime().deviceFor(localAddress).map(DeviceContext.class::cast);
  }

  @Override
  public String toString() {
    return NAME;
  }
}
