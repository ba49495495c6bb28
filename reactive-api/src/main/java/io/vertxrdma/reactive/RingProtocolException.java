package io.vertxrdma.reactive;

import io.vertxrdma.core.RdmaException;

/**
 * The peer of a {@link RingChannel} did not keep to its rules: it wrote where it had no room, more
 * than a slot holds, or gave back what it was not lent. The channel and its connection end.
 */
public class RingProtocolException extends RdmaException {

  /**
   * Makes the exception.
   *
   * @param message what the peer did, and what it may do
   */
  public RingProtocolException(String message) {
    super("ring channel", 0, "", message);
  }
}
