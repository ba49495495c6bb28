package io.vertxrdma.cm;

import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.cm.eventloop.EventSourceWatch;
import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.ProviderUnavailableException;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.RdmaProvider;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one event loop has of a provider: one event channel, and for each device one {@link
 * DeviceLoop}. Shared by all servers and clients of the loop; it ends with its last user.
 *
 * <p>Everything but {@link #acquire} is called on the event loop.
 */
public final class RdmaLoop {

  /** Events read in one go, so that a burst does not keep the loop from its other work. */
  private static final int EVENTS_PER_TICK = 64;

  private static final Logger LOG = LoggerFactory.getLogger(RdmaLoop.class);
  private static final String KEY = "io.vertxrdma.loop";

  private final ContextInternal context;
  private final RdmaProvider provider;
  private final Map<DeviceContext, Future<DeviceLoop>> devices = new HashMap<>();
  private final List<CmEventHandler> observers = new ArrayList<>();
  private final Set<Future<Void>> destroying = ConcurrentHashMap.newKeySet();
  private final LoopDeviceEvents deviceEvents = new LoopDeviceEvents(this, this::handle);
  private final Future<RdmaLoop> ready;
  private CmEventChannel channel;
  private EventSourceWatch watch;

  private RdmaLoop(ContextInternal user, RdmaProvider provider) {
    VertxInternal vertx = user.owner();
    // A context of its own on the user's loop: the user's may end (undeploy) while others go on.
    this.context =
        vertx
            .contextBuilder()
            .withThreadingModel(ThreadingModel.EVENT_LOOP)
            .withEventLoop(user.nettyEventLoop())
            .build();
    this.provider = provider;
    this.ready = open();
  }

  /**
   * The loop's share of a provider, made on first use.
   *
   * @param user an event-loop context; decides the loop
   * @param provider an available provider, or the future fails with {@link
   *     ProviderUnavailableException}
   * @param use ends this use when it is closed
   */
  public static Future<RdmaLoop> acquire(
      ContextInternal user, RdmaProvider provider, CloseFuture use) {
    String name =
        provider.name()
            + '@'
            + System.identityHashCode(provider)
            + '@'
            + System.identityHashCode(user.nettyEventLoop());
    RdmaLoop loop =
        user.owner()
            .createSharedResource(
                KEY,
                name,
                use,
                end -> {
                  RdmaLoop made = new RdmaLoop(user, provider);
                  end.add(made::close);
                  return made;
                });
    return loop.ready;
  }

  private Future<RdmaLoop> open() {
    return blocking(
            () -> {
              if (!provider.availability().isAvailable()) {
                throw new ProviderUnavailableException(provider.name(), provider.availability());
              }
              return provider.createEventChannel(context.nettyEventLoop());
            })
        .compose(
            made -> {
              channel = made;
              return EventSourceWatch.start(context, made, this::drain);
            })
        .map(
            started -> {
              watch = started;
              return this;
            });
  }

  /** The event-loop context on which events and completions are handled. */
  public ContextInternal context() {
    return context;
  }

  /** Whose loop this is. */
  public RdmaProvider provider() {
    return provider;
  }

  /** Whether the caller is on the event loop; asserted by everything that has state. */
  public boolean inEventLoop() {
    return context.nettyEventLoop().inEventLoop();
  }

  /** Runs what blocks on a worker; the future completes on the event loop. */
  public <T> Future<T> blocking(Callable<T> work) {
    return context.executeBlocking(work, false);
  }

  /** Runs on the event loop: at once when already there. */
  public void run(Runnable task) {
    if (inEventLoop()) {
      context.emit(null, nothing -> task.run());
    } else {
      context.nettyEventLoop().execute(() -> context.emit(null, nothing -> task.run()));
    }
  }

  /** Creates an id of which the handler gets the events. */
  public CmId createId(PortSpace portSpace, CmEventHandler handler) {
    assert inEventLoop();
    CmId id = channel.createId(portSpace);
    id.setAttachment(handler);
    return id;
  }

  /**
   * Moves an id of another loop here: its further events come on this loop. On the loop that has it
   * now, which has acknowledged all its events, so that this doesn't block.
   *
   * @throws RdmaException when the kernel refuses; the id stays where it was
   */
  public void adopt(CmId id) {
    id.migrate(channel);
  }

  /** Ids that live on the loop's event channel. */
  public int liveIds() {
    return channel.liveIds();
  }

  /** Adds an observer of every event of this loop, called before the event's own handler. */
  public void addObserver(CmEventHandler observer) {
    assert inEventLoop();
    observers.add(observer);
  }

  /** Removes an observer. */
  public void removeObserver(CmEventHandler observer) {
    assert inEventLoop();
    observers.remove(observer);
  }

  /** The loop's share of a device, made on first use. */
  public Future<DeviceLoop> device(DeviceContext device) {
    assert inEventLoop();
    Future<DeviceLoop> known = devices.get(device);
    if (known != null && !known.failed()) {
      return known;
    }
    Future<DeviceLoop> opened =
        DeviceLoop.open(this, device)
            .compose(made -> deviceEvents.watch(device).map(watching -> made));
    devices.put(device, opened);
    return opened;
  }

  /** The asynchronous events of devices that come to this loop. */
  public LoopDeviceEvents deviceEvents() {
    return deviceEvents;
  }

  private void handle(AsyncEvent event) {
    Future<DeviceLoop> device = devices.get(event.device());
    if (device != null && device.succeeded()) {
      device.result().handle(event);
    }
  }

  private void drain() {
    for (int i = 0; i < EVENTS_PER_TICK; i++) {
      if (channel == null) {
        return;
      }
      CmEvent event;
      try {
        event = channel.poll();
      } catch (RdmaException failure) {
        context.reportException(failure);
        return;
      }
      if (event == null) {
        return;
      }
      dispatch(event);
    }
    if (channel != null && channel.fileDescriptor() < 0) {
      // A descriptor fires again for what is left; a listener was called once for all of it.
      context.nettyEventLoop().execute(() -> context.emit(null, nothing -> drain()));
    }
  }

  private void dispatch(CmEvent event) {
    LOG.debug("{}", event);
    for (int i = 0; i < observers.size(); i++) {
      call(observers.get(i), event);
    }
    CmId owner = event.type() == CmEventType.CONNECT_REQUEST ? event.listener() : event.id();
    if (owner != null && owner.attachment() instanceof CmEventHandler handler) {
      call(handler, event);
    } else {
      LOG.debug("nobody waits for {}", event);
      if (event.type() == CmEventType.CONNECT_REQUEST) {
        // Its listener is closing: an id nobody owns would keep the peer waiting.
        destroy(event.id());
      }
    }
  }

  private void call(CmEventHandler handler, CmEvent event) {
    // One failing handler must not cost another its event.
    try {
      handler.handle(event);
    } catch (Throwable failure) {
      context.reportException(failure);
    }
  }

  /** Destroys an id on a worker; the loop's channel is not closed before that is done. */
  public Future<Void> destroy(CmId id) {
    Future<Void> done =
        blocking(
            () -> {
              id.close();
              return null;
            });
    destroying.add(done);
    return done.onComplete(over -> destroying.remove(done));
  }

  private void close(Completable<Void> completion) {
    ready
        .otherwiseEmpty()
        .compose(
            opened -> {
              if (channel == null) {
                return context.succeededFuture();
              }
              List<Future<?>> closing = new ArrayList<>();
              closing.add(deviceEvents.close());
              devices
                  .values()
                  .forEach(
                      device ->
                          closing.add(
                              device.compose(
                                  DeviceLoop::close, failed -> Future.succeededFuture())));
              return Future.join(closing)
                  .transform(done -> watch == null ? context.succeededFuture() : watch.stop())
                  // Requests that nobody took: their ids are still on the channel.
                  .transform(done -> Future.join(List.copyOf(destroying)))
                  .transform(
                      done ->
                          blocking(
                              () -> {
                                channel.close();
                                return (Void) null;
                              }));
            })
        .<Void>mapEmpty()
        .onComplete(completion);
  }
}
