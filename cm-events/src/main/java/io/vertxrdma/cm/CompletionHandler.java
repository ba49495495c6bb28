package io.vertxrdma.cm;

import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.WorkCompletions;

/** Takes the work completions of one queue pair, on the event loop. */
public interface CompletionHandler {

  /** Handles one completion; the flyweight is valid during the call only. */
  void completion(WorkCompletions completions, int index);

  /**
   * Called once after the completions of a poll batch that had some for this queue pair: the place
   * to deliver, repost and post in chains.
   */
  void batchEnd();

  /** Whether the queue pair's completions come through that queue. */
  boolean usesQueue(CompletionQueue queue);

  /** Whether this takes the completions of that queue pair. */
  boolean usesQueuePair(QueuePair pair);

  /** The device, the queue pair or the completion queue is broken: the connection is over. */
  void failed(RdmaException cause);
}
