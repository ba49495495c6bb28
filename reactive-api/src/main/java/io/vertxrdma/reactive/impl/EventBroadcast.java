package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.exceptions.MissingBackpressureException;
import io.reactivex.rxjava3.processors.PublishProcessor;

/**
 * Hands every event to every subscriber. A subscriber that falls behind by more than the buffer
 * ends with {@link MissingBackpressureException} rather than missing events in silence.
 */
final class EventBroadcast<T> {

  static final int BUFFER = 4096;

  private final PublishProcessor<T> processor = PublishProcessor.create();
  private final Flowable<T> flowable = processor.onBackpressureBuffer(BUFFER, false, false).hide();

  Flowable<T> flowable() {
    return flowable;
  }

  boolean hasSubscribers() {
    return processor.hasSubscribers();
  }

  void publish(T event) {
    processor.onNext(event);
  }

  void finish() {
    processor.onComplete();
  }
}
