package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertxrdma.cm.CompletionHandler;
import io.vertxrdma.cm.CompletionQueueShare;
import io.vertxrdma.cm.DeviceLoop;
import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.AsyncEventException;
import io.vertxrdma.core.AsyncEventType;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.DeviceAttributes;
import io.vertxrdma.core.SharedReceiveQueue;
import io.vertxrdma.reactive.RdmaOptions;
import io.vertxrdma.reactive.SharedReceiveOptions;
import io.vertxrdma.reactive.metrics.RdmaMetrics;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shared receive queue of an endpoint on one event loop and device.
 *
 * <p>Its completions have room in one completion queue, whoever they are for. What is posted plus
 * what connections hold never exceeds the maximum depth; see {@link SharedReceiveOptions} for who
 * gets what. Confined to the event loop.
 */
final class SharedReceivePool {

  private static final Logger LOG = LoggerFactory.getLogger(SharedReceivePool.class);

  private final DeviceLoop device;
  private final CompletionQueueShare room;
  private final SharedReceiveQueue queue;
  private final ReceivePoster poster;
  private final RdmaMetrics metrics;
  private final int depth;
  private final int reserve;
  private final int share;
  private final int lowWatermark;
  private final int chainThreshold;
  private final Set<CompletionHandler> users = new LinkedHashSet<>();
  private int returned;
  // Receives posted in place of those that connections hold beyond their share.
  private int replaced;
  private int postedBefore;
  private boolean armed;
  private boolean closed;

  private SharedReceivePool(
      DeviceLoop device,
      CompletionQueueShare room,
      SharedReceiveQueue queue,
      RdmaOptions<?> options,
      long generation) {
    SharedReceiveOptions shared = options.getSharedReceives();
    this.device = device;
    this.room = room;
    this.queue = queue;
    this.metrics = options.getMetrics();
    this.depth = shared.getDepth();
    this.reserve = shared.getMaxDepth() - depth;
    this.share = shared.getShare();
    this.lowWatermark = shared.getLowWatermark();
    this.chainThreshold = ReceiveQueue.chainThreshold(options, depth);
    this.poster =
        new ReceivePoster(
            queue.allocateReceiveBatch(Math.min(depth, ReceivePoster.CHAIN), 1),
            device.protectionDomain(),
            shared.getMaxDepth(),
            options.getReceiveBufferSize(),
            Receives.RECEIVE_BIT | generation);
  }

  /**
   * Makes one, its receives posted.
   *
   * @param generation tells its work requests from those of connections
   */
  static Future<SharedReceivePool> open(
      DeviceLoop device, RdmaOptions<?> options, long generation) {
    SharedReceiveOptions shared = options.getSharedReceives();
    DeviceAttributes limits = device.device().attributes();
    int wanted = shared.getMaxDepth();
    if (wanted > limits.maxSharedReceiveQueueWorkRequests()) {
      return Future.failedFuture(
          new IllegalArgumentException(
              "the shared receives have maxDepth "
                  + wanted
                  + ", but a shared receive queue of "
                  + device.device().name()
                  + " holds "
                  + limits.maxSharedReceiveQueueWorkRequests()));
    }
    return device
        .reserve(wanted, TimeUnit.MICROSECONDS.toNanos(options.getPollSpinMicros()))
        .compose(
            room ->
                device
                    .loop()
                    .blocking(() -> make(device, room, options, generation))
                    .onFailure(failed -> room.release()))
        .map(SharedReceivePool::started);
  }

  private static SharedReceivePool make(
      DeviceLoop device, CompletionQueueShare room, RdmaOptions<?> options, long generation) {
    SharedReceiveQueue queue =
        device
            .protectionDomain()
            .createSharedReceiveQueue(options.getSharedReceives().getMaxDepth(), 1);
    SharedReceivePool pool;
    try {
      pool = new SharedReceivePool(device, room, queue, options, generation);
    } catch (RuntimeException failure) {
      queue.close();
      throw failure;
    }
    try {
      pool.poster.prepare();
      pool.poster.fill(pool.depth);
    } catch (RuntimeException failure) {
      pool.poster.close();
      queue.close();
      throw failure;
    }
    return pool;
  }

  private SharedReceivePool started() {
    device.register(queue, this::handle);
    arm();
    sample();
    return this;
  }

  private void handle(AsyncEvent event) {
    if (event.type() == AsyncEventType.SRQ_LIMIT_REACHED) {
      armed = false;
      metrics.receivesLow(poster.posted());
      LOG.debug(
          "{}: fewer than {} of {} shared receives are left",
          device.device().name(),
          lowWatermark,
          depth);
      arm();
    } else {
      AsyncEventException broken = new AsyncEventException(event, "shared receive queue");
      List.copyOf(users).forEach(user -> user.failed(broken));
    }
  }

  /**
   * Asks for the next event, once enough are posted for it not to come at once. On a worker: some
   * devices ask their firmware.
   */
  private void arm() {
    if (armed || lowWatermark == 0 || poster.posted() <= lowWatermark) {
      return;
    }
    armed = true;
    device
        .loop()
        .blocking(
            () -> {
              queue.setLimit(lowWatermark);
              return null;
            })
        .onFailure(
            refused -> {
              if (!closed) {
                LOG.warn(
                    "{}: no events of the shared receive queue: {}",
                    device.device().name(),
                    refused.getMessage());
              }
            });
  }

  SharedReceiveQueue queue() {
    return queue;
  }

  CompletionQueue completionQueue() {
    return room.queue();
  }

  ReceivePoster poster() {
    return poster;
  }

  int depth() {
    return depth;
  }

  int share() {
    return share;
  }

  void join(CompletionHandler user) {
    users.add(user);
  }

  void leave(CompletionHandler user) {
    users.remove(user);
  }

  /** Polls the completion queue until it is empty: what has come for a queue pair that ends. */
  void poll() {
    room.drain();
  }

  /** Takes a receive for one that a connection holds beyond its share; false if none is left. */
  boolean replace() {
    if (replaced >= reserve) {
      return false;
    }
    replaced++;
    returned++;
    return true;
  }

  /** Such receives were given back. */
  void replacementsReturned(int count) {
    replaced -= count;
  }

  /** Ordinary receives were given back. */
  void credit(int count) {
    returned += count;
  }

  /** Posts what has come back, if it is worth a call. Returns 0 or the errno of a refusal. */
  int refill() {
    int errno = 0;
    while (errno == 0
        && !closed
        && returned > 0
        && (returned >= chainThreshold || poster.posted() <= depth / 2)) {
      int before = poster.posted();
      errno = poster.post(returned);
      returned -= poster.posted() - before;
    }
    if (!closed) {
      arm();
      sample();
    }
    return errno;
  }

  private void sample() {
    int now = poster.posted();
    if (now != postedBefore) {
      metrics.receivesPosted(now - postedBefore);
      postedBefore = now;
    }
  }

  /** Destroys it; the queue pairs must be gone. */
  Future<Void> close() {
    closed = true;
    device.register(queue, null);
    metrics.receivesPosted(-postedBefore);
    postedBefore = 0;
    return device
        .loop()
        .<Void>blocking(
            () -> {
              queue.close();
              poster.close();
              return null;
            })
        .onComplete(closed -> room.release());
  }
}
