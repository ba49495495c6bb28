package io.vertxrdma.cm;

/** What drives a connection from this side, next to the events of the CM. */
public enum Stimulus {
  /** The application or the driver of the attempt starts address resolution. */
  RESOLVE_ADDRESS,
  /** Route resolution starts. */
  RESOLVE_ROUTE,
  /** The request is sent. */
  CONNECT,
  /** The application accepts the request. */
  ACCEPT,
  /** The application rejects the request. */
  REJECT,
  /** The application closes, or disposes of the attempt. */
  CLOSE,
  /** The deadline of the present step, or of everything, has passed. */
  DEADLINE,
  /**
   * A native call of this connection was refused, or a work request failed in a way that broke the
   * queue pair.
   */
  LOCAL_FAILURE
}
