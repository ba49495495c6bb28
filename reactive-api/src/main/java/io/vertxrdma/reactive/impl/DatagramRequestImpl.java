package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertxrdma.cm.CmFailures;
import io.vertxrdma.cm.HandshakeRejection;
import io.vertxrdma.cm.PrivateDataLimits;
import io.vertxrdma.cm.PrivateDataLimits.Operation;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.TransportType;
import io.vertxrdma.reactive.DatagramRequest;
import io.vertxrdma.reactive.ShutdownException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Who looks the socket up, until it is answered once; then its id is destroyed. */
final class DatagramRequestImpl implements DatagramRequest {

  private final DatagramListener listener;
  private final CmId id;
  private final TransportType transport;
  private final Buffer privateData;
  private final SocketAddress remoteAddress;
  private final AtomicReference<Answerer> answerer = new AtomicReference<>();

  /** Who has answered. */
  private enum Answerer {
    APPLICATION,
    SOCKET
  }

  DatagramRequestImpl(DatagramListener listener, CmId id, byte[] privateData) {
    this.listener = listener;
    this.id = id;
    this.transport = id.device().transport();
    this.privateData = Buffer.buffer(privateData);
    this.remoteAddress = Addresses.of(id.remoteAddress());
  }

  @Override
  public SocketAddress remoteAddress() {
    return remoteAddress;
  }

  @Override
  public Buffer privateData() {
    return privateData.copy();
  }

  @Override
  public boolean isAnswered() {
    return answerer.get() != null;
  }

  @Override
  public Future<Void> accept(Buffer data) {
    byte[] bytes = bytes(Operation.ACCEPT, data);
    return answer(
        given ->
            given.accept(new ConnParam(bytes, 0, 0, 0, 0, 0, false, listener.queuePairNumber())));
  }

  @Override
  public Future<Void> reject(Buffer data) {
    byte[] bytes = bytes(Operation.REJECT, data);
    return answer(given -> given.reject(bytes));
  }

  private byte[] bytes(Operation operation, Buffer data) {
    byte[] bytes = data == null ? null : data.getBytes();
    PrivateDataLimits.check(operation, transport, PortSpace.UDP, bytes);
    return bytes;
  }

  private Future<Void> answer(Consumer<CmId> call) {
    Answerer first = answerer.compareAndExchange(null, Answerer.APPLICATION);
    if (first == Answerer.APPLICATION) {
      throw new IllegalStateException("the request of " + remoteAddress + " was answered already");
    }
    if (first == Answerer.SOCKET) {
      return Future.failedFuture(
          new ShutdownException("rdma_accept", "the socket is closing, " + remoteAddress));
    }
    return listener.onLoop(() -> call(call));
  }

  private Future<Void> call(Consumer<CmId> call) {
    try {
      call.accept(id);
      return Future.succeededFuture();
    } catch (RdmaException refused) {
      return Future.failedFuture(CmFailures.ofCall(refused, remoteAddress.toString(), null));
    } finally {
      listener.answered(this, id);
    }
  }

  /** The socket answers for the application: it closes, or too many wait. On the loop. */
  void rejectUnanswered(HandshakeRejection reason) {
    if (answerer.compareAndSet(null, Answerer.SOCKET)) {
      call(given -> given.reject(reason.encode()));
    }
  }

  @Override
  public String toString() {
    return "DatagramRequest[" + remoteAddress + "]";
  }
}
