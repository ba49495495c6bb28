package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.reactive.RdmaServer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds a listener whose device went away again and again, each time later, until it works or the
 * server closes. On the loop.
 *
 * <p>An id that was bound to an address is of no use once its device is gone, also when the device
 * comes back (rdma_get_cm_event(3), DEVICE_REMOVAL): each try has an id of its own.
 */
final class ListenerRearm {

  /** The longest time between two tries. */
  static final long MAX_DELAY_MILLIS = 5_000;

  private static final Logger LOG = LoggerFactory.getLogger(RdmaServer.class);

  private final ContextInternal context;
  private final String address;
  private final Supplier<Future<?>> bind;
  private final Runnable bound;
  private long delay;
  private long timer = -1;
  private boolean stopped;
  private String lastFailure = "";

  /**
   * Prepares it.
   *
   * @param address for the log
   * @param delay milliseconds before the first try
   * @param bind one try
   * @param bound what to call when a try succeeded
   */
  ListenerRearm(
      ContextInternal context,
      String address,
      long delay,
      Supplier<Future<?>> bind,
      Runnable bound) {
    this.context = context;
    this.address = address;
    this.delay = delay;
    this.bind = bind;
    this.bound = bound;
  }

  /** Waits, then tries. */
  void start() {
    if (!stopped) {
      timer =
          context.setTimer(
              delay,
              fired -> {
                timer = -1;
                attempt();
              });
    }
  }

  private void attempt() {
    bind.get()
        .onComplete(
            done -> {
              if (stopped) {
                return;
              }
              if (done.succeeded()) {
                stopped = true;
                bound.run();
              } else {
                failed(done.cause());
              }
            });
  }

  private void failed(Throwable cause) {
    String failure = String.valueOf(cause.getMessage());
    if (failure.equals(lastFailure)) {
      LOG.debug("{}: can't listen again yet", address);
    } else {
      LOG.info("{}: can't listen again yet, trying on: {}", address, failure);
      lastFailure = failure;
    }
    delay = Math.min(2 * delay, MAX_DELAY_MILLIS);
    start();
  }

  /** No more tries. */
  void stop() {
    stopped = true;
    if (timer != -1) {
      context.owner().cancelTimer(timer);
      timer = -1;
    }
  }
}
