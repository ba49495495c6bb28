package io.vertxrdma.demos.logsync;

/** A connection ended too early: a reason to connect again, and to go on. */
final class LostConnection extends RuntimeException {

  LostConnection(String message) {
    super(message);
  }
}
