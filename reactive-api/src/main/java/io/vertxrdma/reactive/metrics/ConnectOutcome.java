package io.vertxrdma.reactive.metrics;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.DeviceRemovedException;
import io.vertxrdma.core.UnreachableException;

/** How an attempt to connect, or to accept, ended. */
public enum ConnectOutcome {
  /** The connection stands. */
  ESTABLISHED,
  /** The peer, or its connection manager, said no; for an accept: this side did. */
  REJECTED,
  /** No device, no route, no such host. */
  ADDRESS_ERROR,
  /** The peer did not answer. */
  UNREACHABLE,
  /** The attempt took too long. */
  TIMED_OUT,
  /** Given up by either side before the connection stood. */
  CLOSED,
  /** The device went away. */
  DEVICE_REMOVED,
  /** Anything else. */
  FAILED;

  /** The outcome of an attempt that ended with that failure, or without one. */
  public static ConnectOutcome of(Throwable failure) {
    if (failure == null) {
      return ESTABLISHED;
    }
    if (failure instanceof ConnectionRejectedException) {
      return REJECTED;
    }
    if (failure instanceof AddressException) {
      return ADDRESS_ERROR;
    }
    if (failure instanceof UnreachableException) {
      return UNREACHABLE;
    }
    if (failure instanceof ConnectTimeoutException) {
      return TIMED_OUT;
    }
    if (failure instanceof ConnectionClosedException) {
      return CLOSED;
    }
    return failure instanceof DeviceRemovedException ? DEVICE_REMOVED : FAILED;
  }
}
