package io.vertxrdma.core;

/** The asynchronous events of a device (ibv_get_async_event(3)). */
public interface AsyncEventQueue extends EventSource {

  /** The next event, already acknowledged, or null when there is none now. Never blocks. */
  AsyncEvent poll();
}
