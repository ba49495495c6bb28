package io.vertxrdma.cm.eventloop;

import io.netty.channel.IoEventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.core.EventSource;
import java.util.Objects;

/**
 * Calls a drain on a context's event loop whenever an event source is readable.
 *
 * <p>Three ways, the same outcome: a descriptor is watched by the application's own epoll loop;
 * when that loop is not epoll, by a loop of the library's own that hands over to the context; a
 * source without a descriptor calls its listener. The drain reads until the source is empty or its
 * own cap is reached; descriptors are level-triggered, so what is left fires again.
 */
public interface EventSourceWatch {

  /**
   * Starts to watch. The future completes on the context when the first signal can come.
   *
   * @param context an event-loop context; the drain runs on it
   * @param source what to watch
   * @param drain what to call; exceptions go to the context, never to the loop
   */
  static Future<EventSourceWatch> start(
      ContextInternal context, EventSource source, Runnable drain) {
    Objects.requireNonNull(context, "context");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(drain, "drain");
    if (source.fileDescriptor() < 0) {
      return ListenerWatch.start(context, source, drain);
    }
    Promise<EventSourceWatch> started = context.promise();
    if (EpollWatch.isEpoll(context.nettyEventLoop())) {
      EpollWatch.start(
          (IoEventLoop) context.nettyEventLoop(), context, source, drain, () -> {}, started);
    } else if (EpollWatch.isAvailable()) {
      HelperLoop helper = HelperLoop.acquire(context.owner());
      EpollWatch.start(helper.loop(), context, source, drain, helper::release, started);
    } else {
      started.fail(
          new UnsupportedOperationException(
              "descriptor "
                  + source.fileDescriptor()
                  + " can't be watched: Netty's epoll transport is not available here"));
    }
    return started.future();
  }

  /**
   * Stops: when the future completes no drain runs any more and the source may be closed.
   * Idempotent.
   */
  Future<Void> stop();
}
