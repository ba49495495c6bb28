package io.vertxrdma.cm;

import io.netty.util.collection.IntObjectHashMap;
import io.vertx.core.Future;
import io.vertxrdma.cm.eventloop.EventSourceWatch;
import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.AsyncEventException;
import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.DeviceRemovedException;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one event loop has of a device: a protection domain, a completion channel and the completion
 * queues its connections share.
 *
 * <p>A queue never overruns, by construction: a connection reserves room for everything it can have
 * outstanding. When no queue has that room one is resized, or another made where the device can't.
 * Confined to the event loop.
 */
public final class DeviceLoop {

  /** Entries of a shared queue, if the device allows as many. */
  static final int SHARED_QUEUE_ENTRIES = 4096;

  private static final Logger LOG = LoggerFactory.getLogger(DeviceLoop.class);

  private final RdmaLoop loop;
  private final DeviceContext device;
  private final ProtectionDomain protectionDomain;
  private final CompletionChannel channel;
  private final List<SharedCompletionQueue> queues = new ArrayList<>();
  private final List<SharedCompletionQueue> broken = new ArrayList<>();
  private final IntObjectHashMap<RegisteredHandler> handlers = new IntObjectHashMap<>();
  private final Map<SharedReceiveQueue, AsyncEventHandler> sharedReceiveQueues =
      new IdentityHashMap<>();
  private EventSourceWatch watch;
  private Future<Void> growing;
  private boolean resizable = true;
  private long polls;

  private DeviceLoop(
      RdmaLoop loop,
      DeviceContext device,
      ProtectionDomain protectionDomain,
      CompletionChannel channel) {
    this.loop = loop;
    this.device = device;
    this.protectionDomain = protectionDomain;
    this.channel = channel;
  }

  static Future<DeviceLoop> open(RdmaLoop loop, DeviceContext device) {
    return loop.blocking(
            () -> {
              ProtectionDomain domain = device.allocateProtectionDomain();
              try {
                return new DeviceLoop(loop, device, domain, device.createCompletionChannel());
              } catch (RuntimeException failure) {
                domain.close();
                throw failure;
              }
            })
        .compose(
            opened ->
                EventSourceWatch.start(loop.context(), opened.channel, opened::readable)
                    .map(
                        started -> {
                          opened.watch = started;
                          opened.tellQuirks();
                          return opened;
                        }));
  }

  private void tellQuirks() {
    String quirks = DriverQuirks.forDriver(device.driver()).text();
    if (!quirks.isEmpty()) {
      LOG.info("{}, driver {}: {}", device.name(), device.driver(), quirks);
    }
  }

  /** The device. */
  public DeviceContext device() {
    return device;
  }

  /** The protection domain of all queue pairs and memory of this loop on this device. */
  public ProtectionDomain protectionDomain() {
    return protectionDomain;
  }

  /** The loop. */
  public RdmaLoop loop() {
    return loop;
  }

  /**
   * Reserves room for the completions of one queue pair.
   *
   * @param entries send plus receive depth
   * @param spinNanos how long to keep polling after the last completion before waiting for an
   *     event; 0 for not at all
   */
  public Future<CompletionQueueShare> reserve(int entries, long spinNanos) {
    assert loop.inEventLoop();
    long most = device.attributes().maxCompletionQueueEntries();
    if (entries > most) {
      return Future.failedFuture(
          new IllegalArgumentException(
              "send depth plus receive depth is "
                  + entries
                  + ", but a completion queue of "
                  + device.name()
                  + " holds "
                  + most));
    }
    for (SharedCompletionQueue queue : queues) {
      if (queue.spinNanos() == spinNanos && queue.tryReserve(entries)) {
        return loop.context().succeededFuture(new CompletionQueueShare(queue, entries));
      }
    }
    if (growing == null) {
      Future<Void> growth = grow(entries, spinNanos, most);
      growing = growth;
      growth.onComplete(grown -> growing = null);
      return growth.compose(grown -> reserve(entries, spinNanos));
    }
    // What somebody else is waiting for may leave enough room; if not, it is asked for next.
    return growing.transform(grown -> reserve(entries, spinNanos));
  }

  /** Makes room: in a queue that is there if the device can resize it, else in another one. */
  private Future<Void> grow(int entries, long spinNanos, long most) {
    if (resizable) {
      for (SharedCompletionQueue queue : queues) {
        long needed = (long) queue.queue().capacity() - queue.room() + entries;
        if (queue.spinNanos() == spinNanos && needed <= most) {
          int size = (int) Math.min(most, Math.max(needed, 2L * queue.queue().capacity()));
          return resize(queue, size)
              .recover(
                  refused -> {
                    resizable = false;
                    LOG.info(
                        "{} can't resize a completion queue ({}), so connections that find no room"
                            + " get another one",
                        device.name(),
                        refused.getMessage());
                    return create(entries, spinNanos, most);
                  });
        }
      }
    }
    return create(entries, spinNanos, most);
  }

  private Future<Void> resize(SharedCompletionQueue queue, int entries) {
    queue.beginResize();
    return loop.<Void>blocking(
            () -> {
              queue.queue().resize(entries);
              return null;
            })
        .onComplete(done -> queue.endResize());
  }

  private Future<Void> create(int entries, long spinNanos, long most) {
    int size = (int) Math.min(most, Math.max(entries, SHARED_QUEUE_ENTRIES));
    return loop.blocking(() -> device.createCompletionQueue(size, channel))
        .map(
            made -> {
              SharedCompletionQueue queue = new SharedCompletionQueue(this, made, spinNanos);
              queues.add(queue);
              queue.arm();
              return null;
            });
  }

  /** Queues that share a turn of the event loop, 1 or more. */
  int queueCount() {
    return Math.max(1, queues.size());
  }

  /** Directs the completions of a queue pair to a handler. */
  public void register(int queuePairNumber, CompletionHandler handler) {
    assert loop.inEventLoop();
    handlers.put(queuePairNumber, new RegisteredHandler(handler));
  }

  /** Ends that; completions still in the queue are dropped. */
  public void unregister(int queuePairNumber, CompletionHandler handler) {
    assert loop.inEventLoop();
    // The number may already belong to a newer queue pair.
    RegisteredHandler there = handlers.get(queuePairNumber);
    if (there != null && there.handler == handler) {
      handlers.remove(queuePairNumber);
    }
  }

  /** Directs the events about a shared receive queue to a handler; null ends that. */
  public void register(SharedReceiveQueue queue, AsyncEventHandler handler) {
    assert loop.inEventLoop();
    if (handler == null) {
      sharedReceiveQueues.remove(queue);
    } else {
      sharedReceiveQueues.put(queue, handler);
    }
  }

  /** What an asynchronous event means for those who use the device here. */
  void handle(AsyncEvent event) {
    switch (event.type()) {
      case DEVICE_FATAL -> failAll(DeviceRemovedException.of(event));
      case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, WQ_FATAL -> queuePairFailed(event);
      case CQ_ERR -> completionQueueFailed(event);
      case SRQ_ERR, SRQ_LIMIT_REACHED -> {
        AsyncEventHandler handler = sharedReceiveQueues.get(event.element());
        if (handler != null) {
          handler.handle(event);
        }
      }
      default -> {}
    }
  }

  private void failAll(RdmaException cause) {
    for (RegisteredHandler each : List.copyOf(handlers.values())) {
      each.handler.failed(cause);
    }
  }

  private void queuePairFailed(AsyncEvent event) {
    if (event.element() instanceof QueuePair pair) {
      RegisteredHandler there = handlers.get(pair.number());
      // The number may already belong to a newer queue pair.
      if (there != null && there.handler.usesQueuePair(pair)) {
        there.handler.failed(
            new AsyncEventException(event, "queue pair 0x" + Integer.toHexString(pair.number())));
      }
    }
  }

  private void completionQueueFailed(AsyncEvent event) {
    for (SharedCompletionQueue queue : List.copyOf(queues)) {
      if (queue.queue() == event.element()) {
        queue.stop();
        failed(queue, new AsyncEventException(event, "completion queue"));
      }
    }
  }

  /** A queue is broken: its connections would wait for ever. */
  void failed(SharedCompletionQueue queue, RdmaException cause) {
    queues.remove(queue);
    broken.add(queue);
    for (RegisteredHandler each : List.copyOf(handlers.values())) {
      if (each.handler.usesQueue(queue.queue())) {
        each.handler.failed(cause);
      }
    }
  }

  /** Numbers the polls of all queues: a queue pair may have completions in two of them. */
  long nextPoll() {
    return ++polls;
  }

  RegisteredHandler handler(int queuePairNumber) {
    return handlers.get(queuePairNumber);
  }

  private void readable() {
    try {
      channel.drain(this::drainQueue);
    } catch (RdmaException failure) {
      loop.context().reportException(failure);
    }
  }

  private void drainQueue(CompletionQueue readable) {
    for (int i = 0; i < queues.size(); i++) {
      if (queues.get(i).queue() == readable) {
        queues.get(i).drain();
        return;
      }
    }
    LOG.debug("event of a completion queue that is not shared here");
  }

  /** Destroys the queues, the channel and the domain; all queue pairs and memory must be gone. */
  Future<Void> close() {
    for (SharedCompletionQueue queue : queues) {
      queue.stop();
    }
    Future<Void> grown = growing == null ? loop.context().succeededFuture() : growing;
    return grown
        .transform(settled -> watch.stop())
        .transform(
            stopped ->
                loop.blocking(
                    () -> {
                      for (SharedCompletionQueue queue : queues) {
                        queue.queue().close();
                      }
                      for (SharedCompletionQueue queue : broken) {
                        queue.queue().close();
                      }
                      channel.close();
                      protectionDomain.close();
                      return null;
                    }));
  }
}
