package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.Errno;
import io.vertxrdma.core.RdmaException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all objects of one native provider share: the calls, and who is who by native address. */
final class NativeRuntime {

  private static final Logger LOG = LoggerFactory.getLogger(NativeRuntime.class);

  final NativeCalls calls;

  // Per provider, not per channel: a migrated id takes its pending events to another channel.
  private final Map<Long, NativeCmId> ids = new ConcurrentHashMap<>();
  private final Map<Long, NativeDeviceContext> devices = new ConcurrentHashMap<>();

  NativeRuntime(NativeCalls calls) {
    this.calls = calls;
  }

  void add(NativeCmId id, long pointer) {
    ids.put(pointer, id);
  }

  /** To be called before the native destroy: right after it the address can be another id's. */
  void remove(NativeCmId id, long pointer) {
    ids.remove(pointer, id);
  }

  /** The id at that address, or null when it is closed or not ours. */
  NativeCmId id(long pointer) {
    return ids.get(pointer);
  }

  /** The device of a context that librdmacm put into an id. */
  NativeDeviceContext device(long context) {
    NativeDeviceContext known = devices.get(context);
    if (known != null) {
      return known;
    }
    devices();
    return devices.computeIfAbsent(context, address -> new NativeDeviceContext(this, address));
  }

  /** The devices there are now. */
  synchronized List<NativeDeviceContext> devices() {
    try (Memory.Block count = Memory.allocate(Long.BYTES)) {
      long list = calls.rdma_get_devices(count.address());
      if (list == 0) {
        int errno = calls.errno();
        if (errno == Errno.ENODEV.number()) {
          return List.of();
        }
        throw RdmaException.ofErrno("rdma_get_devices", errno);
      }
      List<NativeDeviceContext> found = new ArrayList<>();
      boolean allKnown = true;
      for (int i = 0; i < Memory.getInt(count.address()); i++) {
        long context = Memory.getLong(list + (long) i * Long.BYTES);
        NativeDeviceContext device = devices.get(context);
        if (device == null) {
          allKnown = false;
          try {
            device = new NativeDeviceContext(this, context);
          } catch (RdmaException broken) {
            // One device that doesn't answer must not take the others with it.
            LOG.warn("an RDMA device is left out: {}", broken.getMessage());
            continue;
          }
          devices.put(context, device);
        }
        found.add(device);
      }
      if (allKnown) {
        calls.rdma_free_devices(list);
      }
      // Otherwise the list is kept on purpose, once for each new device: newer librdmacm close the
      // context of an unplugged device when the last list that has it is freed, and ours must stay
      // valid as long as the provider.
      return found;
    }
  }

  /** The device that has a local address in its GID table. */
  Optional<NativeDeviceContext> deviceFor(InetAddress address) {
    return devices().stream().filter(device -> device.owns(address)).findFirst();
  }
}
