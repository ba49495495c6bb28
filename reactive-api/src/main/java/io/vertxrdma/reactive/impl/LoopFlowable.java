package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.atomic.AtomicReference;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * A Flowable over a queue that lives on one event loop: one subscriber at a time, items handed over
 * on the loop as far as it asked for them, nothing taken from the queue otherwise.
 *
 * <p>Demand is a plain field of the loop; calls from other threads hop there. After a cancel what
 * is queued stays for the next subscriber.
 */
abstract class LoopFlowable<T> extends Flowable<T> {

  /** Items handed over in one turn of the event loop: other connections have their turn, too. */
  static final int TURN = 256;

  /** What a subscriber that was refused gets, because onSubscribe must come first. */
  private static final Subscription REFUSED =
      new Subscription() {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
      };

  private final ContextInternal context;
  private final String name;
  private final AtomicReference<LoopSubscription> active = new AtomicReference<>();
  private boolean done;
  private Throwable failure;
  private final Runnable nextTurn;
  private boolean resting;

  LoopFlowable(ContextInternal context, String name) {
    this.context = context;
    this.name = name;
    this.nextTurn =
        () ->
            context.emit(
                null,
                nothing -> {
                  resting = false;
                  turn();
                });
  }

  private boolean inEventLoop() {
    return context.nettyEventLoop().inEventLoop();
  }

  /** Tells of an exception of the application's. */
  final void report(Throwable thrown) {
    context.reportException(thrown);
  }

  private void run(Runnable task) {
    if (inEventLoop()) {
      task.run();
    } else {
      context.nettyEventLoop().execute(() -> context.emit(null, nothing -> task.run()));
    }
  }

  /** Hands over more once the loop has done what else there is. On the loop. */
  final void rest() {
    resting = true;
    context.nettyEventLoop().execute(nextTurn);
  }

  /** Whether the next turn will hand over what there is. On the loop. */
  final boolean isResting() {
    return resting;
  }

  /** Goes on after a rest. On the loop. */
  void turn() {
    drain();
  }

  /** The next item, or null when there is none. On the loop. */
  abstract T poll();

  /** Whether {@link #poll} would return null. On the loop. */
  abstract boolean queueEmpty();

  /** Called after items were handed over, outside of any subscriber's code. On the loop. */
  void handedOver() {}

  /** Whether somebody is subscribed now. */
  final boolean hasSubscriber() {
    return active.get() != null;
  }

  final boolean isDone() {
    return done;
  }

  /** Ends the stream once the queue is empty: with a failure, or normally for null. On the loop. */
  final void finish(Throwable cause) {
    if (!done) {
      done = true;
      failure = cause;
      drain();
    }
  }

  /** Hands over what is queued and asked for. On the loop. */
  final void drain() {
    assert inEventLoop();
    LoopSubscription subscription = active.get();
    if (subscription != null) {
      subscription.drain();
    }
  }

  @Override
  protected final void subscribeActual(Subscriber<? super T> subscriber) {
    LoopSubscription subscription = new LoopSubscription(subscriber);
    if (!active.compareAndSet(null, subscription)) {
      subscriber.onSubscribe(REFUSED);
      subscriber.onError(new IllegalStateException(name + " allows one subscriber at a time"));
      return;
    }
    subscriber.onSubscribe(subscription);
    run(subscription::start);
  }

  /** A subscription whose demand can be taken back, for which Reactive Streams has no word. */
  interface Demand extends Subscription {

    /** Asks for nothing any more, until the next request. */
    void clear();
  }

  private final class LoopSubscription implements Demand {

    private final Subscriber<? super T> subscriber;
    private volatile boolean cancelled;
    // The rest belongs to the loop.
    private long demand;
    private Throwable misuse;
    private boolean started;
    private boolean draining;

    LoopSubscription(Subscriber<? super T> subscriber) {
      this.subscriber = subscriber;
    }

    void start() {
      // Not before onSubscribe has returned, which may have run on another thread.
      started = true;
      drain();
    }

    @Override
    public void request(long count) {
      if (inEventLoop()) {
        add(count);
      } else {
        run(() -> add(count));
      }
    }

    private void add(long count) {
      if (cancelled) {
        return;
      }
      if (count <= 0) {
        // Told by drain, which does not interrupt a signal that is being handled.
        misuse =
            new IllegalArgumentException(
                "request must be 1 or more (Reactive Streams rule 3.9), was " + count);
      } else {
        demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
      }
      drain();
    }

    @Override
    public void clear() {
      if (inEventLoop()) {
        demand = 0;
      } else {
        run(() -> demand = 0);
      }
    }

    @Override
    public void cancel() {
      release();
    }

    /** Ends this subscription; true for the one call that did. */
    private boolean release() {
      cancelled = true;
      return active.compareAndSet(this, null);
    }

    void drain() {
      if (!started || draining || resting) {
        return;
      }
      draining = true;
      int count = 0;
      try {
        while (!cancelled && misuse == null && demand > 0) {
          if (count == TURN) {
            if (!queueEmpty()) {
              rest();
            }
            break;
          }
          T item = poll();
          if (item == null) {
            break;
          }
          if (demand != Long.MAX_VALUE) {
            demand--;
          }
          count++;
          subscriber.onNext(item);
        }
        boolean ended = misuse != null || (done && queueEmpty());
        if (!cancelled && ended && release()) {
          if (misuse != null) {
            subscriber.onError(misuse);
          } else if (failure == null) {
            subscriber.onComplete();
          } else {
            subscriber.onError(failure);
          }
        }
      } catch (Throwable thrown) {
        // A subscriber must not throw; one that does has ended its subscription.
        release();
        report(thrown);
      } finally {
        draining = false;
      }
      if (count > 0) {
        handedOver();
      }
    }
  }
}
