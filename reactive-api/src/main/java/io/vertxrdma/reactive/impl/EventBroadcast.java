package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.exceptions.MissingBackpressureException;
import io.reactivex.rxjava3.processors.PublishProcessor;
import java.util.ArrayDeque;

/**
 * Hands every event to every subscriber. A subscriber that falls behind by more than the buffer
 * ends with {@link MissingBackpressureException} rather than missing events in silence.
 *
 * <p>What a subscriber's reaction leads to at once, a further event or the end, comes after the
 * event it reacted to, for every subscriber. On the loop.
 */
final class EventBroadcast<T> {

  static final int BUFFER = 4096;

  private final PublishProcessor<T> processor = PublishProcessor.create();
  private final Flowable<T> flowable = processor.onBackpressureBuffer(BUFFER, false, false).hide();

  private final ArrayDeque<T> waiting = new ArrayDeque<>();
  private boolean emitting;
  private boolean finished;

  Flowable<T> flowable() {
    return flowable;
  }

  boolean hasSubscribers() {
    return processor.hasSubscribers();
  }

  void publish(T event) {
    if (!finished) {
      waiting.add(event);
      emit();
    }
  }

  void finish() {
    finished = true;
    emit();
  }

  private void emit() {
    if (emitting) {
      return;
    }
    emitting = true;
    try {
      T event;
      while ((event = waiting.poll()) != null) {
        processor.onNext(event);
      }
      if (finished) {
        processor.onComplete();
      }
    } finally {
      emitting = false;
    }
  }
}
