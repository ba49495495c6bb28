package io.vertxrdma.cm;

import io.vertxrdma.core.ConnectionRejectedException;

/** The peer said no, and why: its reason was in the private data of the reject. */
public class HandshakeRejectedException extends ConnectionRejectedException {

  /**
   * Makes the exception from an event's status and private data.
   *
   * @param status as in {@link ConnectionRejectedException}
   * @param privateData what the peer sent along
   * @param rejection what it means
   */
  public HandshakeRejectedException(int status, byte[] privateData, HandshakeRejection rejection) {
    super(status, privateData, ": " + rejection);
  }

  /** The peer's reason. */
  public HandshakeRejection rejection() {
    return HandshakeRejection.decode(privateData()).orElseThrow();
  }
}
