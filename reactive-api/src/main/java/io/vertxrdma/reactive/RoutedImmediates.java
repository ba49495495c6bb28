package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.CompletableObserver;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.FlowableSubscriber;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.exceptions.Exceptions;
import io.reactivex.rxjava3.plugins.RxJavaPlugins;
import java.util.concurrent.atomic.AtomicReference;
import org.reactivestreams.Subscription;

/** Immediates on their way to an {@link ImmediateRouter}'s handlers, one at a time. */
final class RoutedImmediates extends Completable {

  private final Flowable<Immediate> immediates;
  private final ImmediateRouter.Table table;

  RoutedImmediates(Flowable<Immediate> immediates, ImmediateRouter.Table table) {
    this.immediates = immediates;
    this.table = table;
  }

  @Override
  protected void subscribeActual(CompletableObserver observer) {
    immediates.subscribe(new Routing(observer));
  }

  /**
   * Demand is 1 while nothing is being handled, and 0 while something is; the end of the stream
   * waits for what is being handled.
   */
  private final class Routing implements FlowableSubscriber<Immediate>, Disposable {

    private static final Object IDLE = "idle";
    private static final Object BUSY = "busy";
    private static final Object OVER = "over";

    private final CompletableObserver observer;
    // IDLE, BUSY, OVER, or an End that waits for the handler.
    private final AtomicReference<Object> state = new AtomicReference<>(IDLE);
    private final AtomicReference<Disposable> handling = new AtomicReference<>();
    private Subscription upstream;

    /** How the stream ended: normally without a failure. */
    private record End(Throwable failure) {}

    Routing(CompletableObserver observer) {
      this.observer = observer;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      upstream = subscription;
      observer.onSubscribe(this);
      if (state.get() != OVER) {
        subscription.request(1);
      }
    }

    @Override
    public void onNext(Immediate immediate) {
      if (!state.compareAndSet(IDLE, BUSY)) {
        return;
      }
      ImmediateRouter.Route route = table.of(immediate.intValue());
      try {
        if (route.plain != null) {
          route.plain.handle(
              immediate.connection(), immediate.intValue(), (int) immediate.byteLength());
          handled();
        } else {
          route.completable.apply(immediate).subscribe(new Handling());
        }
      } catch (Throwable thrown) {
        Exceptions.throwIfFatal(thrown);
        failed(thrown);
      }
    }

    private void handled() {
      if (state.compareAndSet(BUSY, IDLE)) {
        upstream.request(1);
      } else {
        Object end = state.getAndSet(OVER);
        if (end instanceof End ended) {
          tell(ended);
        }
      }
    }

    private void failed(Throwable failure) {
      Object before = state.getAndSet(OVER);
      if (before == OVER) {
        RxJavaPlugins.onError(failure);
        return;
      }
      if (before instanceof End ended && ended.failure() != null) {
        failure.addSuppressed(ended.failure());
      }
      upstream.cancel();
      observer.onError(failure);
    }

    @Override
    public void onError(Throwable failure) {
      end(new End(failure));
    }

    @Override
    public void onComplete() {
      end(new End(null));
    }

    private void end(End end) {
      if (!state.compareAndSet(BUSY, end) && state.getAndSet(OVER) != OVER) {
        tell(end);
      }
    }

    private void tell(End end) {
      if (end.failure() == null) {
        observer.onComplete();
      } else {
        observer.onError(end.failure());
      }
    }

    @Override
    public void dispose() {
      state.set(OVER);
      upstream.cancel();
      Disposable current = handling.getAndSet(Disposable.disposed());
      if (current != null) {
        current.dispose();
      }
    }

    @Override
    public boolean isDisposed() {
      return state.get() == OVER;
    }

    /** Waits for what one handler returned. */
    private final class Handling implements CompletableObserver {

      @Override
      public void onSubscribe(Disposable disposable) {
        Disposable before = handling.get();
        if (before == Disposable.disposed() || !handling.compareAndSet(before, disposable)) {
          disposable.dispose();
        }
      }

      @Override
      public void onComplete() {
        handled();
      }

      @Override
      public void onError(Throwable failure) {
        failed(failure);
      }
    }
  }
}
