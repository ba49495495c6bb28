package io.vertxrdma.soft.cm;

import io.vertxrdma.soft.wire.CmReq;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The connections of a device by their numbers: ours, and those of the peers. A peer's number
 * counts together with the peer's address, so a stranger that knows it finds nothing.
 */
final class CmTables {

  /** A number in the name space of a peer's device. */
  private record Remote(InetAddress source, long guid, int number) {}

  private final Map<Integer, CmConnection> byLocalId = new HashMap<>();
  private final Map<Remote, CmConnection> byRemoteId = new HashMap<>();
  private final Map<Remote, CmConnection> byRemoteQpn = new HashMap<>();

  private final Consumer<Boolean> anyListener;

  /**
   * Makes empty tables.
   *
   * @param anyListener is told when there is a first connection, and when there is none any more
   */
  CmTables(Consumer<Boolean> anyListener) {
    this.anyListener = anyListener;
  }

  boolean isFree(int localId) {
    return !byLocalId.containsKey(localId);
  }

  void addLocal(CmConnection connection) {
    byLocalId.put(connection.localId(), connection);
    if (byLocalId.size() == 1) {
      anyListener.accept(true);
    }
  }

  /** Makes the connection known by the peer's numbers, for duplicates and stale ones. */
  void addRemote(CmConnection connection) {
    byRemoteId.put(remoteId(connection), connection);
    byRemoteQpn.put(remoteQpn(connection), connection);
  }

  /** The connection of our number if it is with that peer, else null. */
  CmConnection local(int localId, InetAddress source) {
    CmConnection found = byLocalId.get(localId);
    return found != null && found.peer().equals(source) ? found : null;
  }

  /** The connection of both numbers if it is with that peer, else null. */
  CmConnection exact(int localId, int remoteId, InetAddress source) {
    CmConnection found = local(localId, source);
    return found != null && found.remoteId() == remoteId ? found : null;
  }

  /** The connection a request made before, or null. */
  CmConnection ofRequest(InetAddress source, CmReq request) {
    return remote(source, request.localCaGuid(), request.localCommId());
  }

  CmConnection remote(InetAddress source, long guid, int remoteId) {
    return byRemoteId.get(new Remote(source, guid, remoteId));
  }

  /** The connection with that queue pair of a peer, or null. */
  CmConnection ofQueuePair(InetAddress source, long guid, int qpn) {
    return byRemoteQpn.get(new Remote(source, guid, qpn));
  }

  void remove(CmConnection connection) {
    removeLocal(connection);
    byRemoteId.remove(remoteId(connection), connection);
    byRemoteQpn.remove(remoteQpn(connection), connection);
  }

  void removeLocal(CmConnection connection) {
    if (byLocalId.remove(connection.localId(), connection) && byLocalId.isEmpty()) {
      anyListener.accept(false);
    }
  }

  /** All that can still get a message by our number. */
  List<CmConnection> all() {
    return List.copyOf(byLocalId.values());
  }

  /** Connections known by the peers' numbers, those in timewait included. */
  int remotes() {
    return byRemoteId.size();
  }

  private static Remote remoteId(CmConnection connection) {
    return new Remote(connection.peer(), connection.remoteGuid(), connection.remoteId());
  }

  private static Remote remoteQpn(CmConnection connection) {
    return new Remote(connection.peer(), connection.remoteGuid(), connection.remoteQpn());
  }
}
