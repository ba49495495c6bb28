package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Scheduler;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.disposables.SerialDisposable;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.ReconnectPolicy;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * One connection after the other, for each subscriber its own: the next one is made when the last
 * has ended and the subscriber asks for it, as the policy says.
 */
final class ReconnectingFlowable extends Flowable<RdmaConnection> {

  private final RdmaClientImpl client;
  private final Single<RdmaConnection> connect;
  private final ReconnectPolicy policy;
  private final Scheduler scheduler;

  /**
   * Prepares it.
   *
   * @param connect connects anew for each subscriber
   */
  ReconnectingFlowable(
      RdmaClientImpl client, Single<RdmaConnection> connect, ReconnectPolicy policy) {
    this.client = client;
    this.connect = connect;
    this.policy = policy;
    this.scheduler =
        policy.scheduler() == null ? new ContextScheduler(client.context()) : policy.scheduler();
  }

  @Override
  protected void subscribeActual(Subscriber<? super RdmaConnection> subscriber) {
    Reconnecting subscription = new Reconnecting(subscriber);
    subscriber.onSubscribe(subscription);
    client.run(subscription::start);
  }

  /** What the client does with it when it closes. */
  interface Ending {
    /** The client has closed: nothing more comes. On the loop. */
    void clientClosed();
  }

  private final class Reconnecting implements Subscription, Ending {

    private final Subscriber<? super RdmaConnection> subscriber;
    // The attempt under way, or the delay.
    private final SerialDisposable step = new SerialDisposable();
    private volatile boolean cancelled;
    // The rest belongs to the loop.
    private long demand;
    private boolean started;
    private boolean busy;
    private boolean over;
    private RdmaConnection open;
    private long openedAt;
    private int failures;
    private int delays;

    Reconnecting(Subscriber<? super RdmaConnection> subscriber) {
      this.subscriber = subscriber;
    }

    void start() {
      if (over) {
        return;
      }
      if (client.isClosing()) {
        over = true;
        subscriber.onError(new IllegalStateException("the client is closed"));
        return;
      }
      client.track(this);
      started = true;
      next();
    }

    @Override
    public void request(long count) {
      client.run(() -> add(count));
    }

    private void add(long count) {
      if (over || cancelled) {
        return;
      }
      if (count <= 0) {
        end();
        Throwable misuse =
            new IllegalArgumentException(
                "request must be 1 or more (Reactive Streams rule 3.9), was " + count);
        // In a task of its own: this may be called inside onSubscribe or onNext.
        client.context().runOnContext(nothing -> subscriber.onError(misuse));
        return;
      }
      demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
      next();
    }

    private void next() {
      if (started && !over && !busy && demand > 0) {
        busy = true;
        attempt();
      }
    }

    private void attempt() {
      // Either outcome comes on this loop, but for a failure to even begin.
      step.set(connect.subscribe(this::connected, this::failed));
    }

    private void connected(RdmaConnection connection) {
      if (over || cancelled) {
        connection.close();
        return;
      }
      open = connection;
      openedAt = scheduler.now(TimeUnit.MILLISECONDS);
      failures = 0;
      if (demand != Long.MAX_VALUE) {
        demand--;
      }
      try {
        subscriber.onNext(connection);
      } catch (Throwable thrown) {
        // A subscriber must not throw; one that does has ended its subscription.
        end();
        client.context().reportException(thrown);
        return;
      }
      connection.closed().onComplete(closed -> client.run(this::disconnected));
    }

    private void disconnected() {
      open = null;
      if (over) {
        return;
      }
      if (client.isClosing()) {
        clientClosed();
        return;
      }
      // One that ends soon after it was made must not be made again without pause.
      boolean lasted =
          scheduler.now(TimeUnit.MILLISECONDS) - openedAt >= policy.longestDelayMillis();
      delays = lasted ? 1 : Math.max(1, delays + 1);
      pause(
          () -> {
            busy = false;
            next();
          });
    }

    private void failed(Throwable failure) {
      if (over || cancelled) {
        return;
      }
      if (client.isClosing()) {
        clientClosed();
        return;
      }
      failures++;
      delays++;
      if (!policy.isWorthwhile(failure) || failures >= policy.maxAttempts()) {
        end();
        subscriber.onError(failure);
        return;
      }
      pause(this::attempt);
    }

    private void pause(Runnable then) {
      Disposable delay =
          scheduler.scheduleDirect(
              () ->
                  client.run(
                      () -> {
                        if (!over) {
                          then.run();
                        }
                      }),
              policy.delayMillis(delays),
              TimeUnit.MILLISECONDS);
      step.set(delay);
    }

    @Override
    public void clientClosed() {
      if (!over && !cancelled) {
        end();
        subscriber.onComplete();
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
      client.run(this::end);
    }

    private void end() {
      if (over) {
        return;
      }
      over = true;
      client.untrack(this);
      step.dispose();
      if (open != null) {
        open.close();
      }
    }
  }
}
