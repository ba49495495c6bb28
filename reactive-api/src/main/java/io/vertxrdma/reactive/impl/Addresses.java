package io.vertxrdma.reactive.impl;

import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;

/** Turns socket addresses of the JDK into those of Vert.x. */
final class Addresses {

  private Addresses() {}

  static SocketAddress of(InetSocketAddress address) {
    return address == null ? null : SocketAddress.inetSocketAddress(address);
  }

  /** For messages: {@code 10.0.0.1:18515}, without a name lookup. */
  static String text(InetSocketAddress address) {
    if (address == null) {
      return "";
    }
    return (address.isUnresolved()
            ? address.getHostString()
            : address.getAddress().getHostAddress())
        + ':'
        + address.getPort();
  }
}
