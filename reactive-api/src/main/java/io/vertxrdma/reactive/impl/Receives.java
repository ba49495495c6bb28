package io.vertxrdma.reactive.impl;

import java.nio.ByteBuffer;

/**
 * The receives of a connection, which are the credits its peer has. On the loop.
 *
 * <p>Each completed receive is {@link #consumed}; its credit comes back once, when its immediate
 * was handed over or its message released, and is then posted again by {@link #refill}.
 */
interface Receives {

  /** Marks a receive in the work request id; the rest of it belongs to sends. */
  long RECEIVE_BIT = 1L << 63;

  /** Whether such a receive was posted here. */
  boolean owns(long workRequestId);

  /** A receive completed, whatever its status. Returns whether it was the last one posted. */
  boolean consumed(long workRequestId);

  /** The memory of a completed receive brought nothing. */
  void freeMemory(long workRequestId);

  /** The first bytes of a receive that a message has filled. */
  ByteBuffer memory(long workRequestId, int length);

  /** Such a message is not read any more; its receive may be posted again. */
  void releaseMessage(long workRequestId);

  /** Immediates were handed over: as many receives may be posted again. */
  void credit(int count);

  /** Posts what has come back, if it is worth a call. Returns 0 or the errno of a refusal. */
  int refill();

  /** The connection ends: nothing more is posted for it. */
  void stop();

  /** Receives posted now. */
  int posted();

  /** Receives posted since the beginning. */
  long total();

  /** How many are posted when none is used. */
  int depth();

  /** Whether other connections take from them too. */
  boolean isShared();

  /** Whether nothing posted can complete any more, once the queue pair is in error. */
  boolean isDrained();

  /**
   * The queue pair is gone. What was not given back goes back now, {@link #credit} has no effect
   * any more.
   *
   * @param messagesInUse messages that will still be released
   */
  void end(int messagesInUse);

  /** Frees what must go before the queue pair. Blocking. */
  void close();
}
