package io.vertxrdma.systemtests.contract;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.UdParam;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;

/** A datagram service and those who look for it, driven by polling; closed in reverse order. */
@SuppressWarnings("try") // what is closed may say that it was interrupted
final class DatagramRig implements AutoCloseable {

  private final String address;
  private final Deque<AutoCloseable> closing = new ArrayDeque<>();
  private final CmEventChannel serverChannel;
  private final CmEventChannel clientChannel;
  final CmId listener;

  DatagramRig(RdmaProvider provider, String address) {
    this.address = address;
    this.serverChannel = closing(provider.createEventChannel());
    this.clientChannel = closing(provider.createEventChannel());
    this.listener = closing(serverChannel.createId(PortSpace.UDP));
    listener.bind(new InetSocketAddress(address, 0));
    listener.listen(8);
  }

  <T extends AutoCloseable> T closing(T made) {
    closing.push(made);
    return made;
  }

  static ConnParam data(byte... bytes) {
    return new ConnParam(bytes, 0, 0, 0, 0, 0, false, 0);
  }

  int port() {
    return listener.localAddress().getPort();
  }

  /** An end on an id that is only bound to the address. */
  DatagramEnd bound() {
    CmId id = closing(clientChannel.createId(PortSpace.UDP));
    id.bind(new InetSocketAddress(address, 0));
    return closing(new DatagramEnd(id));
  }

  /** An end that can ask for a service on that port. */
  DatagramEnd client(int port) {
    return closing(new DatagramEnd(resolved(port)));
  }

  /** An id that can ask for a service on that port, without a queue pair. */
  CmId resolved(int port) {
    CmId id = closing(clientChannel.createId(PortSpace.UDP));
    id.resolveAddress(null, new InetSocketAddress(address, port), 2000);
    nextOfClients(CmEventType.ADDR_RESOLVED);
    id.resolveRoute(2000);
    nextOfClients(CmEventType.ROUTE_RESOLVED);
    return id;
  }

  CmEvent nextOfClients(CmEventType type) {
    return SpiRig.nextEvent(clientChannel, type);
  }

  boolean isQuiet() {
    return serverChannel.poll() == null && clientChannel.poll() == null;
  }

  /** A request as the service sees it. */
  CmEvent request(DatagramEnd client, byte... privateData) {
    return request(client.id, privateData);
  }

  /** A request of an id that may have no queue pair. */
  CmEvent request(CmId client, byte... privateData) {
    client.connect(data(privateData));
    CmEvent request = SpiRig.nextEvent(serverChannel, CmEventType.CONNECT_REQUEST);
    closing(request.id());
    return request;
  }

  /** Two ends of which one knows the other. */
  record Pair(DatagramEnd client, DatagramEnd server, UdParam peer) {}

  Pair pair() {
    DatagramEnd client = client(port());
    DatagramEnd server = closing(new DatagramEnd(request(client).id()));
    server.id.accept(ConnParam.ZERO);
    return new Pair(client, server, nextOfClients(CmEventType.ESTABLISHED).udParam());
  }

  @Override
  public void close() throws Exception {
    while (!closing.isEmpty()) {
      closing.pop().close();
    }
  }
}
