package io.vertxrdma.soft;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.soft.cm.CmConnection;
import io.vertxrdma.soft.cm.CmListener;
import io.vertxrdma.soft.cm.SidrRequest;
import io.vertxrdma.soft.wire.CmReq;
import io.vertxrdma.soft.wire.CmSidrReq;
import io.vertxrdma.soft.wire.CmaHeader;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A listening id: queues the requests that arrive, up to its backlog. */
final class SoftListener {

  /** The default of the kernel's sysctl net.rdma_ucm.max_backlog. */
  static final int MAX_BACKLOG = 1024;

  private final SoftCmId id;
  private final int port;
  private final int backlog;
  private final AtomicInteger unread = new AtomicInteger();

  SoftListener(SoftCmId id, int port, int backlog) {
    this.id = id;
    this.port = port;
    this.backlog = backlog < 1 || backlog > MAX_BACKLOG ? MAX_BACKLOG : backlog;
  }

  /** The listener as one of its devices sees it. */
  record OnDevice(SoftListener listener, SoftDevice device) implements CmListener {

    @Override
    public boolean requested(CmConnection connection, CmReq request, CmaHeader header) {
      return listener.enqueue(
          listener
          .new Request(
              device,
              header,
              PassiveConnection.parameters(request),
              () -> connection.destroy(),
              child -> {
                PassiveConnection made = new PassiveConnection(child, device, connection, request);
                connection.setUser(made);
                return made;
              }));
    }

    @Override
    public boolean requested(SidrRequest sidr, CmSidrReq request, CmaHeader header) {
      return listener.enqueue(
          listener
          .new Request(
              device,
              header,
              Conversation.dataOnly(CmaHeader.userData(request.privateData())),
              () -> sidr.reject(Conversation.NO_DATA),
              child -> new PassiveDatagram(child, device, sidr)));
    }
  }

  private boolean enqueue(Request request) {
    if (unread.incrementAndGet() > backlog) {
      unread.decrementAndGet();
      return false;
    }
    id.events().post(request.device, request);
    return true;
  }

  /** A request not read yet. */
  private final class Request extends PendingEvent {

    private final SoftDevice device;
    private final CmaHeader header;
    private final ConnParam parameters;
    private final Runnable refuse;
    private final Function<SoftCmId, Conversation> conversation;

    Request(
        SoftDevice device,
        CmaHeader header,
        ConnParam parameters,
        Runnable refuse,
        Function<SoftCmId, Conversation> conversation) {
      super(id);
      this.device = device;
      this.header = header;
      this.parameters = parameters;
      this.refuse = refuse;
      this.conversation = conversation;
    }

    @Override
    CmEvent read() {
      unread.decrementAndGet();
      CmEvent event = id.whileOpen(this::adopt);
      if (event == null) {
        refuse();
      }
      return event;
    }

    private CmEvent adopt() {
      if (!device.acquireIfOpen()) {
        return null;
      }
      SoftCmId child =
          new SoftCmId(
              id,
              device,
              new InetSocketAddress(device.address(), port),
              new InetSocketAddress(header.sourceAddress(), header.sourcePort()));
      device.engine().execute(() -> child.setConversation(conversation.apply(child)));
      return new CmEvent(CmEventType.CONNECT_REQUEST.code(), 0, 0, child, id, parameters);
    }

    @Override
    void drop() {
      unread.decrementAndGet();
      refuse();
    }

    private void refuse() {
      device.executeIfOpen(refuse);
    }
  }
}
