package io.vertxrdma.demos.chat.web;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Which hosts and origins the page is served under, by what a browser says in its headers. */
final class Origins {

  private final Set<String> hosts = new TreeSet<>();
  private final boolean any;

  /**
   * Those of a page at an address; of all of them when that is a wildcard.
   *
   * @param address what the server is bound to
   * @param port likewise
   */
  Origins(String address, int port) {
    this.any = isWildcard(address);
    for (String name : List.of("localhost", "127.0.0.1", "[::1]", bracketed(address))) {
      hosts.add(name + ":" + port);
      if (port == 80) {
        hosts.add(name);
      }
    }
  }

  private static String bracketed(String address) {
    return address.contains(":") && !address.startsWith("[") ? "[" + address + "]" : address;
  }

  private static boolean isWildcard(String address) {
    try {
      return InetAddress.getByName(address).isAnyLocalAddress();
    } catch (UnknownHostException unknown) {
      return false;
    }
  }

  /** Whether a Host header names this page. */
  boolean isHost(String host) {
    return host != null && (any || hosts.contains(host.toLowerCase(Locale.ROOT)));
  }

  /**
   * Whether an Origin header is this page's own.
   *
   * @param host the Host header of the same request
   */
  boolean isOrigin(String origin, String host) {
    return isHost(host) && origin != null && origin.equalsIgnoreCase("http://" + host);
  }
}
