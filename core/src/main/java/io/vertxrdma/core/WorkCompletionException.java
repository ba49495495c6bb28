package io.vertxrdma.core;

/** A work request completed with another status than success. */
public class WorkCompletionException extends RdmaException {

  private final WorkCompletionStatus status;
  private final int vendorError;

  /** Makes the exception of a completion's raw status and vendor error. */
  public WorkCompletionException(String operation, int rawStatus, int vendorError) {
    super(
        operation,
        rawStatus,
        "IBV_WC_" + WorkCompletionStatus.of(rawStatus),
        operation
            + ": "
            + WorkCompletionStatus.of(rawStatus).text()
            + " ("
            + rawStatus
            + "), vendor err 0x"
            + Integer.toHexString(vendorError));
    this.status = WorkCompletionStatus.of(rawStatus);
    this.vendorError = vendorError;
  }

  /** Makes the right subclass for a status. */
  public static WorkCompletionException of(String operation, int rawStatus, int vendorError) {
    return rawStatus == WorkCompletionStatus.WR_FLUSH_ERR.ordinal()
        ? new FlushedException(operation, vendorError)
        : new WorkCompletionException(operation, rawStatus, vendorError);
  }

  /** The status. */
  public WorkCompletionStatus status() {
    return status;
  }

  /** The device's own code. */
  public int vendorError() {
    return vendorError;
  }
}
