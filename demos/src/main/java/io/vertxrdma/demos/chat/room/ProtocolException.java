package io.vertxrdma.demos.chat.room;

/** The other side did what the chat protocol does not allow. */
public final class ProtocolException extends RuntimeException {

  /** Says what. */
  public ProtocolException(String message) {
    super(message);
  }
}
