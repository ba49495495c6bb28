package io.vertxrdma.reactive;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.HandshakeRejection;
import io.vertxrdma.core.RdmaException;

/** The peer's private data is not what a {@link Handshake} accepts. */
public class HandshakeException extends RdmaException {

  private final HandshakeRejection.Code reason;

  /**
   * Makes the exception.
   *
   * @param reason which check it failed
   * @param text what is wrong, for a person at either end
   */
  public HandshakeException(HandshakeRejection.Code reason, String text) {
    super("handshake", reason.number(), reason.name(), text);
    this.reason = reason;
  }

  /** Which check it failed. */
  public HandshakeRejection.Code reason() {
    return reason;
  }

  /** The private data to reject the peer with, so that it is told why. */
  public Buffer toPrivateData() {
    return Buffer.buffer(HandshakeRejection.of(reason, getMessage()).encode());
  }
}
