package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.streams.ReadStream;
import io.vertxrdma.cm.CompletionHandler;
import io.vertxrdma.cm.ConnectionState;
import io.vertxrdma.cm.Role;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.reactive.ConnectionCounters;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.ImmediateHandler;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.ReceivedMessage;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.reactive.WorkRequest;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data side of a connection: streams of what arrives, operations out. What the application
 * calls from any thread hops to the event loop here.
 */
abstract class ConnectionApi implements RdmaConnection, OperationOwner {

  private static final Logger LOG = LoggerFactory.getLogger(RdmaConnection.class);

  private final LoopEndpoint endpoint;
  private final ConnectionMeter meter;
  private final Arrivals arrivals;
  private final Operations operations;
  private final Drain drain;
  private volatile DataPath path;
  private volatile boolean open;
  private volatile boolean closedLocally;
  private Handler<Throwable> exceptionHandler;

  ConnectionApi(LoopEndpoint endpoint, Role role) {
    this.endpoint = endpoint;
    this.meter = new ConnectionMeter(endpoint.options().getMetrics(), role);
    this.drain = new Drain(endpoint.context(), this);
    this.operations = new Operations(endpoint, this, drain::lookSoon);
    this.arrivals = new Arrivals(endpoint, this, meter);
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

  abstract MemoryImpl memoryImpl();

  final ConnectionMeter meter() {
    return meter;
  }

  final CompletionHandler completionHandler() {
    return arrivals;
  }

  @Override
  public final String kind() {
    return "connection";
  }

  @Override
  public final DataPath dataPath() {
    return path;
  }

  @Override
  public final void check(WorkRequest request) {
    if (request.needsInitiatorDepth()) {
      checkRead();
      if (request.opcode() != SendOpcode.RDMA_READ) {
        checkAtomic();
      }
    }
  }

  @Override
  public final boolean isClosedLocally() {
    return closedLocally;
  }

  @Override
  public final boolean isDraining() {
    return drain.hasBegun();
  }

  @Override
  public final boolean takesOperations() {
    return open;
  }

  /** A graceful end may have been waiting for this. */
  final void lookWhetherIdle() {
    drain.lookSoon();
  }

  /** The queue pair is there: completions may come. */
  final void open(DataPath built) {
    path = built;
    arrivals.open(built);
    built.sends().onFlush(() -> meter.queues().sample(built));
    meter.queues().sample(built);
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

  /** The queue pair is gone: what the connection still holds of it goes back. */
  final void endData() {
    path.sends().abandon(this::flushed);
    arrivals.end(path);
    path.release(arrivals);
  }

  /** What ends operations that a close cut off. */
  final FlushedException flushed() {
    return new FlushedException("operation at close", 0);
  }

  final void discardArrivals() {
    int count = arrivals.discard();
    if (count > 0) {
      LOG.debug("{} immediates and messages were not handed over before close", count);
    }
  }

  /** The last signal; after all operations ended. */
  final void finished(Throwable failure) {
    drain.end();
    if (failure != null && exceptionHandler != null) {
      endpoint.context().emit(failure, exceptionHandler);
    }
    endpoint
        .context()
        .emit(
            null,
            nothing -> {
              arrivals.immediates().finish(failure);
              arrivals.messages().finish(failure);
            });
  }

  @Override
  public final Flowable<Immediate> immediates() {
    return arrivals.immediates();
  }

  @Override
  public final ReadStream<Immediate> immediateStream() {
    return new FlowableReadStream<>(arrivals.immediates());
  }

  @Override
  public final RdmaConnection immediateHandler(ImmediateHandler handler) {
    if (handler != null && arrivals.immediates().hasSubscriber()) {
      throw new IllegalStateException("immediates() has a subscriber already");
    }
    endpoint.run(() -> arrivals.immediates().setHandler(handler));
    return this;
  }

  @Override
  public final Flowable<ReceivedMessage> messages() {
    if (!arrivals.messages().isExpected()) {
      throw new IllegalStateException(
          "receives have no memory for messages: set receiveBufferSize in the options");
    }
    return arrivals.messages();
  }

  @Override
  public final ReadStream<ReceivedMessage> messageStream() {
    messages();
    return new FlowableReadStream<>(arrivals.messages());
  }

  @Override
  public final Future<Void> post(WorkRequest request) {
    return operations.post(request);
  }

  @Override
  public final List<Future<Void>> postAll(List<WorkRequest> requests) {
    return operations.postAll(List.copyOf(requests));
  }

  @Override
  public final Future<Void> writeWithImmediate(
      RegisteredBuffer.Slice source, RemoteMemory target, long immediate) {
    return post(
        source == null
            ? WorkRequest.writeWithImmediate(target, immediate)
            : WorkRequest.writeWithImmediate(target, immediate, source));
  }

  @Override
  public final Future<Long> fetchAndAdd(RemoteMemory target, long add) {
    return atomic(target, result -> WorkRequest.fetchAndAdd(target, add, result));
  }

  @Override
  public final Future<Long> compareAndSwap(RemoteMemory target, long expected, long replacement) {
    return atomic(
        target, result -> WorkRequest.compareAndSwap(target, expected, replacement, result));
  }

  private Future<Long> atomic(RemoteMemory target, AtomicResults.Request request) {
    // Before memory is taken, which may come too late to throw at the caller.
    target.checkAtomic();
    operations.refuseClosed();
    checkRead();
    checkAtomic();
    return memoryImpl().atomicResults().run(this, endpoint.promise(), request);
  }

  /** Refuses READs and atomic operations for which the connection has no room. */
  final void checkRead() {
    negotiated().checkRead();
  }

  /** Refuses atomic operations that the device does not have. */
  final void checkAtomic() {
    if (!device().attributes().atomics()) {
      throw new UnsupportedOperationException(
          device().name() + " has no atomic operations (atomic_cap, ibv_query_device(3))");
    }
  }

  @Override
  public final boolean writeQueueFull() {
    return operations.writeQueueFull();
  }

  @Override
  public final RdmaConnection setWriteQueueMaxSize(int maxSize) {
    operations.setWriteQueueMaxSize(maxSize);
    return this;
  }

  @Override
  public final RdmaConnection drainHandler(Handler<Void> handler) {
    operations.drainHandler(handler);
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
        arrivals.exhausted(),
        arrivals.immediatesReceived(),
        arrivals.immediates().size(),
        arrivals.messagesReceived(),
        arrivals.messages().size(),
        current.sends().size() - current.sends().outstanding(),
        current.sends().outstanding(),
        operations.completed());
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

  /** Whether nothing is under way: neither operations nor what somebody takes. */
  final boolean isIdle() {
    return operations.underWay() == 0
        && (arrivals.immediates().size() == 0 || !arrivals.immediates().isTaken())
        && (arrivals.messages().size() == 0 || !arrivals.messages().hasSubscriber());
  }

  /** Operations that have not ended. */
  final int operationsUnderWay() {
    return operations.underWay();
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
