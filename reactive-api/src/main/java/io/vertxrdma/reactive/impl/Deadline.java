package io.vertxrdma.reactive.impl;

import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * One deadline at a time; on the loop.
 *
 * <p>Not a Vert.x timer: one that was started in a verticle is cancelled when the verticle is
 * undeployed, and then a connection that is ending just then would never have ended.
 */
final class Deadline {

  private final LoopEndpoint endpoint;
  private ScheduledFuture<?> timer;

  Deadline(LoopEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  /** Starts it, in place of the one before. */
  void start(long millis, Runnable passed) {
    cancel();
    timer =
        endpoint
            .context()
            .nettyEventLoop()
            .schedule(() -> pass(passed), Math.max(1, millis), TimeUnit.MILLISECONDS);
  }

  private void pass(Runnable passed) {
    timer = null;
    endpoint.context().emit(null, nothing -> passed.run());
  }

  void cancel() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }
}
