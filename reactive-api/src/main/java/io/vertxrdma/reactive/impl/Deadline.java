package io.vertxrdma.reactive.impl;

/** One deadline at a time; on the loop. */
final class Deadline {

  private final LoopEndpoint endpoint;
  private long timer = -1;

  Deadline(LoopEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  /** Starts it, in place of the one before. */
  void start(long millis, Runnable passed) {
    cancel();
    timer =
        endpoint
            .context()
            .setTimer(
                Math.max(1, millis),
                fired -> {
                  timer = -1;
                  passed.run();
                });
  }

  void cancel() {
    if (timer != -1) {
      endpoint.vertx().cancelTimer(timer);
      timer = -1;
    }
  }
}
