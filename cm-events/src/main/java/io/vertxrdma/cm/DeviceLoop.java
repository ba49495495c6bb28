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
 * outstanding, and when no queue has that room another is made. Confined to the event loop.
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
  private final IntObjectHashMap<CompletionHandler> handlers = new IntObjectHashMap<>();
  private final Map<SharedReceiveQueue, AsyncEventHandler> sharedReceiveQueues =
      new IdentityHashMap<>();
  private EventSourceWatch watch;

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
    int size = (int) Math.min(most, Math.max(entries, SHARED_QUEUE_ENTRIES));
    return loop.blocking(() -> device.createCompletionQueue(size, channel))
        .map(
            made -> {
              SharedCompletionQueue queue = new SharedCompletionQueue(this, made, spinNanos);
              queue.tryReserve(entries);
              queues.add(queue);
              queue.arm();
              return new CompletionQueueShare(queue, entries);
            });
  }

  /** Directs the completions of a queue pair to a handler. */
  public void register(int queuePairNumber, CompletionHandler handler) {
    assert loop.inEventLoop();
    handlers.put(queuePairNumber, handler);
  }

  /** Ends that; completions still in the queue are dropped. */
  public void unregister(int queuePairNumber, CompletionHandler handler) {
    assert loop.inEventLoop();
    // The number may already belong to a newer queue pair.
    if (handlers.get(queuePairNumber) == handler) {
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
    for (CompletionHandler handler : List.copyOf(handlers.values())) {
      handler.failed(cause);
    }
  }

  private void queuePairFailed(AsyncEvent event) {
    if (event.element() instanceof QueuePair pair) {
      CompletionHandler handler = handlers.get(pair.number());
      // The number may already belong to a newer queue pair.
      if (handler != null && handler.usesQueuePair(pair)) {
        handler.failed(
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
    for (CompletionHandler handler : List.copyOf(handlers.values())) {
      if (handler.usesQueue(queue.queue())) {
        handler.failed(cause);
      }
    }
  }

  CompletionHandler handler(int queuePairNumber) {
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
    return watch
        .stop()
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
