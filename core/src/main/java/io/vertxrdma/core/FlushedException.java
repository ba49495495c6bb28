package io.vertxrdma.core;

/** A work request was not executed because its queue pair had ended; normal at close. */
public class FlushedException extends WorkCompletionException {

  /** Makes the exception. */
  public FlushedException(String operation, int vendorError) {
    super(operation, WorkCompletionStatus.WR_FLUSH_ERR.ordinal(), vendorError);
  }
}
