package io.vertxrdma.benchmarks.endtoend;

import io.vertx.core.Future;

/** Small messages between a near side, which measures, and a far side; one use. */
interface Traffic {

  /**
   * Sends a message, waits for the answer, sends the next.
   *
   * @return what each but the first {@code warmUp} round trips took, nanoseconds
   */
  Future<long[]> pingPong(int warmUp, int rounds);

  /**
   * Keeps messages under way until told to stop.
   *
   * @return completes when the first one is acknowledged
   */
  Future<Void> startStream();

  /** Messages acknowledged so far; any thread. */
  long messages();

  /** Packets sent and received by the near side so far; any thread. */
  long packets();

  /** Ends it. */
  Future<Void> close();
}
