package io.vertxrdma.core;

/** Asynchronous event types ({@code enum ibv_event_type}). */
public enum AsyncEventType {
  /** A completion queue overran. */
  CQ_ERR("the completion queue overran"),
  /** A queue pair is in error. */
  QP_FATAL("the queue pair failed"),
  /** A queue pair got an invalid request. */
  QP_REQ_ERR("the queue pair got an invalid request"),
  /** A queue pair saw a local access violation. */
  QP_ACCESS_ERR("the queue pair saw an access violation"),
  /** Data came before the connection was established. */
  COMM_EST("data came before the connection was established"),
  /** A send queue is drained. */
  SQ_DRAINED("the send queue is drained"),
  /** A connection moved to its alternate path. */
  PATH_MIG("the connection moved to its alternate path"),
  /** A connection could not move. */
  PATH_MIG_ERR("the connection could not move to its alternate path"),
  /** The device failed. */
  DEVICE_FATAL("the device failed"),
  /** A port came up. */
  PORT_ACTIVE("the port is up"),
  /** A port went down. */
  PORT_ERR("the port is down"),
  /** A LID changed. */
  LID_CHANGE("the LID changed"),
  /** A P_Key table changed. */
  PKEY_CHANGE("the P_Key table changed"),
  /** The subnet manager changed. */
  SM_CHANGE("the subnet manager changed"),
  /** A shared receive queue failed. */
  SRQ_ERR("the shared receive queue failed"),
  /** A shared receive queue fell below its limit. */
  SRQ_LIMIT_REACHED("the shared receive queue fell below its limit"),
  /** A queue pair in error took its last receive from a shared queue. */
  QP_LAST_WQE_REACHED("the queue pair took its last receive from a shared queue"),
  /** The subnet manager wants a re-registration. */
  CLIENT_REREGISTER("the subnet manager wants a re-registration"),
  /** A GID table changed. */
  GID_CHANGE("the GID table changed"),
  /** A work queue failed. */
  WQ_FATAL("the work queue failed"),
  /** A number without a name. */
  UNKNOWN("an event without a name");

  /** The call that reads the events; the operation of failures they lead to. */
  static final String OPERATION = "ibv_get_async_event";

  private static final AsyncEventType[] ALL = values();

  private final String text;

  AsyncEventType(String text) {
    this.text = text;
  }

  /** In words, for example {@code the port is down}. */
  public String text() {
    return text;
  }

  /** The name in C, for example {@code IBV_EVENT_PORT_ERR}. */
  public String nativeName() {
    return "IBV_EVENT_" + name();
  }

  /** The type of a native number, {@link #UNKNOWN} for numbers without a name. */
  public static AsyncEventType of(int code) {
    return code >= 0 && code < UNKNOWN.ordinal() ? ALL[code] : UNKNOWN;
  }
}
