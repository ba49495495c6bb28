package io.vertxrdma.core;

import java.util.function.Consumer;

/** Where completion queues tell that they have something ({@code struct ibv_comp_channel}). */
public interface CompletionChannel extends EventSource, AutoCloseable {

  /**
   * Reads all waiting events, acknowledges them in one batch for each queue, then calls the
   * consumer once for each queue that had any. Never blocks.
   *
   * @return the number of events read
   */
  int drain(Consumer<CompletionQueue> readable);

  /** Closes the channel, after its queues. Idempotent. */
  @Override
  void close();
}
