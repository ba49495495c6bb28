package io.vertxrdma.docs;

import io.reactivex.rxjava3.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.streams.ReadStream;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.WorkRequest;
import java.util.Iterator;
import java.util.function.Function;

/** The code of the chapter on backpressure. */
public final class Backpressure {

  private Backpressure() {}

  /** One at a time, each begun when the one before has ended. */
  public static Completable oneByOne(
      RdmaConnection connection, Function<Immediate, Completable> work) {
    // tag::one[]
    return connection.immediates().concatMapCompletable(work::apply, 1);
    // end::one[]
  }

  /** A stream that is paused while something else is busy. */
  public static void pausing(RdmaConnection connection, Function<Immediate, Future<Void>> store) {
    // tag::pause[]
    ReadStream<Immediate> stream = connection.immediateStream();
    stream.handler(
        immediate -> {
          stream.pause();
          store.apply(immediate).onComplete(stored -> stream.resume());
        });
    // end::pause[]
  }

  /** Posts as long as the write queue is not full, then waits for the drain. */
  public static void writeAll(RdmaConnection connection, Iterator<WorkRequest> requests) {
    // tag::drain[]
    while (requests.hasNext() && !connection.writeQueueFull()) {
      connection.post(requests.next());
    }
    if (requests.hasNext()) {
      connection.drainHandler(drained -> writeAll(connection, requests));
    }
    // end::drain[]
  }
}
