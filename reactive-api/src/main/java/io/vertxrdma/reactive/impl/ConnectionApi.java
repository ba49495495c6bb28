package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.streams.ReadStream;
import io.vertxrdma.cm.CompletionHandler;
import io.vertxrdma.cm.ConnectionState;
import io.vertxrdma.cm.Role;
import io.vertxrdma.core.AsyncEventException;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.core.ImmediateData;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.reactive.ConnectionCounters;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.ImmediateHandler;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.reactive.ShutdownException;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data side of a connection: immediates in, operations out. What the application calls from any
 * thread hops to the event loop here.
 */
abstract class ConnectionApi implements RdmaConnection {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaConnection.class);

  private final LoopEndpoint endpoint;
  private final ImmediateQueue immediates;
  private final ConnectionMeter meter;
  private final Completions completions = new Completions();
  private final AtomicInteger operations = new AtomicInteger();
  private final Drain drain;
  private final SendOperation.Ended operationEnded = this::operationEnded;
  private final Handler<Void> deliver;
  private volatile DataPath path;
  private volatile boolean open;
  private volatile boolean closedLocally;
  private volatile int writeQueueMaxSize;
  private boolean writeQueueWasFull;
  private boolean unexpectedReceiveLogged;
  private long immediatesReceived;
  private long operationsCompleted;
  private Handler<Void> drainHandler;
  private Handler<Throwable> exceptionHandler;

  ConnectionApi(LoopEndpoint endpoint, Role role) {
    this.endpoint = endpoint;
    this.meter =
        new ConnectionMeter(
            endpoint.options().getMetrics(), role, endpoint.options().getReceiveDepth());
    this.drain = new Drain(endpoint.context(), this);
    this.immediates =
        new ImmediateQueue(
            endpoint.context(), this, endpoint.options().getReceiveDepth(), this::creditReturned);
    RdmaOptions<?> options = endpoint.options();
    int most = options.getWriteQueueMaxSize();
    this.writeQueueMaxSize = most == RdmaOptions.DERIVED ? 2 * options.getSendDepth() : most;
    this.deliver = nothing -> immediates.deliver();
  }

  abstract ConnectionState connectionState();

  /** A completion or a post says that the queue pair is broken. */
  abstract void transportFailed(RdmaException cause);

  /**
   * The queue pair broke while it answered the peer, whose device is told why by a NAK; see {@link
   * #transportFailed}.
   */
  abstract void responderFailed(RdmaException cause);

  /** Called after each batch of completions. */
  abstract void batchDone();

  abstract Future<Void> closeOnLoop();

  abstract RdmaException endReason();

  final ConnectionMeter meter() {
    return meter;
  }

  final CompletionHandler completionHandler() {
    return completions;
  }

  final DataPath dataPath() {
    return path;
  }

  /** The queue pair is there: completions may come. */
  final void open(DataPath built) {
    path = built;
    built.sends().onFlush(() -> meter.sample(built));
    meter.sample(built);
  }

  /** The connection stands: operations may be sent. */
  final void opened() {
    open = true;
  }

  /** Nothing is posted any more; operations that wait fail. */
  final void stopData(Supplier<? extends Throwable> cause) {
    open = false;
    DataPath current = path;
    if (current != null) {
      current.receives().stop();
      current.sends().stop(cause);
    }
  }

  final void discardImmediates() {
    int count = immediates.discard();
    if (count > 0) {
      LOG.debug("{} immediates were not handed over before close", count);
    }
  }

  /** The last signal; after all operations ended. */
  final void finished(Throwable failure) {
    drain.end();
    if (failure != null && exceptionHandler != null) {
      endpoint.context().emit(failure, exceptionHandler);
    }
    endpoint.context().emit(null, nothing -> immediates.finish(failure));
  }

  private void creditReturned(int count) {
    DataPath current = path;
    drain.lookSoon();
    current.receives().credit(count);
    int errno = current.receives().refill();
    if (errno != 0) {
      transportFailed(RdmaException.ofErrno("ibv_post_recv", errno));
    }
    meter.sample(current);
  }

  private final class Completions implements CompletionHandler {

    @Override
    public void completion(WorkCompletions batch, int index) {
      DataPath current = path;
      long workRequestId = batch.workRequestId(index);
      if (!current.owns(workRequestId)) {
        // Left in the shared queue by an earlier queue pair of the same number.
        return;
      }
      current.sends().beginBatch();
      meter.completion((workRequestId & ReceiveQueue.RECEIVE_BIT) != 0, batch.status(index));
      if ((workRequestId & ReceiveQueue.RECEIVE_BIT) != 0) {
        received(current, batch, index);
      } else {
        sent(current, batch, index, workRequestId);
      }
    }

    private void received(DataPath current, WorkCompletions batch, int index) {
      current.receives().consumed();
      int status = batch.status(index);
      if (status == WorkCompletionStatus.SUCCESS.ordinal()) {
        if (batch.isReceiveRdmaWithImmediate(index)) {
          if (!closedLocally) {
            immediates.push(batch.immediate(index), batch.byteLength(index));
            immediatesReceived++;
          }
        } else {
          unexpectedReceive(current, batch.opcode(index));
        }
      } else if (connectionState() == ConnectionState.ESTABLISHED) {
        responderFailed(WorkCompletionException.of("receive", status, batch.vendorError(index)));
      }
    }

    private void unexpectedReceive(DataPath current, int opcode) {
      if (!unexpectedReceiveLogged) {
        unexpectedReceiveLogged = true;
        LOG.warn(
            "{}: receive with opcode {} is not a write with immediate; dropped, as are further ones",
            ConnectionApi.this,
            opcode);
      }
      current.receives().credit(1);
    }

    private void sent(DataPath current, WorkCompletions batch, int index, long workRequestId) {
      WorkCompletionException failure =
          current.sends().completed(workRequestId, batch.status(index), batch.vendorError(index));
      if (failure != null && connectionState() == ConnectionState.ESTABLISHED) {
        transportFailed(failure);
      }
    }

    @Override
    public boolean usesQueue(CompletionQueue queue) {
      return path.completionQueue() == queue;
    }

    @Override
    public boolean usesQueuePair(QueuePair pair) {
      return path.queuePair() == pair;
    }

    @Override
    public void failed(RdmaException cause) {
      if (cause instanceof AsyncEventException) {
        responderFailed(cause);
      } else {
        transportFailed(cause);
      }
    }

    @Override
    public void batchEnd() {
      DataPath current = path;
      endpoint.context().emit(null, deliver);
      creditReturned(0);
      current.sends().endBatch();
      meter.batchEnd(current);
      batchDone();
    }
  }

  @Override
  public final Flowable<Immediate> immediates() {
    return immediates;
  }

  @Override
  public final ReadStream<Immediate> immediateStream() {
    return new FlowableReadStream<>(immediates);
  }

  @Override
  public final RdmaConnection immediateHandler(ImmediateHandler handler) {
    if (handler != null && immediates.hasSubscriber()) {
      throw new IllegalStateException("immediates() has a subscriber already");
    }
    endpoint.run(() -> immediates.setHandler(handler));
    return this;
  }

  @Override
  public final Future<Void> writeWithImmediate(
      RegisteredBuffer.Slice source, RemoteMemory target, long immediate) {
    return submit(
        SendOpcode.RDMA_WRITE_WITH_IMM, source, target, ImmediateData.ofUnsigned(immediate));
  }

  @Override
  public final Future<Void> write(RegisteredBuffer.Slice source, RemoteMemory target) {
    return submit(SendOpcode.RDMA_WRITE, source, target, 0);
  }

  private Future<Void> submit(
      SendOpcode opcode, RegisteredBuffer.Slice source, RemoteMemory target, int immediate) {
    int length = source == null ? 0 : source.length();
    if (source != null) {
      // Anybody can make a slice.
      Objects.checkFromIndexSize(source.offset(), length, source.buffer().capacity());
    }
    if (length > 0 && (target == null || target.length() < length)) {
      throw new IllegalArgumentException(
          "the source has "
              + length
              + " bytes, the target "
              + (target == null ? "none" : target.length()));
    }
    RegisteredBufferImpl buffer = null;
    if (length > 0) {
      if (!(source.buffer() instanceof RegisteredBufferImpl own)
          || own.owner().device() != path.deviceLoop()) {
        throw new IllegalArgumentException(
            source.buffer() + " is not memory of this connection's device and event loop");
      }
      buffer = own;
    }
    if (closedLocally) {
      throw new IllegalStateException("the connection is closed: " + this);
    }
    if (drain.hasBegun()) {
      return Future.failedFuture(
          new ShutdownException(
              SendOperation.name(opcode), "the connection is shutting down: " + this));
    }
    Promise<Void> promise = endpoint.promise();
    if (buffer != null) {
      buffer.retain();
    }
    operations.incrementAndGet();
    SendOperation operation =
        new SendOperation(
            opcode,
            buffer,
            source == null ? 0 : source.offset(),
            length,
            target == null ? 0 : target.address(),
            target == null ? 0 : target.key(),
            immediate,
            promise,
            operationEnded);
    if (endpoint.context().nettyEventLoop().inEventLoop()) {
      post(operation);
    } else {
      try {
        endpoint.context().nettyEventLoop().execute(() -> post(operation));
      } catch (RejectedExecutionException loopEnded) {
        // Vert.x is closed, and the connection with it: nobody is left to end the operation later.
        operations.decrementAndGet();
        if (buffer != null) {
          buffer.release();
        }
        return Future.failedFuture(endReason());
      }
    }
    return promise.future();
  }

  private void post(SendOperation operation) {
    if (open) {
      path.sends().submit(operation);
    } else if (closedLocally) {
      operation.end(new FlushedException(operation.name(), 0));
    } else {
      operation.end(endReason());
    }
  }

  /** Where a full write queue counts as drained. */
  private int writeQueueLowWatermark() {
    int low = endpoint.options().getWriteQueueLowWatermark();
    return low == RdmaOptions.DERIVED
        ? writeQueueMaxSize / 2
        : Math.min(low, writeQueueMaxSize - 1);
  }

  private void operationEnded(boolean success) {
    int left = operations.decrementAndGet();
    if (success) {
      operationsCompleted++;
    }
    if (left == 0) {
      drain.lookSoon();
    }
    if (writeQueueWasFull && left <= writeQueueLowWatermark()) {
      writeQueueWasFull = false;
      if (drainHandler != null) {
        endpoint.context().emit(null, drainHandler);
      }
    }
  }

  @Override
  public final boolean writeQueueFull() {
    boolean full = operations.get() >= writeQueueMaxSize;
    if (full) {
      endpoint.run(() -> writeQueueWasFull = operations.get() > writeQueueLowWatermark());
    }
    return full;
  }

  @Override
  public final RdmaConnection setWriteQueueMaxSize(int maxSize) {
    if (maxSize < 1) {
      throw new IllegalArgumentException("maxSize must be 1 or more, was " + maxSize);
    }
    writeQueueMaxSize = maxSize;
    return this;
  }

  @Override
  public final RdmaConnection drainHandler(Handler<Void> handler) {
    endpoint.run(() -> drainHandler = handler);
    return this;
  }

  @Override
  public final RdmaConnection exceptionHandler(Handler<Throwable> handler) {
    endpoint.run(() -> exceptionHandler = handler);
    return this;
  }

  @Override
  public final ConnectionCounters counters() {
    DataPath current = path;
    return new ConnectionCounters(
        current.receives().posted(),
        current.receives().total(),
        immediatesReceived,
        immediates.size(),
        current.sends().size() - current.sends().outstanding(),
        current.sends().outstanding(),
        operationsCompleted);
  }

  @Override
  public final boolean isOpen() {
    return open && !drain.hasBegun();
  }

  @Override
  public final RdmaConnection shutdownHandler(Handler<Void> handler) {
    endpoint.run(() -> drain.setHandler(handler));
    return this;
  }

  @Override
  public final Future<Void> shutdown(long timeout, TimeUnit unit) {
    long millis = Drain.millis(timeout, unit);
    if (!closed().isComplete()) {
      endpoint.run(() -> shutdownOnLoop(millis));
    }
    return closed();
  }

  /** Ends gracefully, unless it is ending already. On the loop. */
  final Future<Void> shutdownOnLoop(long millis) {
    ConnectionState state = connectionState();
    if (state == ConnectionState.ESTABLISHED && !closedLocally) {
      drain.begin(millis);
    } else if (state != ConnectionState.REQUESTED) {
      return close();
    }
    // A request is rejected by its server, with the reason.
    return closed();
  }

  /** Whether nothing is under way: neither operations nor immediates that somebody takes. */
  final boolean isIdle() {
    return operations.get() == 0 && (immediates.size() == 0 || !immediates.isTaken());
  }

  /** Operations that have not ended. */
  final int operationsUnderWay() {
    return operations.get();
  }

  @Override
  public final Future<Void> close() {
    closedLocally = true;
    // Once closed the event loop itself may be gone.
    if (!closed().isComplete()) {
      endpoint.run(this::closeOnLoop);
    }
    return closed();
  }
}
