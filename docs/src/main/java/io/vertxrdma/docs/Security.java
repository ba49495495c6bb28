package io.vertxrdma.docs;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.Handshake;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.util.Set;
import java.util.function.Consumer;

/** The code of the chapter on security. */
public final class Security {

  private Security() {}

  /** Offers memory to those who know the key, for reading only, and for a while. */
  public static Future<RdmaConnection> offer(
      Handshake hello, ConnectRequest request, Consumer<RegisteredBuffer> offered) {
    // tag::offer[]
    if (!hello.accepts(request.privateData())) {
      return request
          .reject(hello.reason(request.privateData()))
          .compose(rejected -> Future.failedFuture("a stranger"));
    }
    return request
        .memory()
        .allocate(4096, Set.of(AccessFlag.REMOTE_READ)) // peers can't write to it
        .compose(
            region -> {
              offered.accept(region);
              return request
                  .accept(hello.encodeReply(region.remote().encode()))
                  .onSuccess(connection -> connection.closeHandler(gone -> region.close()));
            });
    // end::offer[]
  }

  /** Copies before it looks. */
  public static Buffer checked(RegisteredBuffer inbox, long claimed, int most) {
    // tag::check[]
    if (claimed > most) {
      throw new IllegalArgumentException("a record has at most " + most + " bytes: " + claimed);
    }
    Buffer copy = inbox.getBuffer(0, (int) claimed); // the peer can't change the copy
    // end::check[]
    return copy;
  }
}
