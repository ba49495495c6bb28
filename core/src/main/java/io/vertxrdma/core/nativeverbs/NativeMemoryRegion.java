package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.MemoryRegion;
import java.nio.ByteBuffer;
import java.util.Set;

/** An {@code ibv_mr}, which keeps its buffer reachable. */
final class NativeMemoryRegion extends NativeObject implements MemoryRegion {

  private static final String KIND = "memory regions";

  private final NativeProtectionDomain domain;
  private final ByteBuffer buffer;
  private final long address;
  private final int localKey;
  private final int remoteKey;

  private NativeMemoryRegion(
      NativeProtectionDomain domain, String device, long pointer, ByteBuffer buffer, long address) {
    super(domain.calls, "memory region of " + buffer.capacity() + " bytes on " + device, pointer);
    this.domain = domain;
    this.buffer = buffer;
    this.address = address;
    this.localKey = Memory.getInt(pointer + Layout.MR_LKEY);
    this.remoteKey = Memory.getInt(pointer + Layout.MR_RKEY);
  }

  /** Registers the bytes from position to limit of a direct buffer. */
  static NativeMemoryRegion create(
      NativeProtectionDomain domain,
      NativeDeviceContext device,
      ByteBuffer memory,
      Set<AccessFlag> access) {
    // The slice keeps the whole memory reachable.
    ByteBuffer slice = memory.slice().order(memory.order());
    int bits = access.stream().mapToInt(AccessFlag::bit).reduce(0, (a, b) -> a | b);
    long address = Memory.addressOf(slice);
    domain.users.acquire(KIND);
    try {
      long pointer = domain.calls.ibv_reg_mr(domain.pointer(), address, slice.capacity(), bits);
      if (pointer == 0) {
        throw NativeErrors.registration(domain.calls.errno(), slice.capacity(), device.name());
      }
      return new NativeMemoryRegion(domain, device.name(), pointer, slice, address);
    } catch (RuntimeException failure) {
      domain.users.release(KIND);
      throw failure;
    }
  }

  @Override
  public long address() {
    pointer();
    return address;
  }

  @Override
  public long length() {
    pointer();
    return buffer.capacity();
  }

  @Override
  public int localKey() {
    pointer();
    return localKey;
  }

  @Override
  public int remoteKey() {
    pointer();
    return remoteKey;
  }

  @Override
  public ByteBuffer buffer() {
    pointer();
    return buffer.duplicate().order(buffer.order());
  }

  @Override
  void destroy(long pointer) {
    NativeErrors.check(calls, "ibv_dereg_mr", calls.ibv_dereg_mr(pointer), description());
    domain.users.release(KIND);
  }
}
