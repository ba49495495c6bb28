package io.vertxrdma.reactive.impl;

import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.core.SingleObserver;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.exceptions.Exceptions;
import io.vertx.core.AsyncResult;
import io.vertxrdma.reactive.RdmaConnection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Connects anew, with an id and a queue pair of its own, for each subscriber. Disposing aborts the
 * attempt; a connection that is there in that very moment is closed, for nobody else would.
 */
final class ConnectSingle extends Single<RdmaConnection> {

  private final RdmaClientImpl client;
  private final Supplier<ConnectAttempt> attempts;

  ConnectSingle(RdmaClientImpl client, Supplier<ConnectAttempt> attempts) {
    this.client = client;
    this.attempts = attempts;
  }

  @Override
  protected void subscribeActual(SingleObserver<? super RdmaConnection> observer) {
    ConnectAttempt attempt;
    try {
      attempt = attempts.get();
    } catch (Throwable refused) {
      Exceptions.throwIfFatal(refused);
      observer.onSubscribe(Disposable.disposed());
      observer.onError(refused);
      return;
    }
    Connecting connecting = new Connecting(observer, attempt);
    observer.onSubscribe(connecting);
    if (!connecting.isDisposed()) {
      client.onLoop(() -> client.start(attempt)).onComplete(connecting::done);
    }
  }

  private final class Connecting implements Disposable {

    private final SingleObserver<? super RdmaConnection> observer;
    private final ConnectAttempt attempt;
    // Set once: by the outcome that is told, or by dispose, after which nothing is told.
    private final AtomicBoolean over = new AtomicBoolean();

    Connecting(SingleObserver<? super RdmaConnection> observer, ConnectAttempt attempt) {
      this.observer = observer;
      this.attempt = attempt;
    }

    void done(AsyncResult<RdmaConnection> outcome) {
      if (!over.compareAndSet(false, true)) {
        if (outcome.succeeded()) {
          outcome.result().close();
        }
      } else if (outcome.succeeded()) {
        observer.onSuccess(outcome.result());
      } else {
        observer.onError(outcome.cause());
      }
    }

    @Override
    public void dispose() {
      if (over.compareAndSet(false, true)) {
        client.run(attempt::abort);
      }
    }

    @Override
    public boolean isDisposed() {
      return over.get();
    }
  }
}
