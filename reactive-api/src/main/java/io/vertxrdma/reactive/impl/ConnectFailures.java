package io.vertxrdma.reactive.impl;

import io.vertxrdma.cm.HandshakeRejectedException;
import io.vertxrdma.cm.HandshakeRejection.Code;
import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.core.ConnectException;
import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.DeviceRemovedException;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.core.UnreachableException;
import java.util.Set;

/** Tells failures to connect that may go away by themselves from those that will not. */
public final class ConnectFailures {

  /** Reasons of a connection manager, not of an application, that another attempt may not meet. */
  private static final Set<Integer> PASSING =
      Set.of(
          RejectReason.NO_QUEUE_PAIR,
          RejectReason.NO_RESOURCES,
          RejectReason.TIMEOUT,
          RejectReason.INVALID_SERVICE_ID,
          RejectReason.STALE_CONNECTION);

  private ConnectFailures() {}

  /** See {@link io.vertxrdma.reactive.ReconnectPolicy#isTransient}. */
  public static boolean isTransient(Throwable failure) {
    if (failure instanceof HandshakeRejectedException told) {
      Code code = told.rejection().known().orElse(null);
      return code == Code.BUSY || code == Code.SHUTTING_DOWN;
    }
    if (failure instanceof ConnectionRejectedException rejected) {
      return PASSING.contains(rejected.reason()) || isRefusedByKernel(rejected);
    }
    if (failure instanceof AddressException) {
      // Of several addresses tried too. An address family without any support stays so.
      return ((AddressException) failure).code() != Errno.EAFNOSUPPORT.number()
          && ((AddressException) failure).code() != -Errno.EAFNOSUPPORT.number();
    }
    if (failure instanceof ConnectException several && several.getSuppressed().length > 0) {
      for (Throwable one : several.getSuppressed()) {
        if (isTransient(one)) {
          return true;
        }
      }
      return false;
    }
    if (failure instanceof ConnectException one) {
      // Negative: the status of RDMA_CM_EVENT_CONNECT_ERROR. Positive: a call that was refused.
      return one.code() < 0;
    }
    return failure instanceof UnreachableException
        || failure instanceof ConnectTimeoutException
        || failure instanceof DeviceRemovedException
        || failure instanceof ConnectionClosedException
        || failure instanceof AddressInUseException;
  }

  /** iWARP: nobody listens, or a reset; a rejection by an application comes with data. */
  private static boolean isRefusedByKernel(ConnectionRejectedException rejected) {
    return rejected.reason() < 0 && rejected.privateData().length == 0;
  }
}
