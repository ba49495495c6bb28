package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertxrdma.cm.AlignmentFinding;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.ConnectionState;
import io.vertxrdma.cm.DeviceLimits;
import io.vertxrdma.cm.DriverQuirks;
import io.vertxrdma.cm.HandshakeRejection;
import io.vertxrdma.cm.NegotiatedParameters;
import io.vertxrdma.cm.Negotiation;
import io.vertxrdma.cm.NegotiationException;
import io.vertxrdma.cm.PeerOffer;
import io.vertxrdma.cm.PrivateDataLimits;
import io.vertxrdma.cm.PrivateDataLimits.Operation;
import io.vertxrdma.cm.Stimulus;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaMemory;
import io.vertxrdma.reactive.ShutdownException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** A request of a peer, until it is answered once. */
final class ConnectRequestImpl implements ConnectRequest {

  private final RdmaServerImpl server;
  private final ConnectionImpl connection;
  private final ConnParam offered;
  private final PeerOffer announced;
  private final List<AlignmentFinding> alignment;
  private final Buffer privateData;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
  private final AtomicReference<Answerer> answerer = new AtomicReference<>();

  /** Who has answered. */
  private enum Answerer {
    APPLICATION,
    SERVER
  }

  /** Copies what the connection and its request event hold. */
  ConnectRequestImpl(
      RdmaServerImpl server,
      ConnectionImpl connection,
      ConnParam offered,
      List<AlignmentFinding> alignment) {
    this.server = server;
    this.connection = connection;
    this.offered = offered;
    this.announced = PeerOffer.of(offered);
    this.alignment = alignment;
    this.privateData = Buffer.buffer(offered.privateData());
    this.localAddress = connection.localAddress();
    this.remoteAddress = connection.remoteAddress();
  }

  @Override
  public Future<RdmaConnection> accept(Buffer data, ConnectionParameters parameters) {
    byte[] bytes = bytes(Operation.ACCEPT, data);
    NegotiatedParameters negotiated;
    try {
      negotiated = negotiate(parameters);
    } catch (NegotiationException tooMuch) {
      // Strict parameters refuse; the request can still be answered otherwise.
      return Future.failedFuture(tooMuch);
    }
    if (!answer()) {
      return Future.failedFuture(refusedByServer());
    }
    return connection.endpoint().onLoop(() -> acceptOnLoop(bytes, negotiated));
  }

  private NegotiatedParameters negotiate(ConnectionParameters parameters) {
    return Negotiation.forAccept(
        parameters == null ? server.options().getParameters() : parameters,
        DeviceLimits.of(device().attributes()),
        announced,
        DriverQuirks.forDriver(device().driver()));
  }

  private Future<RdmaConnection> acceptOnLoop(byte[] bytes, NegotiatedParameters negotiated) {
    if (server.isClosing()) {
      rejectFor(Refusals.SHUTTING_DOWN);
      return Future.failedFuture(refusedByServer());
    }
    if (!connection.stimulate(Stimulus.ACCEPT)) {
      return Future.failedFuture(connection.endReason());
    }
    server.accepted(this);
    connection.setNegotiated(negotiated);
    tell(negotiated, bytes);
    connection.deadline(server.serverOptions().getAcceptTimeout());
    Future<DataPath> building;
    try {
      server.applyAckTimeout(connection.id());
      building = connection.build();
    } catch (RuntimeException refused) {
      building = Future.failedFuture(refused);
    }
    building.onComplete(
        built -> {
          if (connection.state() != ConnectionState.ACCEPTING) {
            return;
          }
          if (built.failed()) {
            connection.fail(rejectedFor(built.cause()));
            return;
          }
          try {
            connection
                .id()
                .accept(negotiated.toConnParam(bytes, built.result().usesSharedReceiveQueue()));
          } catch (RdmaException refused) {
            connection.fail(refused);
            return;
          }
          built.result().setRnrTimer(negotiated.minRnrTimer());
        });
    return connection.established();
  }

  private void tell(NegotiatedParameters negotiated, byte[] bytes) {
    ConnectionLog.negotiated(connection.about(), negotiated.adjustments());
    List<AlignmentFinding> more = new ArrayList<>(negotiated.findings());
    more.removeAll(alignment);
    ConnectionLog.warnings(connection.about(), more);
    connection.meter().findings(more);
    ConnectionLog.sending(connection.about(), bytes);
  }

  /**
   * Rejects the peer for want of a queue pair. That it can't be rejected any more means that it has
   * gone, which is then also why: rdma_create_qp asks the kernel about the request, and EINVAL does
   * not say what was invalid.
   */
  private Throwable rejectedFor(Throwable cause) {
    try {
      connection.id().reject(null);
    } catch (RdmaException gone) {
      if (cause instanceof RdmaException refused && refused.code() == Errno.EINVAL.number()) {
        RdmaException typed =
            new ConnectionClosedException(
                refused.operation(),
                refused.code(),
                refused.symbol(),
                refused.getMessage()
                    + ": the peer gave up before it was accepted, "
                    + remoteAddress);
        typed.initCause(refused);
        return typed;
      }
    }
    return cause;
  }

  @Override
  public Future<Void> reject(Buffer data) {
    byte[] bytes = bytes(Operation.REJECT, data);
    // Also when the server was first: rejected is what it should be.
    answer();
    return connection
        .endpoint()
        .onLoop(
            () -> {
              if (connection.state() == ConnectionState.REQUESTED) {
                connection.stimulate(Stimulus.REJECT);
                connection.rejectNative(bytes);
              }
              return connection.closed();
            });
  }

  /** The server answers for the application: it closes, or too many wait. On the loop. */
  void rejectUnanswered(HandshakeRejection reason) {
    if (answerer.compareAndSet(null, Answerer.SERVER)) {
      rejectFor(reason);
    }
  }

  private void rejectFor(HandshakeRejection reason) {
    if (connection.state() == ConnectionState.REQUESTED) {
      connection.stimulate(Stimulus.REJECT);
      connection.rejectNative(reason.encode());
    }
  }

  private byte[] bytes(Operation operation, Buffer data) {
    byte[] bytes = data == null ? null : data.getBytes();
    PrivateDataLimits.check(operation, device().transport(), PortSpace.TCP, bytes);
    return bytes;
  }

  /**
   * Whether the application's answer is the first. The server's own can come before it at any
   * moment, so that is no mistake of the application; a second one of its own is.
   */
  private boolean answer() {
    Answerer first = answerer.compareAndExchange(null, Answerer.APPLICATION);
    if (first == Answerer.APPLICATION) {
      throw new IllegalStateException("the request of " + remoteAddress + " was answered already");
    }
    return first == null;
  }

  private ShutdownException refusedByServer() {
    return new ShutdownException("rdma_accept", "the server is shutting down, " + remoteAddress);
  }

  ConnectionImpl connection() {
    return connection;
  }

  @Override
  public boolean isAnswered() {
    return answerer.get() != null || connection.state() != ConnectionState.REQUESTED;
  }

  @Override
  public SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public SocketAddress remoteAddress() {
    return remoteAddress;
  }

  @Override
  public DeviceContext device() {
    return connection.device();
  }

  @Override
  public Buffer privateData() {
    return privateData.copy();
  }

  @Override
  public ConnParam offered() {
    return offered;
  }

  @Override
  public PeerOffer announced() {
    return announced;
  }

  @Override
  public List<AlignmentFinding> alignment() {
    return alignment;
  }

  @Override
  public RdmaMemory memory() {
    return connection.memory();
  }

  @Override
  public String toString() {
    return "ConnectRequest[" + remoteAddress + ", " + announced + "]";
  }
}
