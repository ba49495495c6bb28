package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.AsyncEventQueue;
import io.vertxrdma.core.AsyncEventType;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.RdmaException;

/**
 * A device's asynchronous events. Each is acknowledged as soon as it is copied, since destroying
 * what it is about waits for that.
 */
final class NativeAsyncEventQueue implements AsyncEventQueue {

  private final NativeDeviceContext device;
  private final NativeCalls calls;
  private final int fileDescriptor;
  private final Memory.Arena event = Memory.arena(Layout.ASYNC_EVENT_SIZE);

  NativeAsyncEventQueue(NativeDeviceContext device) {
    this.device = device;
    this.calls = device.calls;
    this.fileDescriptor = Memory.getInt(device.context() + Layout.CONTEXT_ASYNC_FD);
    Descriptors.setNonBlocking(calls, fileDescriptor);
  }

  @Override
  public int fileDescriptor() {
    return fileDescriptor;
  }

  @Override
  public void setReadableListener(Runnable listener) {
    // The descriptor tells.
  }

  @Override
  public synchronized AsyncEvent poll() {
    while (calls.ibv_get_async_event(device.context(), event.address()) != 0) {
      int errno = calls.errno();
      if (errno == Errno.EAGAIN.number()) {
        return null;
      }
      if (errno != Errno.EINTR.number()) {
        throw RdmaException.ofErrno("ibv_get_async_event", errno, "device " + device.name());
      }
    }
    int rawType = Memory.getInt(event.address() + Layout.ASYNC_EVENT_TYPE);
    AsyncEventType type = AsyncEventType.of(rawType);
    // One union: a pointer, or the int of a port.
    long element = Memory.getLong(event.address() + Layout.ASYNC_EVENT_ELEMENT);
    int port = isAboutPort(type) ? Memory.getInt(event.address() + Layout.ASYNC_EVENT_ELEMENT) : 0;
    Object object = isAboutElement(type) ? device.element(element) : null;
    calls.ibv_ack_async_event(event.address());
    return new AsyncEvent(device, type, rawType, object, port);
  }

  private static boolean isAboutPort(AsyncEventType type) {
    return switch (type) {
      case PORT_ACTIVE,
              PORT_ERR,
              LID_CHANGE,
              PKEY_CHANGE,
              SM_CHANGE,
              CLIENT_REREGISTER,
              GID_CHANGE ->
          true;
      default -> false;
    };
  }

  private static boolean isAboutElement(AsyncEventType type) {
    return switch (type) {
      case CQ_ERR,
              QP_FATAL,
              QP_REQ_ERR,
              QP_ACCESS_ERR,
              COMM_EST,
              SQ_DRAINED,
              PATH_MIG,
              PATH_MIG_ERR,
              SRQ_ERR,
              SRQ_LIMIT_REACHED,
              QP_LAST_WQE_REACHED ->
          true;
      default -> false;
    };
  }
}
