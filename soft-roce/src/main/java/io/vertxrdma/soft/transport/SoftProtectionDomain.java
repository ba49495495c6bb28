package io.vertxrdma.soft.transport;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.AddressHandleAttributes;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.SharedReceiveQueue;
import io.vertxrdma.core.WorkCompletions;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Set;

/** Groups the memory and queue pairs that may work together. */
final class SoftProtectionDomain extends SoftObject implements ProtectionDomain {

  private final DeviceContext device;

  SoftProtectionDomain(Engine engine, DeviceContext device) {
    super(engine, "protection domain");
    this.device = device;
  }

  @Override
  public DeviceContext device() {
    return device;
  }

  @Override
  public MemoryRegion register(ByteBuffer buffer, Set<AccessFlag> access) {
    check(buffer, access);
    // The slice keeps the whole memory reachable.
    ByteBuffer slice = buffer.slice().order(buffer.order());
    int bits = access.stream().mapToInt(AccessFlag::bit).reduce(0, (a, b) -> a | b);
    engine.enter();
    try {
      users.requireOpen();
      checkLimits(slice.capacity());
      SoftMemoryRegion region = new SoftMemoryRegion(this, slice, bits);
      engine.memory().add(region);
      users.acquire(SoftMemoryRegion.KIND);
      return region;
    } finally {
      engine.leave();
    }
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

  private void checkLimits(int bytes) {
    String about = bytes + " bytes on device " + engine.name();
    long largest = engine.options().maxMemoryRegionSize();
    if (bytes > largest) {
      throw RdmaException.ofErrno(
          "ibv_reg_mr", Errno.EINVAL.number(), about + "; it allows " + largest);
    }
    int most = engine.options().maxMemoryRegions();
    if (engine.memory().size() >= most) {
      throw RdmaException.ofErrno(
          "ibv_reg_mr", Errno.ENOMEM.number(), about + "; it allows " + most + " registrations");
    }
  }

  @Override
  public SharedReceiveQueue createSharedReceiveQueue(int maxWorkRequests, int maxScatterGather) {
    if (maxWorkRequests < 1 || maxScatterGather < 0) {
      throw new IllegalArgumentException(
          "a shared receive queue needs 1 or more work requests and 0 or more scatter/gather"
              + " entries, was "
              + maxWorkRequests
              + " and "
              + maxScatterGather);
    }
    int most = engine.options().maxSharedReceiveQueueWorkRequests();
    int mostEntries = engine.options().maxScatterGather();
    if (maxWorkRequests > most || maxScatterGather > mostEntries) {
      throw RdmaException.ofErrno(
          "ibv_create_srq",
          Errno.EINVAL.number(),
          maxWorkRequests
              + " work requests with "
              + maxScatterGather
              + " scatter/gather entries; device "
              + engine.name()
              + " allows "
              + most
              + " and "
              + mostEntries);
    }
    engine.enter();
    try {
      users.acquire(SoftSharedReceiveQueue.KIND);
      return new SoftSharedReceiveQueue(this, maxWorkRequests, maxScatterGather);
    } finally {
      engine.leave();
    }
  }

  @Override
  public AddressHandle createAddressHandle(AddressHandleAttributes attributes) {
    return SoftAddressHandle.create(this, attributes);
  }

  @Override
  public AddressHandle createAddressHandle(InetAddress source, InetAddress destination) {
    InetAddress own = engine.link().localAddress();
    if (source instanceof Inet4Address != destination instanceof Inet4Address
        || destination.isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          "no path leads from " + source.getHostAddress() + " to " + destination.getHostAddress());
    }
    if (!source.equals(own)) {
      Errno errno = Errno.EADDRNOTAVAIL;
      String about = "device " + engine.name() + " does not have " + source.getHostAddress();
      throw new AddressException(
          "ibv_create_ah",
          errno.number(),
          errno.name(),
          RdmaException.ofErrno("ibv_create_ah", errno.number(), about).getMessage());
    }
    return createAddressHandle(AddressHandleAttributes.toAddress(destination, 0, 1));
  }

  @Override
  public AddressHandle createAddressHandle(
      WorkCompletions completions, int index, ByteBuffer receiveBuffer, int port) {
    return SoftAddressHandle.create(this, completions, index, receiveBuffer, port);
  }

  @Override
  void destroy() {
    // Nothing in the device knows it.
  }
}
