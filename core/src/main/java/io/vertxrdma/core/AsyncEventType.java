package io.vertxrdma.core;

/** Asynchronous event types ({@code enum ibv_event_type}). */
public enum AsyncEventType {
  /** A completion queue overran. */
  CQ_ERR,
  /** A queue pair is in error. */
  QP_FATAL,
  /** A queue pair got an invalid request. */
  QP_REQ_ERR,
  /** A queue pair saw a local access violation. */
  QP_ACCESS_ERR,
  /** Data came before the connection was established. */
  COMM_EST,
  /** A send queue is drained. */
  SQ_DRAINED,
  /** A connection moved to its alternate path. */
  PATH_MIG,
  /** A connection could not move. */
  PATH_MIG_ERR,
  /** The device failed. */
  DEVICE_FATAL,
  /** A port came up. */
  PORT_ACTIVE,
  /** A port went down. */
  PORT_ERR,
  /** A LID changed. */
  LID_CHANGE,
  /** A P_Key table changed. */
  PKEY_CHANGE,
  /** The subnet manager changed. */
  SM_CHANGE,
  /** A shared receive queue failed. */
  SRQ_ERR,
  /** A shared receive queue fell below its limit. */
  SRQ_LIMIT_REACHED,
  /** A queue pair in error took its last receive from a shared queue. */
  QP_LAST_WQE_REACHED,
  /** The subnet manager wants a re-registration. */
  CLIENT_REREGISTER,
  /** A GID table changed. */
  GID_CHANGE,
  /** A work queue failed. */
  WQ_FATAL,
  /** A number without a name. */
  UNKNOWN;

  private static final AsyncEventType[] ALL = values();

  /** The type of a native number, {@link #UNKNOWN} for numbers without a name. */
  public static AsyncEventType of(int code) {
    return code >= 0 && code < UNKNOWN.ordinal() ? ALL[code] : UNKNOWN;
  }
}
