package io.vertxrdma.tools.selftest;

import io.vertx.core.Future;

/**
 * One thing that must work.
 *
 * @param name what it is, for the report; 46 characters at most
 * @param procedure how it is tried
 */
record Check(String name, Procedure procedure) {

  /** The longest name: what a line has room for. */
  static final int LONGEST_NAME = 46;

  /** Checks the name. */
  Check {
    if (name.isBlank() || name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException("a check needs a name of 1..46 characters: " + name);
    }
  }

  /** Tries it; on the trial's event loop. */
  @FunctionalInterface
  interface Procedure {

    /**
     * The future fails when it does not work: with {@link Mismatch} when something else came than
     * was meant to, with {@link NotPossible} when the device is not made for it.
     */
    Future<Void> run(Trial trial);
  }
}
