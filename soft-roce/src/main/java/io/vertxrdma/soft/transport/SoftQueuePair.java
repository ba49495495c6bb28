package io.vertxrdma.soft.transport;

import io.vertxrdma.core.AsyncEventType;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairAttributes;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.soft.SoftCounters;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A queue pair of a soft device: its queues, its state, and the halves of the transport that work
 * on them.
 */
public final class SoftQueuePair extends SoftObject implements QueuePair {

  static final String KIND = "queue pairs";

  final SoftProtectionDomain domain;
  final int qpn;
  final SoftCompletionQueue receiveQueue;
  private final SoftCompletionQueue sendQueue;
  private final SoftSharedReceiveQueue shared;
  private final QueuePairType type;
  private final QueuePairCapabilities capabilities;
  private final boolean signalAll;
  private final Set<UseCount> used = new LinkedHashSet<>();
  private final SendQueue sends;
  private final ReceiveQueue receives;
  private final Requester requester;
  private final ResponseHandler responses;
  private final Responder responder;
  private final Datagrams datagrams;
  private QueuePairState state = QueuePairState.INIT;
  private ConnectionSetup setup;
  private int minRnrTimer;

  private SoftQueuePair(
      int number,
      SoftProtectionDomain pd,
      SoftCompletionQueue sendQueue,
      SoftCompletionQueue receiveQueue,
      SoftSharedReceiveQueue shared,
      QueuePairInit init) {
    super(pd.engine, "queue pair 0x" + Integer.toHexString(number));
    this.qpn = number;
    this.domain = pd;
    this.sendQueue = sendQueue;
    this.receiveQueue = receiveQueue;
    this.shared = shared;
    this.type = init.type();
    this.capabilities = init.capabilities();
    this.signalAll = init.signalAll();
    this.sends = new SendQueue(capabilities.maxSendWorkRequests());
    this.receives =
        shared == null ? new ReceiveQueue(capabilities.maxReceiveWorkRequests()) : shared.queue;
    this.requester = new Requester(this, sends);
    this.responses = new ResponseHandler(this, requester);
    this.responder = new Responder(this);
    this.datagrams = new Datagrams(this);
  }

  /** Called under the lock. */
  static SoftQueuePair create(Engine engine, SoftProtectionDomain pd, QueuePairInit init) {
    SoftCompletionQueue sendQueue = engine.own(SoftCompletionQueue.class, init.sendQueue());
    SoftCompletionQueue receiveQueue = engine.own(SoftCompletionQueue.class, init.receiveQueue());
    SoftSharedReceiveQueue shared =
        init.sharedReceiveQueue() == null
            ? null
            : engine.own(SoftSharedReceiveQueue.class, init.sharedReceiveQueue());
    Set<UseCount> used = new LinkedHashSet<>(List.of(pd.users, sendQueue.users));
    used.add(receiveQueue.users);
    if (shared != null) {
      used.add(shared.users);
    }
    used.forEach(UseCount::requireOpen);
    CapabilityLimits.check(engine, init);
    SoftQueuePair made =
        new SoftQueuePair(
            engine.allocateQueuePairNumber(), pd, sendQueue, receiveQueue, shared, init);
    used.forEach(users -> users.acquire(KIND));
    made.used.addAll(used);
    sendQueue.attach(made);
    receiveQueue.attach(made);
    engine.add(made);
    return made;
  }

  /**
   * Connects it: INIT to RTR to RTS.
   *
   * @throws RdmaException EINVAL, when it is not in INIT or not RC
   */
  public void connect(ConnectionSetup connection) {
    engine.enter();
    try {
      requireOpen();
      requireTransition(QueuePairType.RC);
      setup = connection;
      requester.connect(connection);
      responses.connect(connection);
      responder.connect(connection);
      state = QueuePairState.RTS;
    } finally {
      engine.leave();
    }
  }

  /**
   * Makes it ready for datagrams: INIT to RTR to RTS.
   *
   * @param queueKey the Q_Key that datagrams to it must carry
   * @throws RdmaException EINVAL, when it is not in INIT or not UD
   */
  public void activate(int queueKey) {
    engine.enter();
    try {
      requireOpen();
      requireTransition(QueuePairType.UD);
      datagrams.activate(queueKey);
      state = QueuePairState.RTS;
    } finally {
      engine.leave();
    }
  }

  private void requireTransition(QueuePairType wanted) {
    if (type != wanted || state != QueuePairState.INIT) {
      throw RdmaException.ofErrno(
          "ibv_modify_qp", Errno.EINVAL.number(), type + " in " + state + ", state=RTR");
    }
  }

  /** The present state. */
  public QueuePairState state() {
    engine.enter();
    try {
      return state;
    } finally {
      engine.leave();
    }
  }

  /** Whether packets flow; lock held. */
  boolean isReady() {
    return state == QueuePairState.RTS;
  }

  int minRnrTimer() {
    return minRnrTimer;
  }

  @Override
  public int number() {
    requireOpen();
    return qpn;
  }

  @Override
  public QueuePairType type() {
    return type;
  }

  @Override
  public QueuePairCapabilities capabilities() {
    return capabilities;
  }

  @Override
  public QueuePairAttributes query() {
    engine.enter();
    try {
      requireOpen();
      return setup == null
          ? new QueuePairAttributes(state, 0, 0, 0, 0, minRnrTimer, 0, 0, 0)
          : new QueuePairAttributes(
              state,
              setup.pathMtu(),
              setup.remoteQueuePairNumber(),
              setup.maxReadAtomic(),
              setup.maxDestinationReadAtomic(),
              minRnrTimer,
              setup.timeout(),
              setup.retryCount(),
              setup.rnrRetryCount());
    } finally {
      engine.leave();
    }
  }

  @Override
  public void setMinRnrTimer(int code) {
    if (code < 0 || code > 31) {
      throw new IllegalArgumentException("the RNR timer code must be 0..31, was " + code);
    }
    engine.enter();
    try {
      requireOpen();
      if (!isReady()) {
        throw RdmaException.ofErrno(
            "ibv_modify_qp", Errno.EINVAL.number(), "min_rnr_timer=" + code);
      }
      minRnrTimer = code;
    } finally {
      engine.leave();
    }
  }

  @Override
  public void toError() {
    engine.enter();
    try {
      requireOpen();
      breakOff();
    } finally {
      engine.leave();
    }
  }

  @Override
  public SendBatch allocateSendBatch(int capacity, int scatterGather) {
    requireOpen();
    return new SoftSendBatch(this, capacity, scatterGather);
  }

  @Override
  public ReceiveBatch allocateReceiveBatch(int capacity, int scatterGather) {
    requireOpen();
    return new SoftReceiveBatch(this, this::postReceive, capacity, scatterGather);
  }

  private int postReceive(SoftReceiveBatch batch, int index) {
    // In ERR it is taken and never flushed, as on rxe.
    return shared != null
        ? Errno.EINVAL.number()
        : batch.copyInto(receives, index, capabilities.maxReceiveScatterGather());
  }

  /** Posts one request of a batch; returns 0 or the errno of the refusal. */
  int postSend(SoftSendBatch batch, int index) {
    if (!isReady() && state != QueuePairState.ERR) {
      return Errno.EINVAL.number();
    }
    int errno = SendCheck.check(this, batch, index);
    if (errno != 0) {
      return errno;
    }
    if (sends.isFull()) {
      return Errno.ENOMEM.number();
    }
    SendRequest request = sends.append();
    batch.copyInto(request, index);
    if (request.is(SendFlag.INLINE)) {
      request.inline = request.memory.copy(engine.memory(), request.inline);
    }
    return 0;
  }

  /** Sends what was posted. */
  void transmit() {
    if (state == QueuePairState.ERR) {
      flushSends();
    } else if (type == QueuePairType.UD) {
      datagrams.transmit(sends);
    } else {
      requester.transmit();
    }
  }

  /** Takes a packet that is for this queue pair; lock held. */
  void receive(InetAddress source, InboundPacket packet, List<Responder> answering) {
    if (packet.isDatagram() != (type == QueuePairType.UD)) {
      drop(SoftCounters.Name.DROP_BAD_OPCODE);
    } else if (!isReady()) {
      drop(SoftCounters.Name.DROP_BAD_STATE);
    } else if (type == QueuePairType.UD) {
      datagrams.receive(source, packet);
    } else if (!source.equals(setup.remoteAddress())) {
      drop(SoftCounters.Name.DROP_BAD_SOURCE);
    } else if (packet.isResponse()) {
      responses.receive(packet);
    } else if (responder.receive(packet)) {
      answering.add(responder);
    }
  }

  private void drop(SoftCounters.Name reason) {
    engine.counters().increment(reason);
  }

  /** The receive that would be taken next, or null. */
  ReceiveRequest peekReceive() {
    return receives.peek();
  }

  /** Takes the next receive and keeps {@code spare} in its place; null when there is none. */
  ReceiveRequest takeReceive(ReceiveRequest spare) {
    if (receives.size() == 0) {
      return null;
    }
    ReceiveRequest taken = receives.take(spare);
    if (shared != null) {
      shared.taken();
    }
    return taken;
  }

  /** Completes a request that is no longer in the queue. */
  void complete(SendRequest request, int status) {
    if (status == Status.SUCCESS && request.isSend()) {
      engine.counters().increment(SoftCounters.Name.RDMA_SENDS);
    }
    if (status != Status.SUCCESS) {
      sendQueue.addFailed(request.workRequestId, status, qpn);
    } else if (signalAll || request.is(SendFlag.SIGNALED)) {
      sendQueue.add(
          request.workRequestId,
          status,
          request.completionOpcode(),
          (int) request.length,
          0,
          0,
          qpn,
          0);
    }
  }

  /** Fails the oldest request, and with it the queue pair. */
  void failOldest(int status) {
    fail(sends.head(), status);
  }

  /** Fails a request; those before and after it are flushed, and the queue pair is in error. */
  void fail(long number, int status) {
    while (sends.head() < number) {
      flushOldest(Status.FLUSHED);
    }
    flushOldest(status);
    breakOff();
  }

  private void flushOldest(int status) {
    SendRequest request = sends.at(sends.head());
    sends.removeHead();
    complete(request, status);
  }

  private void flushSends() {
    while (!sends.isEmpty()) {
      flushOldest(Status.FLUSHED);
    }
  }

  /** Goes to error unless it is there: flushes sends, then receives; lock held. */
  void breakOff() {
    if (state == QueuePairState.ERR || !isOpen()) {
      return;
    }
    state = QueuePairState.ERR;
    requester.retry().stop();
    flushSends();
    responder.stop();
    if (shared == null) {
      while (receives.size() > 0) {
        receiveQueue.addFailed(receives.peek().workRequestId, Status.FLUSHED, qpn);
        receives.take(receives.peek());
      }
    } else {
      engine.asyncQueue().add(AsyncEventType.QP_LAST_WQE_REACHED, this);
    }
  }

  /** Whether {@link #close()} was called. */
  public boolean isClosed() {
    return !isOpen();
  }

  @Override
  void destroy() {
    engine.remove(this);
    requester.retry().stop();
    state = QueuePairState.RESET;
    responder.abandon();
    engine.asyncQueue().forget(this);
    sendQueue.detach(this);
    receiveQueue.detach(this);
    used.forEach(users -> users.release(KIND));
  }
}
