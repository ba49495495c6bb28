package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.reactive.RdmaOptions;
import io.vertxrdma.reactive.RegisteredBuffer.Slice;
import io.vertxrdma.reactive.ShutdownException;
import io.vertxrdma.reactive.WorkRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The operations of a connection: checks what the application asks for on its thread, brings it to
 * the event loop, counts what is under way and tells when a full write queue has drained.
 */
final class Operations {

  private final LoopEndpoint endpoint;
  private final ConnectionApi connection;
  private final Runnable lastEnded;
  private final AtomicInteger underWay = new AtomicInteger();
  private final SendOperation.Ended ended = this::ended;
  private final Queue<SendOperation> handedIn = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean submitScheduled = new AtomicBoolean();
  private final Runnable submitTask =
      () -> {
        submitScheduled.set(false);
        submitAll();
      };
  private volatile int writeQueueMaxSize;
  // The rest belongs to the loop.
  private boolean drainIsOwed;
  private long completed;
  private Handler<Void> drainHandler;

  /**
   * Of one connection.
   *
   * @param lastEnded told when none is under way any more
   */
  Operations(LoopEndpoint endpoint, ConnectionApi connection, Runnable lastEnded) {
    this.endpoint = endpoint;
    this.connection = connection;
    this.lastEnded = lastEnded;
    RdmaOptions<?> options = endpoint.options();
    int most = options.getWriteQueueMaxSize();
    this.writeQueueMaxSize = most == RdmaOptions.DERIVED ? 2 * options.getSendDepth() : most;
  }

  /** Any thread. */
  Future<Void> post(WorkRequest request) {
    check(request);
    refuseClosed();
    Future<Void> refused = refusal(request);
    if (refused != null) {
      return refused;
    }
    SendOperation operation = begin(request, endpoint.promise());
    if (endpoint.context().nettyEventLoop().inEventLoop() && handedIn.isEmpty()) {
      submit(operation);
      return operation.promise().future();
    }
    handedIn.add(operation);
    return submitHandedIn()
        ? operation.promise().future()
        : Future.failedFuture(connection.endReason());
  }

  /** Any thread. All are checked before the first is taken. */
  List<Future<Void>> postAll(List<WorkRequest> requests) {
    requests.forEach(this::check);
    refuseClosed();
    List<Future<Void>> futures = new ArrayList<>(requests.size());
    List<SendOperation> operations = new ArrayList<>(requests.size());
    for (WorkRequest request : requests) {
      Future<Void> refused = refusal(request);
      if (refused != null) {
        futures.add(refused);
        continue;
      }
      try {
        operations.add(begin(request, endpoint.promise()));
      } catch (RuntimeException closed) {
        operations.forEach(this::takeBack);
        throw closed;
      }
      futures.add(operations.get(operations.size() - 1).promise().future());
    }
    handedIn.addAll(operations);
    if (!submitHandedIn()) {
      RdmaException reason = connection.endReason();
      futures.replaceAll(future -> Future.failedFuture(reason));
    }
    return futures;
  }

  /**
   * What other threads handed in goes first, also when the next one comes from the loop itself: it
   * was posted before. False when the loop has ended.
   */
  private boolean submitHandedIn() {
    if (endpoint.context().nettyEventLoop().inEventLoop()) {
      submitAll();
    } else if (submitScheduled.compareAndSet(false, true)) {
      try {
        endpoint.context().nettyEventLoop().execute(submitTask);
      } catch (RejectedExecutionException loopEnded) {
        submitScheduled.set(false);
        refuseHandedIn();
        return false;
      }
    }
    return true;
  }

  /**
   * Vert.x is closed, and the connection with it: nobody is left to end the operations later, also
   * not those of threads that saw a submission scheduled and went away.
   */
  private void refuseHandedIn() {
    SendOperation operation;
    while ((operation = handedIn.poll()) != null) {
      takeBack(operation);
      operation.promise().tryFail(connection.endReason());
    }
  }

  private void submitAll() {
    SendOperation operation;
    while ((operation = handedIn.poll()) != null) {
      submit(operation);
    }
  }

  private void check(WorkRequest request) {
    List<Slice> slices = request.slices();
    int most = connection.maxScatterGather();
    if (slices.size() > most) {
      throw new IllegalArgumentException(
          "a request has at most maxScatterGather = "
              + most
              + " slices, this one has "
              + slices.size());
    }
    for (int i = 0; i < slices.size(); i++) {
      if (!(slices.get(i).buffer() instanceof RegisteredBufferImpl own)
          || own.owner().device() != connection.dataPath().deviceLoop()) {
        throw new IllegalArgumentException(
            slices.get(i).buffer() + " is not memory of this connection's device and event loop");
      }
      if (request.needsInitiatorDepth() && !own.isLocallyWritable()) {
        throw new IllegalArgumentException(
            own + " has no LOCAL_WRITE, so nothing can be read into it");
      }
    }
    if (request.needsInitiatorDepth()) {
      connection.checkRead();
      if (request.opcode() != SendOpcode.RDMA_READ) {
        connection.checkAtomic();
      }
    }
  }

  /** Throws when the application has closed the connection. */
  void refuseClosed() {
    if (connection.isClosedLocally()) {
      throw new IllegalStateException("the connection is closed: " + connection);
    }
  }

  private Future<Void> refusal(WorkRequest request) {
    return connection.isDraining()
        ? Future.failedFuture(
            new ShutdownException(
                SendOperation.name(request.opcode()),
                "the connection is shutting down: " + connection))
        : null;
  }

  private SendOperation begin(WorkRequest request, Promise<Void> promise) {
    SendOperation.pin(request);
    underWay.incrementAndGet();
    return new SendOperation(request, promise, ended);
  }

  private void takeBack(SendOperation operation) {
    underWay.decrementAndGet();
    operation.unpin();
  }

  private void submit(SendOperation operation) {
    if (connection.takesOperations()) {
      connection.dataPath().sends().submit(operation);
    } else {
      RdmaException reason =
          connection.isClosedLocally()
              ? new FlushedException(operation.name(), 0)
              : connection.endReason();
      operation.end(reason);
    }
  }

  /** Where a full write queue counts as drained. */
  private int lowWatermark() {
    int low = endpoint.options().getWriteQueueLowWatermark();
    return low == RdmaOptions.DERIVED
        ? writeQueueMaxSize / 2
        : Math.min(low, writeQueueMaxSize - 1);
  }

  private void ended(boolean success) {
    int left = underWay.decrementAndGet();
    if (success) {
      completed++;
    }
    if (left == 0) {
      lastEnded.run();
    }
    tellDrained();
  }

  private void tellDrained() {
    if (drainIsOwed && drainHandler != null && underWay.get() <= lowWatermark()) {
      drainIsOwed = false;
      endpoint.context().emit(null, drainHandler);
    }
  }

  /** Any thread. */
  boolean writeQueueFull() {
    boolean full = underWay.get() >= writeQueueMaxSize;
    if (full) {
      endpoint.run(
          () -> {
            drainIsOwed = true;
            tellDrained();
          });
    }
    return full;
  }

  /** Any thread. */
  void setWriteQueueMaxSize(int maxSize) {
    if (maxSize < 1) {
      throw new IllegalArgumentException("maxSize must be 1 or more, was " + maxSize);
    }
    writeQueueMaxSize = maxSize;
  }

  /** Any thread. */
  void drainHandler(Handler<Void> handler) {
    endpoint.run(
        () -> {
          drainHandler = handler;
          // Seen full on another thread, it may have drained before the handler came.
          tellDrained();
        });
  }

  /** Operations that have not ended. Any thread. */
  int underWay() {
    return underWay.get();
  }

  /** Operations that succeeded. */
  long completed() {
    return completed;
  }
}
