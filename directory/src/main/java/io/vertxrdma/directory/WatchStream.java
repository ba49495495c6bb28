package io.vertxrdma.directory;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.streams.ReadStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** A watch as a Vert.x stream. What it asks for counts items; who pauses misses older states. */
final class WatchStream implements ReadStream<List<RdmaEndpoint>>, Subscriber<List<RdmaEndpoint>> {

  private final Context context;
  private final Flowable<List<RdmaEndpoint>> source;
  private final AtomicReference<Subscription> subscription = new AtomicReference<>();
  private volatile Handler<List<RdmaEndpoint>> handler;
  private volatile Handler<Throwable> exceptionHandler;
  private volatile Handler<Void> endHandler;
  private boolean subscribed;
  private boolean flowing = true;
  // Asked for by fetch while paused or before there is a subscription.
  private long owed;

  private boolean asked;
  // Came while the stream was paused.
  private List<RdmaEndpoint> held;

  WatchStream(Context context, Flowable<List<RdmaEndpoint>> source) {
    this.context = context;
    this.source = source;
  }

  @Override
  public WatchStream handler(Handler<List<RdmaEndpoint>> handler) {
    this.handler = handler;
    boolean first;
    synchronized (this) {
      first = handler != null && !subscribed;
      subscribed |= first;
    }
    if (first) {
      source.subscribe(this);
    } else if (handler == null) {
      Subscription ended = subscription.getAndSet(null);
      if (ended != null) {
        ended.cancel();
      }
      synchronized (this) {
        subscribed = false;
        asked = false;
        held = null;
      }
    }
    return this;
  }

  @Override
  public synchronized WatchStream pause() {
    flowing = false;
    owed = 0;
    return this;
  }

  @Override
  public WatchStream resume() {
    return fetch(Long.MAX_VALUE);
  }

  @Override
  public WatchStream fetch(long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException("fetch must be 0 or more, was " + amount);
    }
    List<RdmaEndpoint> waiting = null;
    synchronized (this) {
      if (amount == Long.MAX_VALUE) {
        flowing = true;
      } else {
        owed = owed + amount < 0 ? Long.MAX_VALUE : owed + amount;
      }
      if (held != null && isWanted()) {
        waiting = held;
        held = null;
      }
    }
    if (waiting != null) {
      List<RdmaEndpoint> now = waiting;
      context.runOnContext(nothing -> onNext(now));
    } else {
      // What is asked for may be there already, and comes on the thread that asks.
      context.runOnContext(nothing -> ask());
    }
    return this;
  }

  private boolean isWanted() {
    return flowing || owed > 0;
  }

  /** Asks for one more if there is a wish for it and none is on its way: a pause holds at once. */
  private void ask() {
    Subscription to = subscription.get();
    synchronized (this) {
      if (to == null || asked || !isWanted()) {
        return;
      }
      asked = true;
    }
    to.request(1);
  }

  @Override
  public WatchStream exceptionHandler(Handler<Throwable> handler) {
    exceptionHandler = handler;
    return this;
  }

  @Override
  public WatchStream endHandler(Handler<Void> handler) {
    endHandler = handler;
    return this;
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription.set(given);
    context.runOnContext(nothing -> ask());
  }

  @Override
  public void onNext(List<RdmaEndpoint> endpoints) {
    synchronized (this) {
      if (!isWanted()) {
        held = endpoints;
        return;
      }
      asked = false;
      if (!flowing && owed > 0) {
        owed--;
      }
    }
    Handler<List<RdmaEndpoint>> to = handler;
    if (to != null) {
      to.handle(endpoints);
    }
    ask();
  }

  @Override
  public void onError(Throwable failure) {
    Handler<Throwable> to = exceptionHandler;
    if (to != null) {
      to.handle(failure);
    }
    onComplete();
  }

  @Override
  public void onComplete() {
    Handler<Void> to = endHandler;
    if (to != null) {
      to.handle(null);
    }
  }
}
