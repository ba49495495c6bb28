package io.vertxrdma.reactive;

import io.vertxrdma.core.ConnectionClosedException;

/**
 * The connection, or the server, is being shut down: it lets what is under way complete, and takes
 * nothing new. Nothing of the operation was sent.
 */
public class ShutdownException extends ConnectionClosedException {

  /**
   * Makes the exception.
   *
   * @param operation what was refused
   * @param about who shuts down
   */
  public ShutdownException(String operation, String about) {
    super(operation, 0, "", operation + ": refused, " + about);
  }
}
