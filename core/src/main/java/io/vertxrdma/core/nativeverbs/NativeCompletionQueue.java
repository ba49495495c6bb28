package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.WorkCompletions;

/** An {@code ibv_cq}. Polling and arming go straight to the driver, without lock or errno. */
final class NativeCompletionQueue extends NativeObject
    implements CompletionQueue, NativeDeviceContext.DeviceObject {

  private static final String KIND = "completion queues";

  private final NativeDeviceContext device;
  private final NativeCompletionChannel channel;
  private volatile int capacity;

  private NativeCompletionQueue(
      NativeDeviceContext device, NativeCompletionChannel channel, long pointer) {
    super(device.calls, "completion queue of " + device.name(), pointer);
    this.device = device;
    this.channel = channel;
    this.capacity = Memory.getInt(pointer + Layout.CQ_CQE);
  }

  static NativeCompletionQueue create(
      NativeDeviceContext device, int entries, NativeCompletionChannel channel) {
    if (channel != null) {
      channel.users.acquire(KIND);
    }
    try {
      long channelAt = channel == null ? 0 : channel.pointer();
      long pointer = device.calls.ibv_create_cq(device.context(), entries, 0, channelAt, 0);
      if (pointer == 0) {
        throw RdmaException.ofErrno(
            "ibv_create_cq", device.calls.errno(), entries + " entries on device " + device.name());
      }
      NativeCompletionQueue queue = new NativeCompletionQueue(device, channel, pointer);
      device.addElement(pointer, queue);
      if (channel != null) {
        channel.add(queue);
      }
      return queue;
    } catch (RuntimeException failure) {
      if (channel != null) {
        channel.users.release(KIND);
      }
      throw failure;
    }
  }

  @Override
  public NativeDeviceContext device() {
    return device;
  }

  @Override
  public int capacity() {
    pointer();
    return capacity;
  }

  @Override
  public void resize(int entries) {
    if (entries <= capacity()) {
      throw new IllegalArgumentException(
          "entries must be more than the " + capacity + " of " + this + ", was " + entries);
    }
    device.checkCompletionQueueEntries(entries);
    long address = pointer();
    NativeErrors.check(
        calls, "ibv_resize_cq", calls.ibv_resize_cq(address, entries), entries + " entries");
    capacity = Memory.getInt(address + Layout.CQ_CQE);
  }

  @Override
  public WorkCompletions allocate(int capacity) {
    return new NativeWorkCompletions(capacity);
  }

  @Override
  public int poll(WorkCompletions into) {
    if (!(into instanceof NativeWorkCompletions completions)) {
      throw new IllegalArgumentException("completions of another provider: " + into);
    }
    completions.setSize(0);
    int count =
        calls.poll_cq(
            device.pollFunction, pointer(), completions.capacity(), completions.address());
    if (count < 0) {
      throw new RdmaException(
          "ibv_poll_cq", count, "", "ibv_poll_cq: " + this + " is broken (" + count + ")");
    }
    completions.setSize(count);
    return count;
  }

  @Override
  public void requestNotification() {
    // Never solicited only: rxe then keeps quiet about failures.
    int result = calls.req_notify_cq(device.requestNotifyFunction, pointer(), 0);
    if (result != 0) {
      // errno is not kept for this call; a driver that returns -1 leaves us without a cause.
      NativeErrors.check(
          calls, "ibv_req_notify_cq", result == -1 ? Errno.EIO.number() : result, "");
    }
  }

  @Override
  void destroy(long address) {
    if (channel != null) {
      channel.remove(this);
    }
    device.removeElement(address, this);
    int result = calls.ibv_destroy_cq(address);
    if (result != 0) {
      device.addElement(address, this);
      if (channel != null) {
        channel.add(this);
      }
      NativeErrors.check(calls, "ibv_destroy_cq", result, "");
    }
    if (channel != null) {
      channel.users.release(KIND);
    }
  }
}
