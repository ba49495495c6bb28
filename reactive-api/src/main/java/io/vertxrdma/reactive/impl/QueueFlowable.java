package io.vertxrdma.reactive.impl;

import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** A {@link LoopFlowable} over a plain queue. */
final class QueueFlowable<T> extends LoopFlowable<T> {

  private final ArrayDeque<T> queue = new ArrayDeque<>();

  QueueFlowable(ContextInternal context, String name) {
    super(context, name);
  }

  /** Adds an item, and hands it over if somebody asked for it. On the loop. */
  void offer(T item) {
    queue.add(item);
    drain();
  }

  int size() {
    return queue.size();
  }

  boolean remove(T item) {
    return queue.remove(item);
  }

  /** Takes out what nobody was given. On the loop. */
  void clear(Consumer<T> each) {
    T item;
    while ((item = queue.poll()) != null) {
      each.accept(item);
    }
  }

  @Override
  T poll() {
    return queue.poll();
  }

  @Override
  boolean queueEmpty() {
    return queue.isEmpty();
  }
}
