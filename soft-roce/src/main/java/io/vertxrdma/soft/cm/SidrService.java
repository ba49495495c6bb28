package io.vertxrdma.soft.cm;

import io.vertxrdma.core.PortSpace;
import io.vertxrdma.soft.SoftCounters.Name;
import io.vertxrdma.soft.wire.CmSidrRep;
import io.vertxrdma.soft.wire.CmSidrReq;
import io.vertxrdma.soft.wire.CmaHeader;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Mad;
import io.vertxrdma.soft.wire.ServiceId;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Service id resolution: finds the queue pairs of datagram services, ours and the peers'. */
public final class SidrService {

  private static final byte[] NO_DATA = {};

  /** A request of a peer: its number counts together with its address. */
  private record Key(InetAddress source, int requestId) {}

  private final CmAgent agent;
  private final CmDirectory directory;
  private final Map<Integer, SidrLookup> lookups = new HashMap<>();
  private final Map<Key, SidrRequest> requests = new HashMap<>();

  SidrService(CmAgent agent, CmDirectory directory) {
    this.agent = agent;
    this.directory = directory;
  }

  /** Asks a peer for the queue pair behind a service. */
  public SidrLookup lookup(
      InetAddress peer, long serviceId, byte[] privateData, SidrLookup.User user) {
    int id = agent.nextId();
    SidrLookup lookup = new SidrLookup(agent, id, peer, user);
    lookups.put(id, lookup);
    lookup.start(
        new Mad(
            agent.nextTransactionId(),
            new CmSidrReq(id, Headers.DEFAULT_PKEY, serviceId, privateData)));
    return lookup;
  }

  void replyArrived(InetAddress source, CmSidrRep reply) {
    SidrLookup lookup = lookups.get(reply.requestId());
    if (lookup == null || !lookup.peer().equals(source)) {
      agent.countStranger();
      return;
    }
    lookup.replyArrived(reply);
  }

  void requestArrived(InetAddress source, long transactionId, CmSidrReq request) {
    Key key = new Key(source, request.requestId());
    if (requests.containsKey(key)) {
      agent.countDuplicate();
      return;
    }
    int number = ServiceId.port(request.serviceId(), PortSpace.UDP);
    CmListener listener =
        number < 0 ? null : directory.listener(PortSpace.UDP, number, agent.port().localAddress());
    CmaHeader header = CmaHeader.read(request.privateData());
    boolean wrongAddress =
        header == null || !header.destinationAddress().equals(agent.port().localAddress());
    if (listener == null || wrongAddress) {
      int status = listener == null ? CmSidrRep.STATUS_UNSUPPORTED : CmSidrRep.STATUS_REJECTED;
      agent.send(
          source,
          transactionId,
          new CmSidrRep(request.requestId(), status, 0, request.serviceId(), 0, NO_DATA));
      return;
    }
    if (!agent.halfOpen().hasRoom(listener, source)) {
      agent.port().counters().increment(Name.DROP_BACKLOG);
      return;
    }
    SidrRequest arrived = new SidrRequest(agent, source, transactionId, request, listener);
    requests.put(key, arrived);
    agent.halfOpen().add(listener, source);
    if (!listener.requested(arrived, request, header)) {
      agent.port().counters().increment(Name.DROP_BACKLOG);
      arrived.forget();
    }
  }

  void ended(SidrRequest request) {
    requests.remove(new Key(request.peer(), request.request().requestId()));
    agent.halfOpen().remove(request.listener(), request.peer());
  }

  void ended(SidrLookup lookup) {
    lookups.remove(lookup.id());
  }

  /** Lookups and requests that wait for an answer. */
  int pending() {
    return lookups.size() + requests.size();
  }

  void close() {
    List.copyOf(lookups.values()).forEach(SidrLookup::cancel);
    List.copyOf(requests.values()).forEach(SidrRequest::forget);
  }
}
