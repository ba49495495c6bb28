package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.AddressHandleAttributes;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.SharedReceiveQueue;
import io.vertxrdma.core.WorkCompletions;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Set;

/** An {@code ibv_pd} on the context librdmacm uses, so that it fits the ids' queue pairs. */
final class NativeProtectionDomain extends NativeObject
    implements ProtectionDomain, NativeDeviceContext.DeviceObject {

  private final NativeDeviceContext device;

  private NativeProtectionDomain(NativeDeviceContext device, long pointer) {
    super(device.calls, "protection domain of " + device.name(), pointer);
    this.device = device;
  }

  static NativeProtectionDomain create(NativeDeviceContext device) {
    long pointer = device.calls.ibv_alloc_pd(device.context());
    if (pointer == 0) {
      throw RdmaException.ofErrno("ibv_alloc_pd", device.calls.errno(), "device " + device.name());
    }
    return new NativeProtectionDomain(device, pointer);
  }

  @Override
  public DeviceContext device() {
    return device;
  }

  @Override
  public MemoryRegion register(ByteBuffer buffer, Set<AccessFlag> access) {
    check(buffer, access);
    return NativeMemoryRegion.create(this, device, buffer, access);
  }

  private static void check(ByteBuffer buffer, Set<AccessFlag> access) {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException(
          "a heap buffer can't be registered, the garbage collector moves it; use a direct one");
    }
    if (!buffer.hasRemaining()) {
      throw new IllegalArgumentException("the buffer has no bytes between position and limit");
    }
    boolean localWrite = access.contains(AccessFlag.LOCAL_WRITE);
    boolean peerWrites =
        access.contains(AccessFlag.REMOTE_WRITE) || access.contains(AccessFlag.REMOTE_ATOMIC);
    if (peerWrites && !localWrite) {
      throw new IllegalArgumentException(
          "REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE, access was " + access);
    }
    if (buffer.isReadOnly() && localWrite) {
      throw new IllegalArgumentException(
          "a read-only buffer can't be registered for writing, access was " + access);
    }
  }

  @Override
  public SharedReceiveQueue createSharedReceiveQueue(int maxWorkRequests, int maxScatterGather) {
    return NativeSharedReceiveQueue.create(this, device, maxWorkRequests, maxScatterGather);
  }

  @Override
  public AddressHandle createAddressHandle(AddressHandleAttributes attributes) {
    return NativeAddressHandle.create(this, device, attributes);
  }

  @Override
  public AddressHandle createAddressHandle(InetAddress source, InetAddress destination) {
    if (source instanceof Inet4Address != destination instanceof Inet4Address
        || destination.isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          "no path leads from " + source.getHostAddress() + " to " + destination.getHostAddress());
    }
    SourceGid from = SourceGid.of(device, source);
    return createAddressHandle(
        AddressHandleAttributes.toAddress(destination, from.index(), from.port()));
  }

  @Override
  public AddressHandle createAddressHandle(
      WorkCompletions completions, int index, ByteBuffer receiveBuffer, int port) {
    return NativeAddressHandle.create(this, device, completions, index, receiveBuffer, port);
  }

  @Override
  void destroy(long address) {
    NativeErrors.check(calls, "ibv_dealloc_pd", calls.ibv_dealloc_pd(address), "");
  }
}
