package io.vertxrdma.reactive.impl;

import io.vertxrdma.core.CmId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last stages of a connection: waits until its work has flushed, for a bounded time, then
 * destroys queue pair and id on a worker. On the event loop; once.
 */
final class Teardown {

  /** Flushing takes a device microseconds; this is for drivers that never flush some of it. */
  private static final long FLUSH_MILLIS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(Teardown.class);

  private final LoopEndpoint endpoint;
  private final CmId id;
  private final DataPath path;
  private final Runnable destroyed;
  private final Deadline flushed;
  private boolean destroying;

  /**
   * Prepares it.
   *
   * @param id null if there is none
   * @param path null if there is none
   * @param destroyed what to call when everything is gone
   */
  Teardown(LoopEndpoint endpoint, CmId id, DataPath path, Runnable destroyed) {
    this.endpoint = endpoint;
    this.id = id;
    this.path = path;
    this.destroyed = destroyed;
    this.flushed = new Deadline(endpoint);
  }

  /**
   * Starts.
   *
   * @param flushes whether the queue pair was connected, so that what is posted will complete
   */
  void start(boolean flushes) {
    if (!flushes || path == null || path.isDrained()) {
      destroy();
      return;
    }
    flushed.start(
        Math.min(endpoint.options().getCloseTimeout(), FLUSH_MILLIS),
        () -> {
          LOG.debug(
              "{}: {} receives and {} sends never flushed",
              id,
              path.receives().posted(),
              path.sends().outstanding());
          destroy();
        });
  }

  /** Some completions came: goes on if they were the last. */
  void check() {
    if (path.isDrained()) {
      destroy();
    }
  }

  private void destroy() {
    if (destroying) {
      return;
    }
    destroying = true;
    flushed.cancel();
    // A task of its own: this may run inside the dispatch of the very queue pair's completions.
    endpoint.context().nettyEventLoop().execute(this::destroyOnWorker);
  }

  private void destroyOnWorker() {
    if (path != null) {
      path.pollReceives();
    }
    endpoint
        .context()
        .executeBlocking(
            () -> {
              if (path != null) {
                path.closeQueues();
              }
              if (id != null) {
                id.close();
              }
              return null;
            },
            false)
        .onComplete(
            done -> {
              if (done.failed()) {
                endpoint.context().reportException(done.cause());
              }
              destroyed.run();
            });
  }
}
