package io.vertxrdma.reactive.impl;

import io.vertxrdma.core.RdmaException;
import io.vertxrdma.reactive.WorkRequest;

/** Whose operations are posted: a connection, or a datagram socket. */
interface OperationOwner {

  /** Which of the two, for messages. */
  String kind();

  /**
   * Throws for what it can't post now, or at all. Any thread.
   *
   * @throws IllegalStateException also when there is no data path yet
   */
  void check(WorkRequest request);

  /** Its queue pair. Any thread. */
  DataPath dataPath();

  /** Whether the application has closed it. Any thread. */
  boolean isClosedLocally();

  /** Whether it is shutting down, and takes nothing new. Any thread. */
  boolean isDraining();

  /** Whether operations can be posted. On the loop. */
  boolean takesOperations();

  /** Why it is over, for operations that come too late. */
  RdmaException endReason();
}
