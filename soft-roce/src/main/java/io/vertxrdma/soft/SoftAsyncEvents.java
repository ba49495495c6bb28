package io.vertxrdma.soft;

import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.AsyncEventQueue;
import java.util.Objects;

/** The asynchronous events of a device, each time it is open. */
final class SoftAsyncEvents implements AsyncEventQueue {

  private AsyncEventQueue current;
  private Runnable listener = () -> {};

  synchronized void opened(AsyncEventQueue queue) {
    current = queue;
    current.setReadableListener(listener);
  }

  synchronized void closed() {
    current = null;
  }

  @Override
  public int fileDescriptor() {
    return -1;
  }

  @Override
  public synchronized void setReadableListener(Runnable listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
    if (current != null) {
      current.setReadableListener(listener);
    }
  }

  @Override
  public AsyncEvent poll() {
    AsyncEventQueue queue;
    synchronized (this) {
      queue = current;
    }
    return queue == null ? null : queue.poll();
  }
}
