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
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.core.UnreachableException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;

/**
 * Tells failures to connect that may go away by themselves from those that will not, and makes one
 * of several.
 */
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

  /** A host name that could not be resolved. */
  static AddressException ofName(String host, Throwable cause) {
    AddressException failure =
        new AddressException(
            "name lookup", 0, "", "can't resolve host " + host + ": " + cause.getMessage());
    failure.initCause(cause);
    return failure;
  }

  /**
   * What to tell when no address of a host worked.
   *
   * @param tried one or more
   * @param failures why, one for each
   */
  static Throwable summary(
      String host, List<InetSocketAddress> tried, List<? extends Throwable> failures) {
    if (failures.size() == 1) {
      return failures.get(0);
    }
    StringBuilder text = new StringBuilder("no address of " + host + " could be connected:");
    boolean addressesOnly = true;
    for (int i = 0; i < failures.size(); i++) {
      text.append(i == 0 ? " " : "; ")
          .append(Addresses.text(tried.get(i)))
          .append(": ")
          .append(failures.get(i).getMessage());
      addressesOnly &= failures.get(i) instanceof AddressException;
    }
    RdmaException all =
        addressesOnly
            ? new AddressException("rdma_connect", 0, "", text.toString())
            : new ConnectException("rdma_connect", 0, "", text.toString());
    failures.forEach(all::addSuppressed);
    return all;
  }
}
