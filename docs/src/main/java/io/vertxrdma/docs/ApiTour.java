package io.vertxrdma.docs;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.streams.ReadStream;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.ImmediateHandler;
import io.vertxrdma.reactive.RdmaConnection;

/** The code of the API tour. */
public final class ApiTour {

  private ApiTour() {}

  /** The two forms of what ends once. */
  public static Completable once(RdmaConnection connection) {
    // tag::once[]
    Future<Void> begun = connection.writeImmediate(1); // at once
    Completable later = connection.rxWriteImmediate(2); // with each subscription
    // end::once[]
    return Completable.fromCompletionStage(begun.toCompletionStage()).andThen(later);
  }

  /** The three forms of what goes on: one at a time. */
  public static Flowable<Immediate> goesOn(
      RdmaConnection connection, ImmediateHandler handler, int form) {
    if (form == 0) {
      // tag::flowable[]
      Flowable<Immediate> flowable = connection.immediates(); // cold; demand reaches the network
      // end::flowable[]
      return flowable;
    }
    if (form == 1) {
      // tag::stream[]
      ReadStream<Immediate> stream = connection.immediateStream(); // pause, resume, fetch, pipeTo
      // end::stream[]
      stream.handler(i -> handler.handle(connection, i.intValue(), (int) i.byteLength()));
    } else {
      // tag::handler[]
      connection.immediateHandler(handler); // no object for each
      // end::handler[]
    }
    return Flowable.never();
  }
}
