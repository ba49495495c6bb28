package io.vertxrdma.reactive.impl;

import io.vertxrdma.cm.HandshakeRejection;
import io.vertxrdma.cm.HandshakeRejection.Code;

/** What a server tells the peers that it rejects by itself. */
final class Refusals {

  /** It takes no new connections any more. */
  static final HandshakeRejection SHUTTING_DOWN =
      HandshakeRejection.of(Code.SHUTTING_DOWN, "the server is shutting down");

  private Refusals() {}

  /** As many requests wait for an answer as may. */
  static HandshakeRejection busy(int waiting) {
    return HandshakeRejection.of(
        Code.BUSY, "the server is busy: " + waiting + " requests wait for an answer already");
  }
}
