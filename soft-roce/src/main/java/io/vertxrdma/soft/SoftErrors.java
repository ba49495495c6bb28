package io.vertxrdma.soft;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Makes the exceptions the native provider would throw, with what is to be done about them. */
final class SoftErrors {

  private SoftErrors() {}

  static RdmaException of(String operation, Errno errno, String about) {
    return RdmaException.ofErrno(operation, errno.number(), about);
  }

  static RdmaException invalid(String operation, String about) {
    return of(operation, Errno.EINVAL, about);
  }

  /** The address in the form people write it. */
  static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }

  /** An operation that failed because of an address. */
  static RdmaException address(
      String operation, Errno errno, InetSocketAddress address, String hint) {
    String message =
        RdmaException.ofErrno(operation, errno.number(), text(address)).getMessage()
            + (hint.isEmpty() ? "" : "; " + hint);
    return switch (errno) {
      case EADDRINUSE ->
          new AddressInUseException(operation, errno.number(), errno.name(), message);
      case EADDRNOTAVAIL, ENODEV, ENETUNREACH, EAFNOSUPPORT ->
          new AddressException(operation, errno.number(), errno.name(), message);
      default -> new RdmaException(operation, errno.number(), errno.name(), message);
    };
  }

  /** A port the table refuses. Where the kernel says EADDRNOTAVAIL for a port, it is taken. */
  static RdmaException port(String operation, Errno errno, InetSocketAddress address) {
    if (errno == Errno.EADDRNOTAVAIL && address.getPort() != 0) {
      return new AddressInUseException(
          operation,
          errno.number(),
          errno.name(),
          RdmaException.ofErrno(operation, errno.number(), text(address)).getMessage()
              + "; "
              + Errno.EADDRINUSE.text());
    }
    return address(operation, errno, address, "");
  }

  /** The wildcard address of the same family. */
  static InetAddress wildcardLike(InetAddress address) {
    try {
      return InetAddress.getByAddress(new byte[address.getAddress().length]);
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("4 and 16 bytes always are an address", impossible);
    }
  }

  static String notAllowed(InetAddress address) {
    return "the soft provider has no device on address "
        + address.getHostAddress()
        + ": only loopback addresses are used unless the system property "
        + SoftProviderOptions.ADDRESSES_PROPERTY
        + " lists others";
  }
}
