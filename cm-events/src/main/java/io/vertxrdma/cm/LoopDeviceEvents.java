package io.vertxrdma.cm;

import io.vertx.core.Future;
import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.DeviceContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The devices whose asynchronous events one event loop wants, and who looks at these there. On the
 * loop.
 */
public final class LoopDeviceEvents {

  private static final Logger LOG = LoggerFactory.getLogger(LoopDeviceEvents.class);

  private final RdmaLoop loop;
  private final AsyncEventHandler user;
  private final Map<DeviceContext, Future<Void>> watched = new LinkedHashMap<>();
  private final List<AsyncEventHandler> observers = new ArrayList<>();

  /** With what the loop itself does about an event, after the observers. */
  LoopDeviceEvents(RdmaLoop loop, AsyncEventHandler user) {
    this.loop = loop;
    this.user = user;
  }

  /**
   * Wants the events of a device until the loop ends. The future completes when none can be missed
   * any more; it never fails: a device that doesn't tell can still be used.
   */
  public Future<Void> watch(DeviceContext device) {
    assert loop.inEventLoop();
    return watched.computeIfAbsent(
        device,
        unwatched ->
            DeviceEvents.of(device)
                .subscribe(loop, this::handle)
                .otherwise(
                    failure -> {
                      LOG.warn("{}: no asynchronous events: {}", device.name(), failure.toString());
                      return null;
                    }));
  }

  /** Adds an observer of every event of the watched devices. */
  public void addObserver(AsyncEventHandler observer) {
    assert loop.inEventLoop();
    observers.add(observer);
  }

  /** Removes an observer. */
  public void removeObserver(AsyncEventHandler observer) {
    assert loop.inEventLoop();
    observers.remove(observer);
  }

  private void handle(AsyncEvent event) {
    for (AsyncEventHandler observer : List.copyOf(observers)) {
      call(observer, event);
    }
    call(user, event);
  }

  private void call(AsyncEventHandler handler, AsyncEvent event) {
    // One failing handler must not cost another its event.
    try {
      handler.handle(event);
    } catch (Throwable failure) {
      loop.context().reportException(failure);
    }
  }

  Future<Void> close() {
    List<Future<Void>> leaving = new ArrayList<>();
    watched.keySet().forEach(device -> leaving.add(DeviceEvents.of(device).unsubscribe(loop)));
    watched.clear();
    return Future.join(leaving).mapEmpty();
  }
}
