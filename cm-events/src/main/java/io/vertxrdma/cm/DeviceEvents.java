package io.vertxrdma.cm;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.cm.eventloop.EventSourceWatch;
import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.AsyncEventQueue;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.RdmaException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The asynchronous events of one device, read by one event loop and handed to every loop that uses
 * the device, of whatever Vert.x.
 *
 * <p>The first loop reads; when it leaves, another one goes on. An event that comes in between
 * stays in the device's queue. Thread-safe.
 */
final class DeviceEvents {

  private static final int EVENTS_PER_TICK = 64;

  private static final Logger LOG = LoggerFactory.getLogger(DeviceEvents.class);

  private record Subscription(RdmaLoop loop, AsyncEventHandler handler) {}

  private final DeviceContext device;
  private final AsyncEventQueue queue;
  private final List<Subscription> subscriptions = new ArrayList<>();
  private RdmaLoop reader;
  private Future<EventSourceWatch> watch;

  private DeviceEvents(DeviceContext device) {
    this.device = device;
    this.queue = device.asyncEvents();
  }

  static DeviceEvents of(DeviceContext device) {
    return device.attachment(DeviceEvents.class, () -> new DeviceEvents(device));
  }

  /** Hands events to a loop from now on; once for each loop. */
  synchronized Future<Void> subscribe(RdmaLoop loop, AsyncEventHandler handler) {
    subscriptions.add(new Subscription(loop, handler));
    if (watch == null) {
      read();
    }
    // The reader's loop may be another one.
    Promise<Void> watching = loop.context().promise();
    watch.<Void>mapEmpty().onComplete(watching);
    return watching.future();
  }

  /** Ends that; when the future completes the loop reads no more. */
  synchronized Future<Void> unsubscribe(RdmaLoop loop) {
    subscriptions.removeIf(subscription -> subscription.loop == loop);
    if (reader != loop) {
      return loop.context().succeededFuture();
    }
    return watch
        .compose(EventSourceWatch::stop, failed -> Future.succeededFuture())
        .onComplete(stopped -> next());
  }

  private synchronized void next() {
    reader = null;
    watch = null;
    if (!subscriptions.isEmpty()) {
      read();
    }
  }

  private void read() {
    reader = subscriptions.get(0).loop;
    watch = EventSourceWatch.start(reader.context(), queue, this::drain);
  }

  private void drain() {
    for (int i = 0; i < EVENTS_PER_TICK; i++) {
      AsyncEvent event;
      try {
        event = queue.poll();
      } catch (RdmaException failure) {
        broken(failure);
        return;
      }
      if (event == null) {
        return;
      }
      publish(event);
    }
    if (queue.fileDescriptor() < 0) {
      // A descriptor fires again for what is left; a listener was called once for all of it.
      drainLater();
    }
  }

  private synchronized void drainLater() {
    if (reader != null) {
      reader.context().nettyEventLoop().execute(this::drain);
    }
  }

  /** A device that is gone for good answers like this, again and again. */
  private synchronized void broken(RdmaException failure) {
    LOG.warn("{} tells of no more events: {}", device.name(), failure.getMessage());
    // Stays set: nobody else shall try.
    watch.onSuccess(EventSourceWatch::stop);
  }

  private void publish(AsyncEvent event) {
    log(event);
    List<Subscription> all;
    synchronized (this) {
      all = List.copyOf(subscriptions);
    }
    for (Subscription subscription : all) {
      try {
        subscription.loop.run(() -> subscription.handler.handle(event));
      } catch (RejectedExecutionException ended) {
        LOG.debug("{} came after the end of an event loop", event);
      }
    }
  }

  private static void log(AsyncEvent event) {
    String text = event.type().text();
    switch (event.type()) {
      case PORT_ACTIVE -> LOG.info("{}: {}", event, text);
      case PORT_ERR,
              DEVICE_FATAL,
              CQ_ERR,
              QP_FATAL,
              QP_REQ_ERR,
              QP_ACCESS_ERR,
              SRQ_ERR,
              WQ_FATAL,
              PATH_MIG_ERR ->
          LOG.warn("{}: {}", event, text);
      default -> LOG.debug("{}: {}", event, text);
    }
  }
}
