package io.vertxrdma.demos;

/** The other side did what the demonstration's protocol does not allow. */
public final class ProtocolException extends RuntimeException {

  /** Says what it did, and what would have been right. */
  public ProtocolException(String message) {
    super(message);
  }
}
