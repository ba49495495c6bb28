package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Handler;
import io.vertx.core.streams.ReadStream;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * A Flowable as a Vert.x ReadStream: subscribes with the handler, pause and fetch become demand.
 * Like any ReadStream it is used from one context, that of the loop which emits.
 */
final class FlowableReadStream<T> implements ReadStream<T> {

  private final Flowable<T> source;
  private Subscription subscription;
  private Handler<T> handler;
  private Handler<Void> endHandler;
  private Handler<Throwable> exceptionHandler;
  private long demand = Long.MAX_VALUE;

  FlowableReadStream(Flowable<T> source) {
    this.source = source;
  }

  @Override
  public ReadStream<T> exceptionHandler(Handler<Throwable> handler) {
    this.exceptionHandler = handler;
    return this;
  }

  @Override
  public synchronized ReadStream<T> handler(Handler<T> handler) {
    this.handler = handler;
    if (handler == null) {
      if (subscription != null) {
        subscription.cancel();
        subscription = null;
      }
    } else if (subscription == null) {
      source.subscribe(new StreamSubscriber());
    }
    return this;
  }

  @Override
  public synchronized ReadStream<T> pause() {
    demand = 0;
    return this;
  }

  @Override
  public ReadStream<T> resume() {
    return fetch(Long.MAX_VALUE);
  }

  @Override
  public ReadStream<T> fetch(long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException("fetch must be 0 or more, was " + amount);
    }
    Subscription target;
    synchronized (this) {
      long before = demand;
      demand = demand + amount < 0 ? Long.MAX_VALUE : demand + amount;
      // One item is asked of the source at a time, so that pause takes effect at the next one.
      target = before == 0 && demand > 0 ? subscription : null;
    }
    if (target != null) {
      target.request(1);
    }
    return this;
  }

  @Override
  public ReadStream<T> endHandler(Handler<Void> handler) {
    this.endHandler = handler;
    return this;
  }

  private final class StreamSubscriber implements Subscriber<T> {

    private Subscription own;

    @Override
    public void onSubscribe(Subscription given) {
      own = given;
      boolean ask;
      synchronized (FlowableReadStream.this) {
        subscription = given;
        ask = demand > 0;
      }
      if (ask) {
        given.request(1);
      }
    }

    @Override
    public void onNext(T item) {
      Handler<T> target;
      boolean more;
      synchronized (FlowableReadStream.this) {
        target = handler;
        if (demand != Long.MAX_VALUE && demand > 0) {
          demand--;
        }
      }
      if (target != null) {
        target.handle(item);
      }
      synchronized (FlowableReadStream.this) {
        more = demand > 0 && subscription == own;
      }
      if (more) {
        own.request(1);
      }
    }

    @Override
    public void onError(Throwable failure) {
      Handler<Throwable> target = exceptionHandler;
      if (target != null) {
        target.handle(failure);
      }
      onComplete();
    }

    @Override
    public void onComplete() {
      Handler<Void> target = endHandler;
      if (target != null) {
        target.handle(null);
      }
    }
  }
}
