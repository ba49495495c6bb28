package io.vertxrdma.reactive.impl;

import io.vertx.core.Handler;
import io.vertx.core.streams.ReadStream;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * A {@link LoopFlowable} as a Vert.x ReadStream: subscribes with the handler; pause and fetch are
 * its demand, so that nothing leaves the queue for a stream that is paused. Like any ReadStream it
 * is used from one context, that of the loop which emits.
 */
final class FlowableReadStream<T> implements ReadStream<T> {

  private final LoopFlowable<T> source;
  private LoopFlowable.Demand subscription;
  private Handler<T> handler;
  private Handler<Void> endHandler;
  private Handler<Throwable> exceptionHandler;
  // What the subscription has left, kept for a handler that is set later or again.
  private long demand = Long.MAX_VALUE;

  FlowableReadStream(LoopFlowable<T> source) {
    this.source = source;
  }

  @Override
  public ReadStream<T> exceptionHandler(Handler<Throwable> handler) {
    this.exceptionHandler = handler;
    return this;
  }

  @Override
  public ReadStream<T> handler(Handler<T> handler) {
    LoopFlowable.Demand cancelled = null;
    boolean first;
    synchronized (this) {
      first = handler != null && this.handler == null;
      this.handler = handler;
      if (handler == null) {
        cancelled = subscription;
        subscription = null;
      }
    }
    if (cancelled != null) {
      cancelled.cancel();
    }
    if (first) {
      source.subscribeActual(new StreamSubscriber());
    }
    return this;
  }

  @Override
  public synchronized ReadStream<T> pause() {
    demand = 0;
    if (subscription != null) {
      subscription.clear();
    }
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
    LoopFlowable.Demand target;
    synchronized (this) {
      demand = demand + amount < 0 ? Long.MAX_VALUE : demand + amount;
      target = subscription;
    }
    if (target != null && amount > 0) {
      target.request(amount);
    }
    return this;
  }

  @Override
  public ReadStream<T> endHandler(Handler<Void> handler) {
    this.endHandler = handler;
    return this;
  }

  private final class StreamSubscriber implements Subscriber<T> {

    @Override
    public void onSubscribe(Subscription given) {
      if (!(given instanceof LoopFlowable.Demand own)) {
        // Refused: onError follows.
        return;
      }
      long wanted;
      synchronized (FlowableReadStream.this) {
        subscription = own;
        wanted = demand;
      }
      if (wanted > 0) {
        own.request(wanted);
      }
    }

    @Override
    public void onNext(T item) {
      Handler<T> target;
      synchronized (FlowableReadStream.this) {
        target = handler;
        if (demand != Long.MAX_VALUE && demand > 0) {
          demand--;
        }
      }
      if (target != null) {
        try {
          target.handle(item);
        } catch (Throwable thrown) {
          source.report(thrown);
        }
      }
    }

    @Override
    public void onError(Throwable failure) {
      Handler<Throwable> target = exceptionHandler;
      if (target != null) {
        try {
          target.handle(failure);
        } catch (Throwable thrown) {
          source.report(thrown);
        }
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
