package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertxrdma.cm.CompletionHandler;
import io.vertxrdma.cm.DeviceLoop;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.core.PortAttributes;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.reactive.DatagramCounters;
import io.vertxrdma.reactive.RdmaDatagramOptions;
import io.vertxrdma.reactive.RdmaDatagramSocket;
import io.vertxrdma.reactive.WorkRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data side of a datagram socket: its queue pair, what arrives, what is sent. On the loop, but
 * for what says otherwise.
 */
final class DatagramData implements CompletionHandler, OperationOwner {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaDatagramSocket.class);

  private final RdmaDatagramSocketImpl socket;
  private final LoopEndpoint endpoint;
  private final QueueMeter meter;
  private final DatagramQueue queue;
  private final Operations operations;
  private final Handler<Void> deliver;
  private final Promise<Void> drained;
  private volatile DataPath path;
  private volatile DatagramPeers peers;
  private volatile MemoryImpl memory;
  private volatile int maxDatagramSize;
  private volatile boolean open;
  private Teardown teardown;
  private boolean draining;
  private boolean inBatch;
  private boolean logging;
  private boolean exhaustionLogged;
  private long received;
  private long exhausted;

  DatagramData(RdmaDatagramSocketImpl socket) {
    this.socket = socket;
    this.endpoint = socket.home();
    this.meter = new QueueMeter(endpoint.options().getMetrics());
    this.queue = new DatagramQueue(socket, this::credited);
    this.operations = new Operations(endpoint, this, this::lookWhetherDrained);
    this.deliver = nothing -> queue.drain();
    this.drained = endpoint.context().promise();
  }

  DatagramQueue queue() {
    return queue;
  }

  Operations operations() {
    return operations;
  }

  /** Address handles; null before there is a queue pair. Any thread. */
  DatagramPeers peers() {
    return peers;
  }

  /** Memory to send from; null before there is a queue pair. Any thread. */
  MemoryImpl memory() {
    return memory;
  }

  /** Bytes of payload at most. Any thread. */
  int maxDatagramSize() {
    return maxDatagramSize;
  }

  /** Makes the queue pair of an id that knows its device, then posts its receives. */
  Future<Void> build(DeviceLoop device, CmId id, RdmaDatagramOptions options) {
    int port = id.port();
    PortAttributes attributes = device.device().queryPort(port);
    int payload = options.getReceiveBufferSize();
    int slotSize = GlobalRoutingHeader.LENGTH + (payload == 0 ? attributes.maxMtu() : payload);
    return DataPath.buildDatagrams(device, id, options, slotSize, endpoint.nextGeneration(), this)
        .compose(
            built -> {
              try {
                // Only now: what comes to a queue pair before it is known here would be lost.
                built.postReceives();
              } catch (RuntimeException refused) {
                return undo(built, id, refused);
              }
              maxDatagramSize = attributes.activeMtu();
              memory = endpoint.memory(device);
              peers = new DatagramPeers(device, port, options.getMaxSenders());
              queue.open(built, peers);
              path = built;
              open = true;
              built.sends().onFlush(() -> meter.sample(built));
              meter.peersSend();
              meter.sample(built);
              return Future.succeededFuture();
            });
  }

  private Future<Void> undo(DataPath built, CmId id, RuntimeException refused) {
    return endpoint
        .context()
        .executeBlocking(
            () -> {
              built.closeQueues();
              id.close();
              return null;
            },
            false)
        .transform(
            closed -> {
              built.release(this);
              return Future.failedFuture(refused);
            });
  }

  @Override
  public String kind() {
    return "datagram socket";
  }

  @Override
  public DataPath dataPath() {
    return path;
  }

  /** The data path of a socket that is bound. Any thread. */
  DataPath bound() {
    DataPath current = path;
    if (current == null) {
      throw new IllegalStateException(
          "the datagram socket has no queue pair yet: bind it, listen, or look up a service first");
    }
    return current;
  }

  @Override
  public void check(WorkRequest request) {
    operations.refuseClosed();
    DataPath current = bound();
    if (request.opcode() != SendOpcode.SEND && request.opcode() != SendOpcode.SEND_WITH_IMM) {
      throw new IllegalArgumentException(
          "a datagram can only be sent, with or without an immediate, not " + request.opcode());
    }
    if (request.length() > maxDatagramSize) {
      throw new IllegalArgumentException(
          "a datagram has at most "
              + maxDatagramSize
              + " bytes on "
              + current.deviceLoop().device().name()
              + ", the MTU of its port; this one has "
              + request.length());
    }
  }

  @Override
  public boolean isClosedLocally() {
    return socket.isClosed();
  }

  @Override
  public boolean isDraining() {
    return socket.isClosing();
  }

  @Override
  public boolean takesOperations() {
    return open;
  }

  @Override
  public RdmaException endReason() {
    return socket.failure() instanceof RdmaException reason ? reason : flushed();
  }

  private FlushedException flushed() {
    return new FlushedException("send at close", 0);
  }

  /** A datagram was released, or receives came back otherwise. */
  private void credited() {
    DataPath current = path;
    int errno = current.receives().refill();
    if (errno != 0) {
      socket.fail(RdmaException.ofErrno("ibv_post_recv", errno));
    }
    meter.sample(current);
  }

  @Override
  public void completion(WorkCompletions batch, int index) {
    long workRequestId = batch.workRequestId(index);
    if (path == null || !path.owns(workRequestId)) {
      // Left in the shared queue by an earlier queue pair of the same number.
      return;
    }
    if (!inBatch) {
      inBatch = true;
      logging = CompletionLog.isOn();
      path.sends().beginBatch();
    }
    if (logging) {
      CompletionLog.log(this, batch, index);
    }
    boolean receive = (workRequestId & Receives.RECEIVE_BIT) != 0;
    meter.completion(receive, batch.status(index));
    if (receive) {
      received(batch, index, workRequestId);
      return;
    }
    WorkCompletionException failure =
        path.sends().completed(workRequestId, batch.status(index), batch.vendorError(index));
    if (failure != null && open) {
      socket.fail(failure);
    }
  }

  private void received(WorkCompletions batch, int index, long workRequestId) {
    Receives receives = path.receives();
    boolean last = receives.consumed(workRequestId);
    int status = batch.status(index);
    if (status != WorkCompletionStatus.SUCCESS.ordinal()) {
      receives.freeMemory(workRequestId);
      if (open) {
        socket.fail(WorkCompletionException.of("receive", status, batch.vendorError(index)));
      }
      return;
    }
    if (last) {
      exhausted();
    }
    if (open
        && batch.opcode(index) == WorkCompletionOpcode.RECV
        && batch.byteLength(index) >= GlobalRoutingHeader.LENGTH) {
      received++;
      queue.push(batch, index);
    } else {
      receives.freeMemory(workRequestId);
      receives.credit(1);
    }
  }

  private void exhausted() {
    exhausted++;
    if (!exhaustionLogged) {
      exhaustionLogged = true;
      LOG.warn(
          "{}: all {} receives are used up, so the card drops what comes now; {} datagrams were not"
              + " handed over yet. Raise receiveDepth, or take and release what comes faster",
          this,
          path.receives().depth(),
          queue.size());
    }
  }

  @Override
  public boolean usesQueue(CompletionQueue completions) {
    return path != null && path.usesQueue(completions);
  }

  @Override
  public boolean usesQueuePair(QueuePair pair) {
    return path != null && path.queuePair() == pair;
  }

  @Override
  public void failed(RdmaException cause) {
    socket.fail(cause);
  }

  @Override
  public void batchEnd() {
    if (path == null) {
      return;
    }
    inBatch = false;
    endpoint.context().emit(null, deliver);
    credited();
    path.sends().endBatch();
    meter.batchEnd(path);
    if (teardown != null) {
      teardown.check();
    }
  }

  /** Completes once no send is under way; those that come now are refused already. */
  Future<Void> drained() {
    draining = true;
    lookWhetherDrained();
    return drained.future();
  }

  private void lookWhetherDrained() {
    if (draining && operations.underWay() == 0) {
      drained.tryComplete();
    }
  }

  /** Sends nothing any more: what waits is flushed. */
  void stopSending() {
    open = false;
    if (path != null) {
      path.sends().stop(this::flushed);
    }
  }

  /** Ends all of it, and the id of the queue pair. */
  Future<Void> end(CmId id) {
    DataPath current = path;
    if (current == null) {
      return Future.succeededFuture();
    }
    stopSending();
    current.receives().stop();
    int dropped = socket.failure() == null ? queue.discard() : 0;
    if (dropped > 0) {
      LOG.debug("{}: {} datagrams were not handed over before close", this, dropped);
    }
    try {
      current.queuePair().toError();
    } catch (RdmaException refused) {
      LOG.debug("{}: {}", this, refused.getMessage());
    }
    Promise<Void> ended = endpoint.context().promise();
    teardown = new Teardown(endpoint, id, current, () -> release(current, ended));
    teardown.start(true);
    return ended.future().eventually(peers::close);
  }

  private void release(DataPath current, Promise<Void> ended) {
    current.sends().abandon(this::flushed);
    current.receives().end(queue.detach());
    current.release(this);
    meter.end(current);
    ended.complete();
  }

  /** Any thread. */
  DatagramCounters counters() {
    DataPath current = path;
    return current == null
        ? new DatagramCounters(0, 0, 0, 0, 0, 0, 0, 0, 0)
        : new DatagramCounters(
            current.receives().posted(),
            current.receives().total(),
            exhausted,
            received,
            queue.size(),
            current.sends().size() - current.sends().outstanding(),
            current.sends().outstanding(),
            operations.completed(),
            peers.count());
  }

  @Override
  public String toString() {
    DataPath current = path;
    return "RdmaDatagramSocket["
        + (current == null ? "not bound" : "qp 0x" + Integer.toHexString(current.number()))
        + "]";
  }
}
