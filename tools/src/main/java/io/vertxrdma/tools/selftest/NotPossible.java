package io.vertxrdma.tools.selftest;

/** The device is not made for what a check tries; the message says which ability it lacks. */
final class NotPossible extends RuntimeException {

  NotPossible(String message) {
    super(message);
  }
}
