package io.vertxrdma.tools.selftest;

/**
 * How a check ended.
 *
 * @param check its name
 * @param result how it ended
 * @param micros how long the check itself took, without connecting and closing unless that is what
 *     it checks
 * @param detail why it did not end well; "" when it did
 */
record Outcome(String check, Result result, long micros, String detail) {

  /** The ways to end. */
  enum Result {
    /** All was as it should be. */
    OK,
    /** Something was not, or took too long. */
    FAIL,
    /** The device is not made for it. */
    SKIP
  }
}
