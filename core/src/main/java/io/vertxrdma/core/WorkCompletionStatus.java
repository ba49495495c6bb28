package io.vertxrdma.core;

/**
 * How a work request ended ({@code enum ibv_wc_status}, texts as ibv_wc_status_str(3) has them).
 */
public enum WorkCompletionStatus {
  /** Done. */
  SUCCESS("success"),
  /** A message longer than the buffer. */
  LOC_LEN_ERR("local length error"),
  /** An internal inconsistency of the queue pair. */
  LOC_QP_OP_ERR("local QP operation error"),
  /** Obsolete. */
  LOC_EEC_OP_ERR("local EE context operation error"),
  /** A local key that does not fit the memory or the right. */
  LOC_PROT_ERR("local protection error"),
  /** Not executed because the queue pair is in error; normal at close. */
  WR_FLUSH_ERR("Work Request Flushed Error"),
  /** A memory window could not be bound. */
  MW_BIND_ERR("memory bind operation error"),
  /** The peer answered with nonsense. */
  BAD_RESP_ERR("bad response error"),
  /** A local buffer was not accessible. */
  LOC_ACCESS_ERR("local access error"),
  /** The peer found the request invalid: size, opcode, or too many reads. */
  REM_INV_REQ_ERR("remote invalid request error"),
  /** The peer's memory refused: wrong key, bounds or right. */
  REM_ACCESS_ERR("remote access error"),
  /** The peer could not complete the request. */
  REM_OP_ERR("remote operation error"),
  /** No acknowledgement after all retries: the peer or the link is gone. */
  RETRY_EXC_ERR("transport retry counter exceeded"),
  /** The peer had no receive posted after all retries. */
  RNR_RETRY_EXC_ERR("RNR retry counter exceeded"),
  /** Obsolete. */
  LOC_RDD_VIOL_ERR("local RDD violation error"),
  /** Obsolete. */
  REM_INV_RD_REQ_ERR("remote invalid RD request"),
  /** The peer aborted. */
  REM_ABORT_ERR("aborted error"),
  /** Obsolete. */
  INV_EECN_ERR("invalid EE context number"),
  /** Obsolete. */
  INV_EEC_STATE_ERR("invalid EE context state"),
  /** The device is in trouble. */
  FATAL_ERR("fatal error"),
  /** No answer in time. */
  RESP_TIMEOUT_ERR("response timeout error"),
  /** Anything else. */
  GENERAL_ERR("general error"),
  /** Tag matching. */
  TM_ERR("TM error"),
  /** Tag matching. */
  TM_RNDV_INCOMPLETE("TM software rendezvous"),
  /** A number without a name. */
  UNKNOWN("unknown status");

  private static final WorkCompletionStatus[] ALL = values();

  private final String text;

  WorkCompletionStatus(String text) {
    this.text = text;
  }

  /** The text users search for. */
  public String text() {
    return text;
  }

  /** The status of a native number, {@link #UNKNOWN} for numbers without a name. */
  public static WorkCompletionStatus of(int code) {
    return code >= 0 && code < UNKNOWN.ordinal() ? ALL[code] : UNKNOWN;
  }
}
