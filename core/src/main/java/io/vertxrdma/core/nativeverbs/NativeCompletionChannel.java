package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.RdmaException;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * An {@code ibv_comp_channel}. Draining and closing exclude each other; draining allocates nothing
 * once its arrays have grown to the number of queues that fire together.
 */
final class NativeCompletionChannel extends NativeObject
    implements CompletionChannel, NativeDeviceContext.DeviceObject {

  private final NativeDeviceContext device;
  private final int fileDescriptor;

  /** Replaced, never changed, so that a drain reads it without lock or iterator. */
  private volatile NativeCompletionQueue[] queues = {};

  private final Memory.Arena out = Memory.arena(2 * Long.BYTES);
  private long[] firedAt = new long[8];
  private int[] firedCount = new int[8];

  private NativeCompletionChannel(NativeDeviceContext device, long pointer, int fileDescriptor) {
    super(device.calls, "completion channel of " + device.name(), pointer);
    this.device = device;
    this.fileDescriptor = fileDescriptor;
  }

  static NativeCompletionChannel create(NativeDeviceContext device) {
    NativeCalls calls = device.calls;
    long pointer = calls.ibv_create_comp_channel(device.context());
    if (pointer == 0) {
      throw RdmaException.ofErrno(
          "ibv_create_comp_channel", calls.errno(), "device " + device.name());
    }
    int fd = Memory.getInt(pointer + Layout.COMP_CHANNEL_FD);
    try {
      Descriptors.setNonBlocking(calls, fd);
      return new NativeCompletionChannel(device, pointer, fd);
    } catch (RuntimeException failure) {
      calls.ibv_destroy_comp_channel(pointer);
      throw failure;
    }
  }

  @Override
  public NativeDeviceContext device() {
    return device;
  }

  void add(NativeCompletionQueue queue) {
    synchronized (users) {
      NativeCompletionQueue[] more = Arrays.copyOf(queues, queues.length + 1);
      more[queues.length] = queue;
      queues = more;
    }
  }

  void remove(NativeCompletionQueue queue) {
    synchronized (users) {
      queues =
          Arrays.stream(queues)
              .filter(other -> other != queue)
              .toArray(NativeCompletionQueue[]::new);
    }
  }

  @Override
  public int fileDescriptor() {
    pointer();
    return fileDescriptor;
  }

  @Override
  public void setReadableListener(Runnable listener) {
    // The descriptor tells.
  }

  @Override
  public synchronized int drain(Consumer<CompletionQueue> readable) {
    int fired = 0;
    int events = 0;
    try {
      while (next()) {
        fired = count(Memory.getLong(out.address()), fired);
        events++;
      }
    } finally {
      // By address, not by object: also a queue whose destroy waits for this must be acknowledged.
      for (int i = 0; i < fired; i++) {
        calls.ibv_ack_cq_events(firedAt[i], firedCount[i]);
      }
    }
    RuntimeException failure = null;
    for (int i = 0; i < fired; i++) {
      NativeCompletionQueue queue = find(firedAt[i]);
      if (queue != null) {
        try {
          readable.accept(queue);
        } catch (RuntimeException e) {
          // The other queues' events are used up as well; they must hear of them first.
          failure = e;
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
    return events;
  }

  /** Reads one event into {@link #out}. */
  private boolean next() {
    while (calls.ibv_get_cq_event(pointer(), out.address(), out.address() + Long.BYTES) != 0) {
      int errno = calls.errno();
      if (errno == Errno.EAGAIN.number()) {
        return false;
      }
      if (errno != Errno.EINTR.number()) {
        throw RdmaException.ofErrno("ibv_get_cq_event", errno, "device " + device.name());
      }
    }
    return true;
  }

  private int count(long queueAt, int fired) {
    for (int i = 0; i < fired; i++) {
      if (firedAt[i] == queueAt) {
        firedCount[i]++;
        return fired;
      }
    }
    if (fired == firedAt.length) {
      firedAt = Arrays.copyOf(firedAt, 2 * fired);
      firedCount = Arrays.copyOf(firedCount, 2 * fired);
    }
    firedAt[fired] = queueAt;
    firedCount[fired] = 1;
    return fired + 1;
  }

  private NativeCompletionQueue find(long queueAt) {
    for (NativeCompletionQueue queue : queues) {
      if (queue.isAt(queueAt)) {
        return queue;
      }
    }
    return null;
  }

  @Override
  void destroy(long address) {
    NativeErrors.check(
        calls, "ibv_destroy_comp_channel", calls.ibv_destroy_comp_channel(address), "");
  }
}
