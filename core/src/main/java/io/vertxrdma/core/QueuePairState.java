package io.vertxrdma.core;

/** States of a queue pair ({@code enum ibv_qp_state}). */
public enum QueuePairState {
  /** Created. */
  RESET,
  /** Receives may be posted. */
  INIT,
  /** Ready to receive. */
  RTR,
  /** Ready to send. */
  RTS,
  /** Send queue drained. */
  SQD,
  /** Send queue error. */
  SQE,
  /** Error: everything is flushed. */
  ERR,
  /** A number without a name. */
  UNKNOWN;

  /** The state of a native number. */
  public static QueuePairState of(int code) {
    return code >= 0 && code < UNKNOWN.ordinal() ? values()[code] : UNKNOWN;
  }
}
