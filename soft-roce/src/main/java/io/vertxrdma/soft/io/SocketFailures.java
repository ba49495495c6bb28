package io.vertxrdma.soft.io;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.RdmaException;
import java.net.InetAddress;

/** Turns what a UDP socket says into the exceptions of this library. */
final class SocketFailures {
  private static final String OPERATION = "bind";

  private SocketFailures() {}

  /** Why a socket could not be bound. Netty's transports agree on nothing but the text. */
  static RdmaException ofBind(Throwable cause, InetAddress address, int port) {
    String text = String.valueOf(cause.getMessage());
    for (Errno errno : Errno.values()) {
      if (text.contains(errno.text())) {
        AddressException failure = of(errno, address, port);
        failure.initCause(cause);
        return failure;
      }
    }
    RdmaException failure =
        new RdmaException(OPERATION, 0, "", OPERATION + " (" + at(address, port) + "): " + cause);
    failure.initCause(cause);
    return failure;
  }

  static AddressException of(Errno errno, InetAddress address, int port) {
    String message =
        OPERATION
            + " ("
            + at(address, port)
            + "): "
            + errno.text()
            + " ["
            + errno.name()
            + ", errno "
            + errno.number()
            + "]";
    if (errno == Errno.EADDRINUSE) {
      return new AddressInUseException(
          OPERATION,
          errno.number(),
          errno.name(),
          message
              + ". Usually the kernel's own RoCE driver (rdma_rxe) has the port on all addresses:"
              + " then use the native provider, or another network namespace. If another process, or"
              + " another Vert.x instance of this one, has a soft device on this address, use another"
              + " address; on one host all of 127.0.0.0/8 will do. Several Vert.x instances of one"
              + " process can also share one SoftProvider, with setOwnEventLoop(true)");
    }
    return new AddressException(OPERATION, errno.number(), errno.name(), message);
  }

  private static String at(InetAddress address, int port) {
    return "udp " + address.getHostAddress() + (port == 0 ? "" : " port " + port);
  }
}
