package io.vertxrdma.docs;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaMemory;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.ReceivedMessage;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RegisteredPool;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.reactive.WorkRequest;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The code of the chapter on operations. */
public final class Operations {

  private Operations() {}

  /** Memory that a peer may read and count in. */
  public static Future<RegisteredBuffer> offer(RdmaMemory memory) {
    // tag::offer[]
    return memory.allocate(
        4096, Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC));
    // end::offer[]
  }

  /** Takes a number that nobody else gets, then reads a record. */
  public static Future<Buffer> fetch(
      RdmaConnection connection, RemoteMemory there, RegisteredBuffer here) {
    // tag::read[]
    RemoteMemory counter = there.slice(0, 8);
    return connection
        .fetchAndAdd(counter, 1)
        .compose(ticket -> connection.read(there.slice(64, 128), here.slice(0, 128)))
        .map(done -> here.getBuffer(0, 128));
    // end::read[]
  }

  /** A header and a body as one write, after a read that brought the body. */
  public static List<Future<Void>> chain(
      RdmaConnection connection,
      RegisteredBuffer.Slice header,
      RegisteredBuffer.Slice body,
      RemoteMemory source,
      RemoteMemory target) {
    // tag::chain[]
    return connection.postAll(
        List.of(
            WorkRequest.read(source, body),
            WorkRequest.writeWithImmediate(target, 7, header, body).fenced()));
    // end::chain[]
  }

  /** Writes a stream out. */
  public static Completable ship(RdmaConnection connection, Flowable<WorkRequest> segments) {
    // tag::ship[]
    return connection.rxPostAll(segments, 128);
    // end::ship[]
  }

  /** Options of a server that takes messages. */
  public static RdmaServerOptions messageOptions() {
    // tag::message-options[]
    return new RdmaServerOptions().setReceiveBufferSize(1024).setReceiveDepth(64);
    // end::message-options[]
  }

  /** Messages, each copied and its receive posted again. */
  public static void messages(RdmaConnection connection, Consumer<Buffer> line) {
    // tag::messages[]
    connection.messages().map(ReceivedMessage::take).subscribe(line::accept);
    // end::messages[]
  }

  /** Sends a line from pooled memory. */
  public static Completable say(RdmaConnection connection, RegisteredPool pool, String line) {
    // tag::pool[]
    return pool.rxCopyOf(Buffer.buffer(line))
        .flatMapCompletable(piece -> connection.rxSend(piece.all()).doFinally(() -> piece.close()));
    // end::pool[]
  }
}
