package io.vertxrdma.demos.chat;

/** The other side did what the chat protocol does not allow. */
final class ProtocolException extends RuntimeException {

  ProtocolException(String message) {
    super(message);
  }
}
