package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertxrdma.cm.CmEventHandler;
import io.vertxrdma.cm.CmFailures;
import io.vertxrdma.cm.HandshakeRejection;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.cm.Role;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.reactive.DatagramRequest;
import io.vertxrdma.reactive.RdmaDatagramOptions;
import io.vertxrdma.reactive.RdmaDatagramSocket;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers those who look a datagram socket up, or asks the application to. On the loop. */
final class DatagramListener implements CmEventHandler {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaDatagramSocket.class);
  private static final CmEventHandler OBSERVED_ONLY = event -> {};

  private final RdmaDatagramSocketImpl socket;
  private final RdmaDatagramOptions options;
  private final RdmaLoop loop;
  private final Handler<DatagramRequest> handler;
  private final CmId id;
  private final Set<DatagramRequestImpl> unanswered = new LinkedHashSet<>();
  private InetSocketAddress address;
  private boolean closed;

  /**
   * Makes its id.
   *
   * @param handler who answers, or null for everybody to be accepted
   */
  DatagramListener(
      RdmaDatagramSocketImpl socket,
      RdmaDatagramOptions options,
      RdmaLoop loop,
      Handler<DatagramRequest> handler) {
    this.socket = socket;
    this.options = options;
    this.loop = loop;
    this.handler = handler;
    this.id = loop.createId(PortSpace.UDP, this);
  }

  /** Listens; throws when that can't be. The queue pair is there. */
  InetSocketAddress listen(InetSocketAddress wanted) {
    socket.applyOptions(id);
    id.bind(wanted);
    socket.binding().checkDevice(id.device(), wanted.getAddress());
    address = id.localAddress();
    id.listen(Math.max(0, options.getBacklog()));
    address = id.localAddress();
    return address;
  }

  int queuePairNumber() {
    return socket.queuePairNumber();
  }

  /** Any thread. */
  <T> Future<T> onLoop(Supplier<Future<T>> task) {
    return socket.onLoop(task);
  }

  @Override
  public void handle(CmEvent event) {
    socket.publish(event);
    if (event.type() == CmEventType.CONNECT_REQUEST) {
      requested(event);
    } else if (!closed) {
      socket.fail(CmFailures.of(event, Role.PASSIVE, Addresses.text(address)));
    }
  }

  private void requested(CmEvent event) {
    event.id().setAttachment(OBSERVED_ONLY);
    DatagramRequestImpl request = new DatagramRequestImpl(this, event.id(), event.privateData());
    HandshakeRejection refusal = refusal();
    unanswered.add(request);
    if (refusal != null) {
      request.rejectUnanswered(refusal);
    } else if (handler != null) {
      socket.context().emit(request, handler);
    } else {
      request
          .accept()
          .onFailure(failed -> LOG.warn("{}: {}", request.remoteAddress(), failed.getMessage()));
    }
  }

  private HandshakeRejection refusal() {
    if (closed) {
      return Refusals.SHUTTING_DOWN;
    }
    if (unanswered.size() < options.getMaxPendingRequests()) {
      return null;
    }
    LOG.warn(
        "{}: a request is rejected, {} wait for an answer already",
        Addresses.text(address),
        unanswered.size());
    return Refusals.busy(unanswered.size());
  }

  /** The request needs its id no more. */
  void answered(DatagramRequestImpl request, CmId answered) {
    unanswered.remove(request);
    loop.destroy(answered);
  }

  /** Rejects those who wait, and listens no more. */
  Future<Void> close() {
    closed = true;
    List.copyOf(unanswered).forEach(request -> request.rejectUnanswered(Refusals.SHUTTING_DOWN));
    return loop.destroy(id);
  }
}
