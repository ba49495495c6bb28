package io.vertxrdma.docs;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import java.util.function.LongConsumer;

/** The code of the chapter on writes with immediate. */
public final class WriteWithImmediate {

  private WriteWithImmediate() {}

  /** Two writes, of which the second tells of both. */
  public static Future<Void> write(
      RdmaConnection connection,
      RegisteredBuffer body,
      RegisteredBuffer header,
      RemoteMemory there) {
    // tag::write[]
    connection.write(body.all(), there.slice(64, body.capacity())); // the peer is not told
    return connection.writeWithImmediate(header, there, 0xDEADBEEFL); // now it is, of both
    // end::write[]
  }

  /** What came, copied when it came. */
  public static Flowable<Buffer> read(RdmaConnection connection, RegisteredBuffer inbox) {
    // tag::read[]
    return connection
        .immediates()
        .filter(immediate -> immediate.value() == 0xDEADBEEFL) // unsigned
        .map(immediate -> inbox.getBuffer(0, inbox.capacity())); // all bytes are visible
    // end::read[]
  }

  /** The same without an object for each. */
  public static void handle(RdmaConnection connection, LongConsumer total) {
    // tag::handler[]
    long[] bytes = {0};
    connection.immediateHandler(
        (from, immediate, byteLength) -> { // both are unsigned 32-bit numbers in an int
          bytes[0] += Integer.toUnsignedLong(byteLength);
          total.accept(bytes[0]);
        });
    // end::handler[]
  }
}
