package io.vertxrdma.soft.transport;

import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.AsyncEventQueue;
import io.vertxrdma.core.AsyncEventType;
import io.vertxrdma.core.DeviceContext;
import java.util.ArrayDeque;

/**
 * The asynchronous events of a device that were not read yet; those of closed objects are dropped.
 */
final class SoftAsyncEventQueue implements AsyncEventQueue {

  private record Waiting(AsyncEventType type, Object element) {}

  private final Engine engine;
  private final ArrayDeque<Waiting> events = new ArrayDeque<>();
  private DeviceContext device;
  private Runnable listener = () -> {};

  SoftAsyncEventQueue(Engine engine) {
    this.engine = engine;
  }

  /** Says which device the events are to name; device lock held. */
  void setDevice(DeviceContext device) {
    this.device = device;
  }

  /** Adds an event; device lock held. */
  void add(AsyncEventType type, Object element) {
    if (events.isEmpty()) {
      engine.notifyLater(listener);
    }
    events.add(new Waiting(type, element));
  }

  /** Drops the events about an object; device lock held. */
  void forget(Object element) {
    if (!events.isEmpty()) {
      events.removeIf(event -> event.element() == element);
    }
  }

  @Override
  public int fileDescriptor() {
    return -1;
  }

  @Override
  public void setReadableListener(Runnable listener) {
    engine.enter();
    try {
      this.listener = listener == null ? () -> {} : listener;
      if (!events.isEmpty()) {
        engine.notifyLater(this.listener);
      }
    } finally {
      engine.leave();
    }
  }

  @Override
  public AsyncEvent poll() {
    engine.enter();
    try {
      Waiting next = events.poll();
      return next == null
          ? null
          : new AsyncEvent(device, next.type(), next.type().ordinal(), next.element(), 0);
    } finally {
      engine.leave();
    }
  }
}
