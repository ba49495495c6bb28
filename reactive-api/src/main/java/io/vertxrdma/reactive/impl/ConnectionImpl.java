package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.SocketAddress;
import io.vertxrdma.cm.Adjustment;
import io.vertxrdma.cm.CmEventHandler;
import io.vertxrdma.cm.CmFailures;
import io.vertxrdma.cm.ConnectionState;
import io.vertxrdma.cm.ConnectionStateMachine;
import io.vertxrdma.cm.DeviceLoop;
import io.vertxrdma.cm.NegotiatedParameters;
import io.vertxrdma.cm.Negotiation;
import io.vertxrdma.cm.Outcome;
import io.vertxrdma.cm.PeerOffer;
import io.vertxrdma.cm.Role;
import io.vertxrdma.cm.Stimulus;
import io.vertxrdma.cm.Transition;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnectException;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.QueuePairAttributes;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaMemory;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of one connection, from its id to its last signal: drives the state machine with events
 * and calls. Confined to the event loop, but for what {@link ConnectionApi} says.
 */
final class ConnectionImpl extends ConnectionApi implements CmEventHandler {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaConnection.class);

  private final LoopEndpoint endpoint;
  private final Role role;
  private final Promise<RdmaConnection> established;
  private final Promise<Void> closed;
  private CmId id;
  private volatile ConnectionState state;
  private volatile DeviceLoop device;
  private volatile MemoryImpl memory;
  private NegotiatedParameters negotiated;
  private Future<DataPath> building = Future.succeededFuture();
  private String about;
  private final Deadline deadline;
  private RdmaException callFailure;
  private final ConnectionEnd end;
  private Runnable onEnd = () -> {};
  private ActiveSteps steps;
  private Heartbeat heartbeat;
  private volatile Buffer peerPrivateData = Buffer.buffer();
  private volatile QueuePairAttributes attributes;
  private volatile SocketAddress localAddress;
  private volatile SocketAddress remoteAddress;

  /** What the one who connects does between the state machine's steps. */
  interface ActiveSteps {
    void addressResolved();

    void routeResolved();
  }

  ConnectionImpl(LoopEndpoint endpoint, Role role, String about) {
    super(endpoint, role);
    this.endpoint = endpoint;
    this.role = role;
    this.deadline = new Deadline(endpoint);
    this.about = about;
    this.state = role.initialState();
    this.established = endpoint.context().promise();
    this.closed = endpoint.context().promise();
    this.end = new ConnectionEnd(this, deadline);
    endpoint.track(this);
  }

  void setId(CmId id) {
    this.id = id;
    id.setAttachment(this);
  }

  void setSteps(ActiveSteps steps) {
    this.steps = steps;
  }

  /** Sets what runs once when the state machine reaches its end, before anything is torn down. */
  void onEnd(Runnable task) {
    this.onEnd = task;
  }

  CmId id() {
    return id;
  }

  ConnectionState state() {
    return state;
  }

  Future<RdmaConnection> established() {
    return established.future();
  }

  void setDevice(DeviceLoop device) {
    this.device = device;
    // Looked up here, on the loop: memory() is for any thread.
    this.memory = endpoint.memory(device);
  }

  DeviceLoop deviceLoop() {
    return device;
  }

  void setNegotiated(NegotiatedParameters negotiated) {
    this.negotiated = negotiated;
    meter().adjusted(negotiated.adjustments());
  }

  void setPeerPrivateData(byte[] bytes) {
    this.peerPrivateData = Buffer.buffer(bytes);
  }

  /** Reads the addresses off the id while it is there. */
  void captureAddresses() {
    localAddress = Addresses.of(id.localAddress());
    remoteAddress = Addresses.of(id.remoteAddress());
    if (remoteAddress != null) {
      about = remoteAddress.toString();
    }
  }

  String about() {
    return about;
  }

  @Override
  public void handle(CmEvent event) {
    endpoint.publish(event);
    if (event.type() == CmEventType.CONNECT_REQUEST) {
      return;
    }
    if (event.type() == CmEventType.ESTABLISHED && dataPath() == null) {
      // Of a connection manager that is ahead of us: nothing was connected or accepted yet.
      LOG.debug("{}: {} ignored, there is no queue pair", about, event);
      return;
    }
    apply(ConnectionStateMachine.next(state, event.type()), event);
  }

  /**
   * Feeds a call of this side to the state machine.
   *
   * @return true when the state machine says to make the native call
   */
  boolean stimulate(Stimulus stimulus) {
    Transition transition = ConnectionStateMachine.next(state, stimulus);
    apply(transition, null);
    return transition.outcome() == Outcome.PERFORM;
  }

  private void apply(Transition transition, CmEvent event) {
    ConnectionState before = state;
    state = transition.next();
    meter().moved(before, state);
    switch (transition.outcome()) {
      case PERFORM, ILLEGAL_CALL -> {}
      case IGNORE -> {
        if (event != null) {
          LOG.debug("{}: {} ignored {}", about, event, before.words());
        }
      }
      case PROCEED_TO_ROUTE -> steps.addressResolved();
      case PROCEED_TO_CONNECT -> steps.routeResolved();
      case ESTABLISHED -> establish(event);
      case DISCONNECT -> disconnect();
      case TIMED_OUT -> end(before, callFailure);
      case CLOSE_TIMED_OUT -> {
        LOG.warn(
            "{}: the peer did not answer the disconnect within {} ms; closing all the same",
            about,
            endpoint.options().getCloseTimeout());
        end(before, null);
      }
      case CLOSED, REJECT ->
          end(before, before.isAttempt() ? CmFailures.closed(before, role, about) : null);
      case DISCONNECTED_BY_PEER -> end(before, null);
      case FAIL, PEER_GONE, LOST, DEVICE_REMOVED ->
          end(before, event == null ? callFailure : CmFailures.of(event, role, about));
    }
  }

  /** A native call was refused, or a work request failed: ends the connection with it. */
  void fail(Throwable cause) {
    callFailure =
        cause instanceof RdmaException rdma
            ? CmFailures.ofCall(rdma, about, state.isAttempt() ? negotiated : null)
            : new ConnectException(role.operation(), 0, "", about + ": " + cause.getMessage());
    if (callFailure != cause && callFailure.getCause() == null) {
      callFailure.initCause(cause);
    }
    stimulate(Stimulus.LOCAL_FAILURE);
  }

  /** Starts the deadline of a step; replaces the one before. */
  void deadline(long millis) {
    deadline.start(
        millis,
        () -> {
          callFailure = CmFailures.timeout(state, role, millis, about);
          stimulate(Stimulus.DEADLINE);
        });
  }

  void cancelTimer() {
    deadline.cancel();
  }

  /** Builds the queue pair; whoever tears down waits for it. */
  Future<DataPath> build() {
    building =
        endpoint
            .receivePool(device)
            .compose(
                pool ->
                    DataPath.build(
                        device,
                        id,
                        endpoint.options(),
                        endpoint.nextGeneration(),
                        pool,
                        completionHandler()))
            .onSuccess(this::open);
    return building;
  }

  private void establish(CmEvent event) {
    cancelTimer();
    try {
      captureAddresses();
      if (role == Role.ACTIVE) {
        setPeerPrivateData(event.privateData());
        NegotiatedParameters asked = negotiated;
        negotiated = Negotiation.forReply(asked, PeerOffer.of(event));
        List<Adjustment> all = negotiated.adjustments();
        List<Adjustment> more = all.subList(asked.adjustments().size(), all.size());
        ConnectionLog.negotiated(about, more);
        ConnectionLog.warnings(about, negotiated.findings());
        meter().adjusted(more);
        meter().findings(negotiated.findings());
        dataPath().setRnrTimer(negotiated.minRnrTimer());
      }
      attributes = dataPath().queuePair().query();
    } catch (RdmaException refused) {
      fail(refused);
      return;
    }
    ConnectionLog.established(role, about, device.device(), dataPath(), negotiated, attributes);
    opened();
    meter().established(about);
    startHeartbeat();
    established.complete(this);
  }

  @Override
  ConnectionState connectionState() {
    return state;
  }

  @Override
  void transportFailed(RdmaException cause) {
    fail(cause);
  }

  private void startHeartbeat() {
    int interval = endpoint.options().getHeartbeatInterval();
    if (interval > 0) {
      heartbeat =
          new Heartbeat(endpoint.context(), dataPath().sends(), interval, this::heartbeatFailed);
      heartbeat.start();
    }
  }

  /** Its completion has ended the connection already; a refused post has not. */
  private void heartbeatFailed(RdmaException cause) {
    if (state == ConnectionState.ESTABLISHED) {
      fail(cause);
    }
  }

  private void stopHeartbeat() {
    if (heartbeat != null) {
      heartbeat.stop();
    }
  }

  @Override
  void responderFailed(RdmaException cause) {
    end.peerIsTold();
    fail(cause);
  }

  /** Closed by this side while established: say so to the peer, then wait for its answer. */
  private void disconnect() {
    stopHeartbeat();
    stopData(this::flushed);
    discardArrivals();
    deadline(endpoint.options().getCloseTimeout());
    disconnectNative();
  }

  /** Says so to the peer, or answers it. */
  void disconnectNative() {
    try {
      id.disconnect();
    } catch (RdmaException refused) {
      LOG.debug("{}: {}", about, refused.getMessage());
    }
  }

  private void end(ConnectionState before, Throwable cause) {
    cancelTimer();
    end.because(before, cause);
    onEnd.run();
    stopHeartbeat();
    stopData(this::flushed);
    end.begin();
  }

  @Override
  void batchDone() {
    end.check();
  }

  /** Queue pair and id are gone: tells whoever waits. */
  void released() {
    DataPath path = dataPath();
    if (path != null) {
      endData();
    }
    endpoint.untrack(this);
    Throwable failure = end.failure();
    meter().ended(about, failure, path);
    if (attributes == null) {
      established.tryFail(
          failure != null ? failure : CmFailures.closed(end.endedIn(), role, about));
      LOG.debug("{}: ended {}: {}", about, end.endedIn().words(), String.valueOf(failure));
    } else {
      LOG.info("{}: connection ended{}", about, failure == null ? "" : ": " + failure.getMessage());
    }
    finished(failure);
    closed.complete();
  }

  /** What the queue pair comes of, if there is to be one. */
  Future<DataPath> building() {
    return building;
  }

  /** Why the connection, or the attempt, is over; for calls that come too late. */
  @Override
  public RdmaException endReason() {
    return end.failure() instanceof RdmaException reason
        ? reason
        : new ConnectionClosedException(role.operation(), 0, "", about + ": the connection ended");
  }

  /** Closes as the endpoint does: rejects what is unanswered, disconnects what stands. */
  @Override
  Future<Void> closeOnLoop() {
    stimulate(Stimulus.CLOSE);
    return closed.future();
  }

  /** Rejects a request, with a word for the peer. */
  void rejectNative(byte[] data) {
    meter().rejected();
    try {
      id.reject(data);
    } catch (RdmaException refused) {
      // The peer has gone: there is nobody left to tell.
      LOG.debug("{}: {}", about, refused.getMessage());
    }
  }

  @Override
  public Future<Void> closed() {
    return closed.future();
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
    return device.device();
  }

  @Override
  public Buffer peerPrivateData() {
    return peerPrivateData.copy();
  }

  @Override
  public NegotiatedParameters negotiated() {
    return negotiated;
  }

  @Override
  public QueuePairAttributes queuePairAttributes() {
    return attributes;
  }

  @Override
  public int queuePairNumber() {
    return dataPath().number();
  }

  @Override
  public RdmaMemory memory() {
    return memoryImpl();
  }

  @Override
  MemoryImpl memoryImpl() {
    return memory;
  }

  LoopEndpoint endpoint() {
    return endpoint;
  }

  ContextInternal context() {
    return endpoint.context();
  }

  @Override
  public RdmaConnection closeHandler(Handler<Void> handler) {
    closed.future().onComplete(done -> handler.handle(null));
    return this;
  }

  @Override
  public String toString() {
    return "RdmaConnection[" + localAddress + " - " + remoteAddress + ", " + state + "]";
  }
}
