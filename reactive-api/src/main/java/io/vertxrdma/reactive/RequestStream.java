package io.vertxrdma.reactive;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.streams.WriteStream;
import java.util.concurrent.atomic.AtomicLong;

/** Posts work requests that a pipe brings; counts those that its end has to wait for. */
final class RequestStream implements WriteStream<WorkRequest> {

  private final RdmaConnection connection;
  // Those under way, and one for the end that has not been called.
  private final AtomicLong open = new AtomicLong(1);
  private final Promise<Void> allEnded = Promise.promise();
  private volatile Throwable failure;
  private volatile boolean ended;
  private volatile Handler<Throwable> exceptionHandler;

  RequestStream(RdmaConnection connection) {
    this.connection = connection;
  }

  @Override
  public Future<Void> write(WorkRequest request) {
    if (ended) {
      throw new IllegalStateException("the stream has ended");
    }
    open.incrementAndGet();
    return post(request)
        .onComplete(
            done -> {
              if (done.failed()) {
                failed(done.cause());
              }
              oneLess();
            });
  }

  /** Who pipes can't catch what a post throws. */
  private Future<Void> post(WorkRequest request) {
    try {
      return connection.post(request);
    } catch (RuntimeException refused) {
      return Future.failedFuture(refused);
    }
  }

  private void failed(Throwable cause) {
    if (failure == null) {
      failure = cause;
      Handler<Throwable> handler = exceptionHandler;
      if (handler != null) {
        handler.handle(cause);
      }
    }
  }

  private void oneLess() {
    if (open.decrementAndGet() == 0) {
      if (failure == null) {
        allEnded.complete();
      } else {
        allEnded.fail(failure);
      }
    }
  }

  @Override
  public Future<Void> end() {
    if (ended) {
      throw new IllegalStateException("the stream has ended");
    }
    ended = true;
    oneLess();
    return allEnded.future();
  }

  @Override
  public WriteStream<WorkRequest> setWriteQueueMaxSize(int maxSize) {
    connection.setWriteQueueMaxSize(maxSize);
    return this;
  }

  @Override
  public boolean writeQueueFull() {
    return connection.writeQueueFull();
  }

  @Override
  public WriteStream<WorkRequest> drainHandler(Handler<Void> handler) {
    connection.drainHandler(handler);
    return this;
  }

  @Override
  public WriteStream<WorkRequest> exceptionHandler(Handler<Throwable> handler) {
    exceptionHandler = handler;
    return this;
  }
}
