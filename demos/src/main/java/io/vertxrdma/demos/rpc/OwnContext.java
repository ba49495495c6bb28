package io.vertxrdma.demos.rpc;

import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** The context that a connection's state belongs to, and the way there. */
final class OwnContext {

  private final Context context;

  OwnContext(Context context) {
    this.context = context;
  }

  /** Runs it there: now if that is here, else soon. */
  void run(Runnable task) {
    if (Vertx.currentContext() == context) {
      task.run();
    } else {
      context.runOnContext(turn -> task.run());
    }
  }
}
