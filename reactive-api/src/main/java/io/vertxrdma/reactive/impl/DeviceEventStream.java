package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Flowable;
import io.vertxrdma.cm.AsyncEventHandler;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.reactive.DeviceEvent;
import io.vertxrdma.reactive.DeviceEvent.Kind;
import io.vertxrdma.reactive.metrics.RdmaMetrics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * What an endpoint tells of devices: their asynchronous events, and what the connection manager
 * says of them, once for a device and not once for each of its ids. On the loop.
 */
final class DeviceEventStream {

  private final RdmaMetrics metrics;
  private final EventBroadcast<DeviceEvent> broadcast = new EventBroadcast<>();
  private final AsyncEventHandler observer = event -> publish(DeviceEvent.of(event));
  private final Set<DeviceContext> removed = Collections.newSetFromMap(new WeakHashMap<>());
  private final List<RdmaLoop> loops = new ArrayList<>();

  DeviceEventStream(RdmaMetrics metrics) {
    this.metrics = metrics;
  }

  Flowable<DeviceEvent> flowable() {
    return broadcast.flowable();
  }

  /** Takes in what comes to a loop. */
  void attach(RdmaLoop acquired) {
    loops.add(acquired);
    acquired.deviceEvents().addObserver(observer);
  }

  /** Ends that, while the loops still are there. */
  void detach() {
    loops.forEach(loop -> loop.deviceEvents().removeObserver(observer));
    loops.clear();
  }

  void publish(DeviceEvent event) {
    metrics.deviceEvent(event.kind());
    broadcast.publish(event);
  }

  /** Whether an event of an id says something of its device. */
  static boolean concerns(CmEvent event) {
    return switch (event.type()) {
      case DEVICE_REMOVAL, ADDR_CHANGE, ADDR_RESOLVED, CONNECT_REQUEST -> true;
      default -> false;
    };
  }

  /** Looks at such an event. */
  void look(CmEventType type, DeviceContext device) {
    switch (type) {
      case DEVICE_REMOVAL -> {
        if (removed.add(device)) {
          publish(new DeviceEvent(Kind.DEVICE_REMOVAL, device, 0, null, null));
        }
      }
      case ADDR_CHANGE -> publish(new DeviceEvent(Kind.ADDR_CHANGE, device, 0, null, null));
      case CONNECT_REQUEST -> {
        removed.remove(device);
        watch(device);
      }
      default -> removed.remove(device);
    }
  }

  /** Hears of a device also when it is used on other event loops only. */
  private void watch(DeviceContext device) {
    if (device != null && loops.size() == 1) {
      loops.get(0).deviceEvents().watch(device);
    }
  }

  void finish() {
    broadcast.finish();
  }
}
