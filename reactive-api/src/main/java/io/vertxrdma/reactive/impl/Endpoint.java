package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Closeable;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CmOption;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.DeviceEvent;
import io.vertxrdma.reactive.RdmaOptions;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What servers and clients have in common: their event loop, provider, memory and connections, and
 * the order in which these close.
 */
abstract class Endpoint {

  private final VertxInternal vertx;
  private final ContextInternal context;
  private final ContextInternal userContext;
  private final RdmaOptions<?> options;
  private final RdmaProvider givenProvider;
  private final CloseFuture use = new CloseFuture();
  private final Map<LoopKey, Future<RdmaLoop>> loops = new HashMap<>();
  private final EventBroadcast<CmEvent> events = new EventBroadcast<>();
  private final DeviceEventStream deviceEvents;
  private final Promise<Void> closed;
  private final Closeable closeHook = completion -> close().onComplete(completion);
  private ProviderRegistry registry;
  private final LoopEndpoint home;
  private final List<LoopEndpoint> parts = new CopyOnWriteArrayList<>();
  private volatile boolean closing;
  private volatile boolean shuttingDown;
  private long shutdownTimer = -1;

  /** Whose share of which provider. */
  private record LoopKey(LoopEndpoint part, RdmaProvider provider) {}

  Endpoint(Vertx vertx, RdmaOptions<?> options, RdmaProvider givenProvider) {
    this.vertx = (VertxInternal) vertx;
    this.userContext = this.vertx.getOrCreateContext();
    this.context = eventLoopContext(userContext);
    this.options = options;
    this.deviceEvents = new DeviceEventStream(options.getMetrics());
    this.givenProvider = givenProvider;
    this.closed = userContext.promise();
    this.home = new LoopEndpoint(this, context);
    this.parts.add(home);
    userContext.addCloseHook(closeHook);
  }

  /** Handlers run on an event loop: the user's own context if it is one, else one on its loop. */
  private static ContextInternal eventLoopContext(ContextInternal user) {
    return user.isEventLoopContext()
        ? user.unwrap()
        : user.toBuilder()
            .withThreadingModel(ThreadingModel.EVENT_LOOP)
            .withEventLoop(user.nettyEventLoop())
            .build();
  }

  final VertxInternal vertx() {
    return vertx;
  }

  /** Where handlers and streams run. */
  final ContextInternal context() {
    return context;
  }

  final RdmaOptions<?> options() {
    return options;
  }

  /** A promise whose handlers run where the caller is at home. */
  final <T> Promise<T> promise() {
    ContextInternal current = ContextInternal.current();
    return current == null ? userContext.promise() : current.promise();
  }

  final Flowable<CmEvent> eventFlowable() {
    return events.flowable();
  }

  /** Tells the observers, in the order of each event loop. Any of this endpoint's loops. */
  final void publish(CmEvent event) {
    options.getMetrics().cmEvent(event.type());
    if (context.nettyEventLoop().inEventLoop()) {
      events.publish(event);
    } else if (events.hasSubscribers()) {
      run(() -> events.publish(event));
    }
    if (DeviceEventStream.concerns(event)) {
      look(event);
    }
  }

  private void look(CmEvent event) {
    DeviceContext device;
    try {
      // Asked now: the id may be gone when the loop gets to it.
      device = event.id().device();
    } catch (IllegalStateException closed) {
      // A worker destroys it at this moment; that is no news of the device.
      return;
    }
    run(() -> deviceEvents.look(event.type(), device));
  }

  final DeviceEventStream deviceEventStream() {
    return deviceEvents;
  }

  /** See {@link io.vertxrdma.reactive.RdmaServer#deviceEvents()}. */
  public final Flowable<DeviceEvent> deviceEvents() {
    return deviceEvents.flowable();
  }

  final void handleDeviceEvents(Handler<DeviceEvent> handler) {
    Objects.requireNonNull(handler, "handler");
    deviceEvents.flowable().subscribe(event -> context.emit(event, handler));
  }

  /** The part on the loop the server or client itself lives on. */
  final LoopEndpoint home() {
    return home;
  }

  /** All parts, the one at home first. */
  final List<LoopEndpoint> parts() {
    return parts;
  }

  /** A part on another event loop, with a context of its own. */
  final LoopEndpoint addPart() {
    LoopEndpoint part = new LoopEndpoint(this, vertx.createEventLoopContext());
    parts.add(part);
    return part;
  }

  final void run(Runnable task) {
    home.run(task);
  }

  /** Runs on the event loop and completes a promise of the caller's context. */
  final <T> Future<T> onLoop(Supplier<Future<T>> task) {
    return home.onLoop(task);
  }

  /**
   * The event loop's share of a provider, made at the provider's first use. On the loop.
   *
   * @param choice which provider, unless one was given; runs on a worker thread
   */
  final Future<RdmaLoop> loop(Function<ProviderRegistry, RdmaProvider> choice) {
    if (givenProvider != null) {
      return loopOf(givenProvider);
    }
    if (registry == null) {
      registry = ProviderRegistry.acquire(vertx, use);
    }
    return context.executeBlocking(() -> choice.apply(registry), false).compose(this::loopOf);
  }

  private Future<RdmaLoop> loopOf(RdmaProvider provider) {
    return loopOf(home, provider);
  }

  /** A part's share of a provider; completes on the part's loop. On the home loop. */
  final Future<RdmaLoop> loopOf(LoopEndpoint part, RdmaProvider provider) {
    if (closing) {
      return context.failedFuture(new IllegalStateException("closed meanwhile"));
    }
    LoopKey key = new LoopKey(part, provider);
    Future<RdmaLoop> known = loops.get(key);
    if (known != null && !known.failed()) {
      return known;
    }
    // One for each attempt: it ends what was used for a failed one, so that all is made anew.
    CloseFuture attempt = new CloseFuture();
    use.add(attempt);
    Future<RdmaLoop> made = RdmaLoop.acquire(part.context(), provider, attempt);
    loops.put(key, made);
    made.onFailure(failed -> attempt.close());
    if (part == home) {
      made.onSuccess(deviceEvents::attach);
    }
    return made;
  }

  /** Sets the options that belong before bind or resolve. */
  final void applyOptions(CmId id) {
    if (options.isReuseAddress()) {
      id.setOption(CmOption.REUSE_ADDRESS, 1);
    }
    if (options.getTypeOfService() >= 0) {
      id.setOption(CmOption.TOS, options.getTypeOfService());
    }
    if (options instanceof RdmaServerOptions server && server.isAddressFamilyOnly()) {
      id.setOption(CmOption.ADDRESS_FAMILY_ONLY, 1);
    }
  }

  /** The ACK timeout belongs before connect or accept. */
  final void applyAckTimeout(CmId id) {
    if (options.getAckTimeout() >= 0) {
      id.setOption(CmOption.ACK_TIMEOUT, options.getAckTimeout());
    }
  }

  /** Whether it takes nothing new: it closes, or shuts down. */
  final boolean isClosing() {
    return closing || shuttingDown;
  }

  /** Whether it closes, or is closed. Any thread. */
  final boolean isClosed() {
    return closing;
  }

  final void checkOpen(String what) {
    if (closing) {
      throw new IllegalStateException("the " + what + " is closed");
    }
    if (shuttingDown) {
      throw new IllegalStateException("the " + what + " is shutting down");
    }
  }

  /** Stops taking in new work; the first stage of closing. May be called twice. On the loop. */
  abstract Future<Void> stop();

  /** Completes when nothing is under way that is not a connection's. On the loop. */
  Future<Void> drained() {
    return Future.succeededFuture();
  }

  /** Ends what it has besides connections, the stage after {@link #stop}. On the loop. */
  Future<Void> tearDown() {
    return Future.succeededFuture();
  }

  /** Ends the streams; the last stage of closing. On the loop. */
  abstract void ended();

  /** Closes once nothing is under way, or the time is up. Idempotent. */
  public final Future<Void> shutdown(long timeout, TimeUnit unit) {
    long millis = Drain.millis(timeout, unit);
    if (!closed.future().isComplete()) {
      run(() -> shutdownOnLoop(millis));
    }
    return closed.future();
  }

  private void shutdownOnLoop(long millis) {
    if (closing || shuttingDown) {
      return;
    }
    shuttingDown = true;
    if (millis == 0) {
      close();
      return;
    }
    shutdownTimer = context.setTimer(millis, fired -> close());
    List<Future<Void>> ending = new ArrayList<>();
    ending.add(stop());
    ending.add(drained());
    for (LoopEndpoint part : parts) {
      ending.add(part.shutdownConnections(millis));
    }
    Future.join(ending).onComplete(done -> close());
  }

  /** Closes: new work, connections, memory, the share of the loop, streams. Idempotent. */
  public final Future<Void> close() {
    // Once closed the event loop itself may be gone.
    if (!closed.future().isComplete()) {
      run(this::closeOnLoop);
    }
    return closed.future();
  }

  private void closeOnLoop() {
    if (closing) {
      return;
    }
    closing = true;
    if (shutdownTimer != -1) {
      vertx.cancelTimer(shutdownTimer);
    }
    userContext.removeCloseHook(closeHook);
    stop()
        .transform(stopped -> tearDown())
        .transform(down -> Future.join(parts.stream().map(LoopEndpoint::closeConnections).toList()))
        .transform(done -> Future.join(parts.stream().map(LoopEndpoint::closeMemory).toList()))
        .transform(
            done -> {
              run(deviceEvents::detach);
              return use.close();
            })
        .onComplete(
            done ->
                run(
                    () -> {
                      ended();
                      events.finish();
                      deviceEvents.finish();
                      if (done.succeeded()) {
                        closed.complete();
                      } else {
                        closed.fail(done.cause());
                      }
                    }));
  }
}
