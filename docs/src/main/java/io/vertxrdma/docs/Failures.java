package io.vertxrdma.docs;

import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;

/** The code of the chapter on troubleshooting. */
public final class Failures {

  private Failures() {}

  /** What a program can tell of a failure. */
  public static String advice(Throwable failure) {
    // tag::kinds[]
    if (failure instanceof ConnectionRejectedException rejected) {
      return rejected.reason() == RejectReason.INVALID_SERVICE_ID
          ? "nobody listens there"
          : "refused: " + RejectReason.text(rejected.reason());
    } else if (failure instanceof ConnectTimeoutException) {
      return "no answer: try again";
    } else if (failure instanceof FlushedException) {
      return "not done, since the connection ended: look for the first failure";
    } else if (failure instanceof WorkCompletionException completion) {
      return completion.status() == WorkCompletionStatus.RNR_RETRY_EXC_ERR
          ? "the peer had no receive"
          : "status " + completion.code() + ", " + completion.symbol();
    } else if (failure instanceof RdmaException other) {
      return other.operation() + " failed with " + other.code() + " " + other.symbol();
    }
    return failure.toString();
    // end::kinds[]
  }
}
