package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.cm.DeviceLoop;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmId;
import io.vertxrdma.reactive.RdmaOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What a server or client has on one event loop: the connections that live there, and their memory.
 *
 * <p>Confined to the event loop, but for what says otherwise.
 */
final class LoopEndpoint {

  private final Endpoint whole;
  private final ContextInternal context;
  private final Map<DeviceLoop, MemoryImpl> memory = new HashMap<>();
  private final Map<DeviceLoop, Future<SharedReceivePool>> receivePools = new HashMap<>();
  private final Set<ConnectionImpl> connections = new LinkedHashSet<>();
  private long connectionCount;

  LoopEndpoint(Endpoint whole, ContextInternal context) {
    this.whole = whole;
    this.context = context;
  }

  /** Any thread. */
  Vertx vertx() {
    return whole.vertx();
  }

  /** Where handlers and streams of this loop's connections run. Any thread. */
  ContextInternal context() {
    return context;
  }

  /** Any thread. */
  RdmaOptions<?> options() {
    return whole.options();
  }

  /** A promise whose handlers run where the caller is at home. Any thread. */
  <T> Promise<T> promise() {
    return whole.promise();
  }

  /** Tells the observers of the server or client. */
  void publish(CmEvent event) {
    whole.publish(event);
  }

  /** Runs on the event loop, at once when called there. Any thread. */
  void run(Runnable task) {
    if (context.nettyEventLoop().inEventLoop()) {
      context.emit(null, nothing -> task.run());
    } else {
      context.nettyEventLoop().execute(() -> context.emit(null, nothing -> task.run()));
    }
  }

  /** Runs on the event loop and completes a promise of the caller's context. Any thread. */
  <T> Future<T> onLoop(Supplier<Future<T>> task) {
    Promise<T> promise = promise();
    run(
        () -> {
          Future<T> outcome;
          try {
            outcome = task.get();
          } catch (RuntimeException failure) {
            promise.fail(failure);
            return;
          }
          outcome.onComplete(promise);
        });
    return promise.future();
  }

  /** The memory on a device, on the loop. */
  MemoryImpl memory(DeviceLoop device) {
    assert context.nettyEventLoop().inEventLoop();
    return memory.computeIfAbsent(device, MemoryImpl::new);
  }

  /** Where receives come from, on the loop; null in the future when each connection has its own. */
  Future<SharedReceivePool> receivePool(DeviceLoop device) {
    if (options().getSharedReceives() == null) {
      return context.succeededFuture(null);
    }
    Future<SharedReceivePool> there = receivePools.get(device);
    if (there == null || there.failed()) {
      there = SharedReceivePool.open(device, options(), nextGeneration());
      receivePools.put(device, there);
    }
    return there;
  }

  /** A number that tells this loop's connections apart in work request ids. */
  long nextGeneration() {
    return (connectionCount++ & 0x7F_FFFF) << 40;
  }

  void track(ConnectionImpl connection) {
    connections.add(connection);
  }

  void untrack(ConnectionImpl connection) {
    connections.remove(connection);
  }

  int connectionCount() {
    return connections.size();
  }

  /** The ACK timeout belongs before connect or accept. */
  void applyAckTimeout(CmId id) {
    whole.applyAckTimeout(id);
  }

  /** Any thread. */
  boolean isClosing() {
    return whole.isClosing();
  }

  /** Closes the connections; the future completes on the caller's context. Any thread. */
  Future<Void> closeConnections() {
    return onLoop(
        () -> {
          List<Future<Void>> closing = new ArrayList<>();
          for (ConnectionImpl connection : List.copyOf(connections)) {
            closing.add(connection.closeOnLoop());
          }
          return Future.join(closing).mapEmpty();
        });
  }

  /** Ends the connections gracefully; completes on the caller's context. Any thread. */
  Future<Void> shutdownConnections(long millis) {
    return onLoop(
        () -> {
          List<Future<Void>> ending = new ArrayList<>();
          for (ConnectionImpl connection : List.copyOf(connections)) {
            ending.add(connection.shutdownOnLoop(millis));
          }
          return Future.join(ending).mapEmpty();
        });
  }

  /** Closes what is left of the memory, after the connections. Any thread. */
  Future<Void> closeMemory() {
    return onLoop(
        () -> {
          List<Future<Void>> closing = new ArrayList<>();
          receivePools.values().forEach(pool -> closing.add(closed(pool)));
          receivePools.clear();
          memory.values().forEach(owned -> closing.add(owned.close()));
          return Future.join(closing).mapEmpty();
        });
  }

  private static Future<Void> closed(Future<SharedReceivePool> pool) {
    // One that could not be made has nothing to close.
    return pool.transform(
        made -> made.succeeded() ? made.result().close() : Future.succeededFuture());
  }
}
