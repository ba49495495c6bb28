package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SharedReceiveQueue;

/** An {@code ibv_srq}. */
final class NativeSharedReceiveQueue extends NativeObject
    implements SharedReceiveQueue, NativeReceiveBatch.Target, NativeDeviceContext.DeviceObject {

  private static final String KIND = "shared receive queues";
  private static final int MODIFY_LIMIT = 2;

  private final NativeDeviceContext device;
  private final NativeProtectionDomain domain;
  private final int maxWorkRequests;

  private NativeSharedReceiveQueue(
      NativeDeviceContext device,
      NativeProtectionDomain domain,
      long pointer,
      int maxWorkRequests) {
    super(device.calls, "shared receive queue of " + device.name(), pointer);
    this.device = device;
    this.domain = domain;
    this.maxWorkRequests = maxWorkRequests;
  }

  static NativeSharedReceiveQueue create(
      NativeProtectionDomain domain,
      NativeDeviceContext device,
      int maxWorkRequests,
      int maxScatterGather) {
    if (maxWorkRequests < 1 || maxScatterGather < 0) {
      throw new IllegalArgumentException(
          "a shared receive queue needs 1 or more work requests and 0 or more scatter/gather"
              + " entries, was "
              + maxWorkRequests
              + " and "
              + maxScatterGather);
    }
    NativeCalls calls = device.calls;
    domain.users.acquire(KIND);
    try (Memory.Block block = Memory.allocate(Layout.SRQ_INIT_ATTR_SIZE)) {
      long attr = block.address();
      Memory.putInt(attr + Layout.SRQ_INIT_ATTR_MAX_WR, maxWorkRequests);
      Memory.putInt(attr + Layout.SRQ_INIT_ATTR_MAX_SGE, maxScatterGather);
      long pointer = calls.ibv_create_srq(domain.pointer(), attr);
      if (pointer == 0) {
        throw RdmaException.ofErrno(
            "ibv_create_srq",
            calls.errno(),
            maxWorkRequests
                + " work requests; device "
                + device.name()
                + " allows "
                + device.attributes().maxSharedReceiveQueueWorkRequests());
      }
      NativeSharedReceiveQueue queue =
          new NativeSharedReceiveQueue(
              device, domain, pointer, Memory.getInt(attr + Layout.SRQ_INIT_ATTR_MAX_WR));
      device.addElement(pointer, queue);
      return queue;
    } catch (RuntimeException failure) {
      domain.users.release(KIND);
      throw failure;
    }
  }

  @Override
  public NativeDeviceContext device() {
    return device;
  }

  @Override
  public int maxWorkRequests() {
    pointer();
    return maxWorkRequests;
  }

  @Override
  public synchronized void setLimit(int limit) {
    if (limit < 0 || limit > maxWorkRequests) {
      throw new IllegalArgumentException("limit must be 0.." + maxWorkRequests + ", was " + limit);
    }
    try (Memory.Block attr = Memory.allocate(Layout.SRQ_ATTR_SIZE)) {
      Memory.putInt(attr.address() + Layout.SRQ_ATTR_LIMIT, limit);
      int result = calls.ibv_modify_srq(pointer(), attr.address(), MODIFY_LIMIT);
      NativeErrors.check(calls, "ibv_modify_srq", result, "srq_limit=" + limit);
    }
  }

  @Override
  public synchronized int queryLimit() {
    try (Memory.Block attr = Memory.allocate(Layout.SRQ_ATTR_SIZE)) {
      int result = calls.ibv_query_srq(pointer(), attr.address());
      NativeErrors.check(calls, "ibv_query_srq", result, "");
      return Memory.getInt(attr.address() + Layout.SRQ_ATTR_LIMIT);
    }
  }

  @Override
  public ReceiveBatch allocateReceiveBatch(int capacity, int scatterGather) {
    pointer();
    return new NativeReceiveBatch(calls, this, capacity, scatterGather);
  }

  @Override
  public int postReceive(long first, long badOut) {
    return calls.post_srq_recv(device.postSharedReceiveFunction, pointer(), first, badOut);
  }

  @Override
  void destroy(long address) {
    device.removeElement(address, this);
    int result = calls.ibv_destroy_srq(address);
    if (result != 0) {
      device.addElement(address, this);
      NativeErrors.check(calls, "ibv_destroy_srq", result, "");
    }
    domain.users.release(KIND);
  }
}
