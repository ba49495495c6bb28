package io.vertxrdma.soft.transport;

import io.vertxrdma.core.WorkCompletionStatus;

/** The numbers of {@link WorkCompletionStatus} that the transport gives out. */
final class Status {
  static final int SUCCESS = 0;
  static final int LOCAL_LENGTH = 1;
  static final int LOCAL_OPERATION = 2;
  static final int LOCAL_PROTECTION = 4;
  static final int FLUSHED = 5;
  static final int REMOTE_INVALID_REQUEST = 9;
  static final int REMOTE_ACCESS = 10;
  static final int REMOTE_OPERATION = 11;
  static final int RETRY_EXCEEDED = 12;
  static final int RNR_RETRY_EXCEEDED = 13;

  private Status() {}
}
