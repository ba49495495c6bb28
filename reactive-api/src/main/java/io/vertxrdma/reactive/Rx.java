package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Single;
import io.vertx.core.Future;
import java.util.function.Supplier;

/** Makes cold Rx types of calls that return a Future. */
final class Rx {

  private Rx() {}

  static <T> Single<T> single(Supplier<Future<T>> call) {
    return Single.create(
        emitter ->
            call.get()
                .onComplete(
                    done -> {
                      if (done.succeeded()) {
                        emitter.onSuccess(done.result());
                      } else {
                        emitter.tryOnError(done.cause());
                      }
                    }));
  }

  static Completable completable(Supplier<Future<Void>> call) {
    return Completable.create(
        emitter ->
            call.get()
                .onComplete(
                    done -> {
                      if (done.succeeded()) {
                        emitter.onComplete();
                      } else {
                        emitter.tryOnError(done.cause());
                      }
                    }));
  }
}
