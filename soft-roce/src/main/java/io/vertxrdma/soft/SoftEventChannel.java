package io.vertxrdma.soft;

import io.netty.channel.EventLoop;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.PortSpace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/** A queue of connection manager events that calls a listener instead of having a descriptor. */
final class SoftEventChannel implements CmEventChannel {

  private final SoftRuntime runtime;
  private final EventLoop eventLoop;
  private final ArrayDeque<PendingEvent> events = new ArrayDeque<>();
  private volatile Runnable listener = () -> {};
  private int ids;
  private boolean closed;

  SoftEventChannel(SoftRuntime runtime, EventLoop eventLoop) {
    this.runtime = runtime;
    this.eventLoop = eventLoop;
  }

  SoftRuntime runtime() {
    return runtime;
  }

  /** Where devices first used through this channel have their sockets; null for the provider's. */
  EventLoop eventLoop() {
    return eventLoop;
  }

  @Override
  public int fileDescriptor() {
    return -1;
  }

  @Override
  public void setReadableListener(Runnable listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  /** Tells the listener that there is something to read; not under a lock. */
  void signal() {
    listener.run();
  }

  /**
   * Queues an event.
   *
   * @return whether the channel became readable and {@link #signal} is due
   */
  synchronized boolean add(PendingEvent event) {
    events.add(event);
    return events.size() == 1;
  }

  /** Takes out the events of an id. */
  synchronized List<PendingEvent> removeEventsOf(SoftCmId owner) {
    List<PendingEvent> removed = new ArrayList<>();
    for (Iterator<PendingEvent> i = events.iterator(); i.hasNext(); ) {
      PendingEvent event = i.next();
      if (event.owner() == owner) {
        removed.add(event);
        i.remove();
      }
    }
    return removed;
  }

  private synchronized PendingEvent take() {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
    }
    return events.poll();
  }

  /** Events that wait; for tests. */
  synchronized int size() {
    return events.size();
  }

  private synchronized boolean isReadable() {
    return !events.isEmpty();
  }

  @Override
  public CmEvent poll() {
    PendingEvent next;
    while ((next = take()) != null) {
      CmEvent event = next.read();
      if (event != null) {
        if (isReadable()) {
          // A reader that stops here is woken again, as by a level-triggered descriptor.
          signal();
        }
        return event;
      }
    }
    return null;
  }

  @Override
  public CmId createId(PortSpace portSpace) {
    Objects.requireNonNull(portSpace, "portSpace");
    return new SoftCmId(this, portSpace);
  }

  /** Counts an id; from now on the channel can't be closed. */
  synchronized void acquireId() {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
    }
    ids++;
  }

  synchronized void releaseId() {
    ids--;
  }

  @Override
  public synchronized int liveIds() {
    return ids;
  }

  @Override
  public synchronized void close() {
    if (ids != 0) {
      throw new IllegalStateException(
          "cm event channel is still in use: close its " + ids + " cm ids first");
    }
    closed = true;
    events.clear();
  }

  @Override
  public String toString() {
    return "cm event channel (soft)";
  }
}
