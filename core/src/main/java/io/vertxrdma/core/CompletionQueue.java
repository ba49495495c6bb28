package io.vertxrdma.core;

/** A queue of work completions ({@code struct ibv_cq}). */
public interface CompletionQueue extends AutoCloseable {

  /** The entries it can hold; may be more than asked for. */
  int capacity();

  /**
   * Gives the queue room for more completions; what is in it stays, armed stays armed. Blocking.
   * Who polls the queue meanwhile may have to wait.
   *
   * @param entries how many it must hold, more than {@link #capacity} and up to the device's {@code
   *     maxCompletionQueueEntries}
   * @throws IllegalArgumentException when it holds as many already, or naming the device's limit
   * @throws RdmaException when the device refuses, for example with ENOSYS or EOPNOTSUPP when it
   *     can't resize; the queue is as it was
   */
  void resize(int entries);

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
