package io.vertxrdma.soft.cm;

/** States of a connection ({@code enum ib_cm_state}, without the alternate paths). */
public enum CmState {
  /** Over: rejected, timed out, or out of timewait. */
  IDLE,
  /** Active: REQ sent. */
  REQ_SENT,
  /** Passive: REQ received, the application has not answered. */
  REQ_RECEIVED,
  /** Passive: REP sent. */
  REP_SENT,
  /** Active: REP received, our queue pair is not ready yet. */
  REP_RECEIVED,
  /** The connection stands. */
  ESTABLISHED,
  /** We asked to disconnect. */
  DREQ_SENT,
  /** The peer asked to disconnect, we have not answered. */
  DREQ_RECEIVED,
  /** Over, but its numbers are not free yet. */
  TIMEWAIT
}
