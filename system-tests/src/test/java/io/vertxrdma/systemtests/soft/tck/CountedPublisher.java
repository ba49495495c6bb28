package io.vertxrdma.systemtests.soft.tck;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.FlowableSubscriber;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * A live stream as the TCK wants one: with an end after so many elements. Signals and demand pass
 * as they are; what brings the end about, for example a close, is done once the last was handed
 * over.
 */
final class CountedPublisher<T> implements Publisher<T> {

  /** How a stream is subscribed to. */
  enum Way {
    /** As an application does: RxJava puts a checking subscriber of its own between. */
    AS_APPLICATIONS_DO,
    /** As RxJava's operators do, with nothing between. */
    DIRECTLY
  }

  private final Flowable<T> source;
  private final Way way;
  private final long count;
  private final Runnable subscribed;
  private final Runnable last;

  /**
   * Prepares it.
   *
   * @param subscribed runs after each subscription
   * @param last runs when count elements were handed over to one subscriber; at once for 0
   */
  CountedPublisher(Flowable<T> source, Way way, long count, Runnable subscribed, Runnable last) {
    this.source = source;
    this.way = way;
    this.count = count;
    this.subscribed = subscribed;
    this.last = last;
  }

  @Override
  public void subscribe(Subscriber<? super T> subscriber) {
    if (subscriber == null) {
      source.subscribe((Subscriber<? super T>) null);
    } else if (way == Way.DIRECTLY) {
      source.subscribe(new Direct<>(subscriber, count, last));
    } else {
      source.subscribe(new Counting<>(subscriber, count, last));
    }
    subscribed.run();
    if (count == 0) {
      last.run();
    }
  }

  private static class Counting<T> implements Subscriber<T> {

    private final Subscriber<? super T> target;
    private final Runnable last;
    private long left;

    Counting(Subscriber<? super T> target, long count, Runnable last) {
      this.target = target;
      this.left = count;
      this.last = last;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      target.onSubscribe(subscription);
    }

    @Override
    public void onNext(T item) {
      target.onNext(item);
      if (--left == 0) {
        last.run();
      }
    }

    @Override
    public void onError(Throwable failure) {
      target.onError(failure);
    }

    @Override
    public void onComplete() {
      target.onComplete();
    }
  }

  /** For RxJava this is one of its own, who may be trusted. */
  private static final class Direct<T> extends Counting<T> implements FlowableSubscriber<T> {

    Direct(Subscriber<? super T> target, long count, Runnable last) {
      super(target, count, last);
    }
  }
}
