package io.vertxrdma.soft.io;

import io.vertxrdma.soft.wire.IpPath;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * What is the same for all packets from and to one address, kept for the addresses seen last.
 * Bounded, because whoever sends us packets chooses the addresses. Event loop only.
 */
final class PeerPaths {
  static final int MAX = 1024;

  /** A peer's prepared headers in both directions, and where to send to. */
  record Peer(InetSocketAddress socket, IpPath from, IpPath to) {}

  private final InetAddress local;
  private final int port;
  private final Map<InetAddress, Peer> peers = new HashMap<>();

  PeerPaths(InetAddress local, int port) {
    this.local = local;
    this.port = port;
  }

  int size() {
    return peers.size();
  }

  /** The peer of an address of the local address's family. */
  Peer of(InetAddress address) {
    Peer peer = peers.get(address);
    if (peer == null) {
      if (peers.size() >= MAX) {
        peers.clear();
      }
      peer =
          new Peer(
              new InetSocketAddress(address, port),
              IpPath.of(address, local),
              IpPath.of(local, address));
      peers.put(address, peer);
    }
    return peer;
  }
}
