package io.vertxrdma.core;

/** A queue of work completions ({@code struct ibv_cq}). */
public interface CompletionQueue extends AutoCloseable {

  /** The entries it can hold; may be more than asked for. */
  int capacity();

  /** Makes room for the completions of one {@link #poll}, to be used again and again. */
  WorkCompletions allocate(int capacity);

  /**
   * Takes up to {@code into.capacity()} completions out of the queue. Never blocks, allocates
   * nothing.
   *
   * @return how many, 0 when there are none; also {@code into.size()}
   * @throws RdmaException when the device reports a broken queue
   */
  int poll(WorkCompletions into);

  /**
   * Asks for one event at the next completion. Completions already queued do not fire: poll again
   * after arming.
   */
  void requestNotification();

  /** Destroys the queue, after its queue pairs. Blocking. Idempotent. */
  @Override
  void close();
}
