package io.vertxrdma.cm.eventloop;

import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.core.EventSource;
import java.util.concurrent.atomic.AtomicBoolean;

/** Watches a source without a descriptor: its listener schedules one drain at a time. */
final class ListenerWatch implements EventSourceWatch {

  private final ContextInternal context;
  private final EventSource source;
  private final Runnable drain;
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private volatile boolean stopped;

  private ListenerWatch(ContextInternal context, EventSource source, Runnable drain) {
    this.context = context;
    this.source = source;
    this.drain = drain;
  }

  static Future<EventSourceWatch> start(
      ContextInternal context, EventSource source, Runnable drain) {
    ListenerWatch watch = new ListenerWatch(context, source, drain);
    source.setReadableListener(watch::readable);
    // Whatever came before the listener was set is read now.
    watch.readable();
    return context.succeededFuture(watch);
  }

  private void readable() {
    if (!stopped && scheduled.compareAndSet(false, true)) {
      context.nettyEventLoop().execute(() -> context.emit(null, nothing -> run()));
    }
  }

  private void run() {
    // Cleared first: a signal that comes while draining must schedule the next drain.
    scheduled.set(false);
    if (!stopped) {
      drain.run();
    }
  }

  @Override
  public Future<Void> stop() {
    stopped = true;
    source.setReadableListener(() -> {});
    return context.succeededFuture();
  }
}
