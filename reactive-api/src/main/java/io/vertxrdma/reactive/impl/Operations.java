package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.core.RdmaException;
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
 * The operations of a connection or a datagram socket: checks what the application asks for on its
 * thread, brings it to the event loop, counts what is under way and tells when a full write queue
 * has drained.
 */
final class Operations {

  private final LoopEndpoint endpoint;
  private final OperationOwner owner;
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
   * Of one connection or datagram socket.
   *
   * @param lastEnded told when none is under way any more
   */
  Operations(LoopEndpoint endpoint, OperationOwner owner, Runnable lastEnded) {
    this.endpoint = endpoint;
    this.owner = owner;
    this.lastEnded = lastEnded;
    RdmaOptions<?> options = endpoint.options();
    int most = options.getWriteQueueMaxSize();
    this.writeQueueMaxSize = most == RdmaOptions.DERIVED ? 2 * options.getSendDepth() : most;
  }

  /** Any thread. */
  Future<Void> post(WorkRequest request) {
    return post(request, null);
  }

  /**
   * Any thread.
   *
   * @param to where a datagram goes; null on a connection
   */
  Future<Void> post(WorkRequest request, DatagramPeerImpl to) {
    check(request);
    refuseClosed();
    Future<Void> refused = refusal(request);
    if (refused != null) {
      return refused;
    }
    SendOperation operation = begin(request, to, endpoint.promise());
    if (endpoint.context().nettyEventLoop().inEventLoop() && handedIn.isEmpty()) {
      submit(operation);
      return operation.promise().future();
    }
    handedIn.add(operation);
    return submitHandedIn() ? operation.promise().future() : Future.failedFuture(owner.endReason());
  }

  /** Any thread. All are checked before the first is taken. */
  List<Future<Void>> postAll(List<WorkRequest> requests) {
    return postAll(requests, null);
  }

  /**
   * Any thread. All are checked before the first is taken.
   *
   * @param to where each datagram goes; null on a connection
   */
  List<Future<Void>> postAll(List<WorkRequest> requests, List<DatagramPeerImpl> to) {
    requests.forEach(this::check);
    refuseClosed();
    List<Future<Void>> futures = new ArrayList<>(requests.size());
    List<SendOperation> operations = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      WorkRequest request = requests.get(i);
      Future<Void> refused = refusal(request);
      if (refused != null) {
        futures.add(refused);
        continue;
      }
      try {
        operations.add(begin(request, to == null ? null : to.get(i), endpoint.promise()));
      } catch (RuntimeException closed) {
        operations.forEach(this::takeBack);
        throw closed;
      }
      futures.add(operations.get(operations.size() - 1).promise().future());
    }
    handedIn.addAll(operations);
    if (!submitHandedIn()) {
      RdmaException reason = owner.endReason();
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
      operation.promise().tryFail(owner.endReason());
    }
  }

  private void submitAll() {
    SendOperation operation;
    while ((operation = handedIn.poll()) != null) {
      submit(operation);
    }
  }

  private void check(WorkRequest request) {
    owner.check(request);
    List<Slice> slices = request.slices();
    int most = owner.dataPath().scatterGather();
    if (slices.size() > most) {
      throw new IllegalArgumentException(
          "a request has at most maxScatterGather = "
              + most
              + " slices, this one has "
              + slices.size());
    }
    for (int i = 0; i < slices.size(); i++) {
      if (!(slices.get(i).buffer() instanceof RegisteredBufferImpl own)
          || own.owner().device() != owner.dataPath().deviceLoop()) {
        throw new IllegalArgumentException(
            slices.get(i).buffer()
                + " is not memory of this "
                + owner.kind()
                + "'s device and event loop");
      }
      if (request.needsInitiatorDepth() && !own.isLocallyWritable()) {
        throw new IllegalArgumentException(
            own + " has no LOCAL_WRITE, so nothing can be read into it");
      }
    }
  }

  /** Throws when the application has closed it. */
  void refuseClosed() {
    if (owner.isClosedLocally()) {
      throw new IllegalStateException("the " + owner.kind() + " is closed: " + owner);
    }
  }

  private Future<Void> refusal(WorkRequest request) {
    return owner.isDraining()
        ? Future.failedFuture(
            new ShutdownException(
                SendOperation.name(request.opcode()),
                "the " + owner.kind() + " is shutting down: " + owner))
        : null;
  }

  private SendOperation begin(WorkRequest request, DatagramPeerImpl to, Promise<Void> promise) {
    SendOperation operation =
        to == null
            ? new SendOperation(request, promise, ended)
            : new DatagramOperation(request, to, promise, ended);
    operation.pin();
    underWay.incrementAndGet();
    return operation;
  }

  private void takeBack(SendOperation operation) {
    underWay.decrementAndGet();
    operation.unpin();
  }

  private void submit(SendOperation operation) {
    if (owner.takesOperations()) {
      owner.dataPath().sends().submit(operation);
    } else {
      RdmaException reason =
          owner.isClosedLocally() ? new FlushedException(operation.name(), 0) : owner.endReason();
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
