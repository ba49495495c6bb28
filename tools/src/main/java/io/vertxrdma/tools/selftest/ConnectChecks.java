package io.vertxrdma.tools.selftest;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServerOptions;

/** What passes while connecting. */
final class ConnectChecks {

  /** What a request holds on InfiniBand and RoCE. */
  private static final int REQUEST_BYTES = 56;

  /** Less than an answer holds, but what no device refuses or warns of. */
  private static final int ANSWER_BYTES = 64;

  private ConnectChecks() {}

  static Future<Void> privateData(Trial trial) {
    Buffer toServer = End.pattern(1, REQUEST_BYTES);
    Buffer toClient = End.pattern(2, ANSWER_BYTES);
    Promise<Buffer> asked = Promise.promise();
    return trial
        .listen(
            new RdmaServerOptions(),
            request -> {
              asked.tryComplete(request.privateData());
              request.accept(toClient);
            })
        .compose(listening -> trial.connect(new RdmaClientOptions(), toServer))
        .compose(
            connection ->
                asked
                    .future()
                    .map(
                        seen -> {
                          checkPadded("the request", toServer, seen);
                          checkPadded("the answer", toClient, connection.peerPrivateData());
                          return null;
                        }));
  }

  static Future<Void> rejection(Trial trial) {
    Buffer why = End.pattern(3, ANSWER_BYTES);
    return trial
        .listen(new RdmaServerOptions(), request -> request.reject(why))
        .compose(listening -> trial.connect(new RdmaClientOptions(), null))
        .transform(
            connected -> {
              if (connected.succeeded()) {
                throw Mismatch.of("connecting", "a rejection", "a connection");
              }
              if (!(connected.cause() instanceof ConnectionRejectedException rejected)) {
                throw Mismatch.of("connecting", "a rejection", connected.cause().getMessage());
              }
              Mismatch.check("reject reason", RejectReason.CONSUMER_DEFINED, rejected.reason());
              checkPadded("the rejection", why, Buffer.buffer(rejected.privateData()));
              return Future.succeededFuture();
            });
  }

  /** InfiniBand and RoCE deliver the whole field, with zeros behind what was sent. */
  private static void checkPadded(String what, Buffer sent, Buffer seen) {
    Buffer expected = sent.copy();
    while (expected.length() < seen.length()) {
      expected.appendByte((byte) 0);
    }
    Mismatch.checkBytes("the private data of " + what, expected, seen);
  }
}
