package io.vertxrdma.directory;

import io.reactivex.rxjava3.core.Completable;
import io.vertx.core.Future;

/** An endpoint that is announced until this is closed. */
public interface EndpointRegistration {

  /** What is announced. */
  RdmaEndpoint endpoint();

  /** Takes it back. Idempotent. */
  Future<Void> close();

  /** {@link #close}, when subscribed to. */
  default Completable rxClose() {
    return Completable.defer(() -> Completable.fromCompletionStage(close().toCompletionStage()));
  }
}
