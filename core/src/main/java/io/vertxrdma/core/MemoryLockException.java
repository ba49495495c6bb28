package io.vertxrdma.core;

/** Memory could not be pinned because of the locked memory limit (RLIMIT_MEMLOCK). */
public class MemoryLockException extends RdmaException {

  /**
   * Makes the exception; for the parameters see {@link RdmaException}.
   *
   * @param operation what was tried
   * @param code the raw number
   * @param symbol its symbolic name
   * @param message the whole message
   */
  public MemoryLockException(String operation, int code, String symbol, String message) {
    super(operation, code, symbol, message);
  }
}
