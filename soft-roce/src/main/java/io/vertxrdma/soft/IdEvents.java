package io.vertxrdma.soft;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.UdParam;
import java.util.List;

/**
 * The way of an id's events to its channel, wherever the id was moved; nothing passes once it is
 * closed.
 */
final class IdEvents {

  private final SoftCmId id;
  private SoftEventChannel channel;
  private boolean closed;

  IdEvents(SoftCmId id, SoftEventChannel channel) {
    this.id = id;
    this.channel = channel;
  }

  synchronized SoftEventChannel channel() {
    return channel;
  }

  /** Queues an event; the channel to signal, or null. */
  private synchronized SoftEventChannel add(PendingEvent event) {
    if (closed) {
      event.drop();
      return null;
    }
    return channel.add(event) ? channel : null;
  }

  /** Queues an event from inside a device; its channel is told when the device is left. */
  void post(SoftDevice device, PendingEvent event) {
    SoftEventChannel readable = add(event);
    if (readable != null) {
      device.engine().notifyLater(readable::signal);
    }
  }

  /** Queues an event and tells the channel; not under a lock. */
  void post(PendingEvent event) {
    SoftEventChannel readable = add(event);
    if (readable != null) {
      readable.signal();
    }
  }

  /** An event that is complete already. */
  PendingEvent event(CmEventType type, int status, ConnParam parameters) {
    return event(type, status, parameters, null);
  }

  /** An event that is complete already, and says how to reach a datagram peer. */
  PendingEvent event(CmEventType type, int status, ConnParam parameters, UdParam udParam) {
    CmEvent event = new CmEvent(type.code(), status, 0, id, null, parameters, udParam);
    return new PendingEvent(id) {
      @Override
      CmEvent read() {
        return id.isClosed() ? null : event;
      }
    };
  }

  /** Moves the id and what waits for it; the channel it left. */
  SoftEventChannel moveTo(SoftEventChannel target) {
    SoftEventChannel left;
    boolean readable = false;
    synchronized (this) {
      left = channel;
      channel = target;
      for (PendingEvent event : left.removeEventsOf(id)) {
        readable |= target.add(event);
      }
    }
    if (readable) {
      target.signal();
    }
    return left;
  }

  /** Lets nothing pass any more and drops what waits. */
  SoftEventChannel close() {
    List<PendingEvent> dropped;
    SoftEventChannel left;
    synchronized (this) {
      closed = true;
      left = channel;
      dropped = left.removeEventsOf(id);
    }
    dropped.forEach(PendingEvent::drop);
    return left;
  }
}
