package io.vertxrdma.docs;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.ReceivedMessage;

/** The code of the chapter for users of DiSNI. */
public final class ComingFromDisni {

  private ComingFromDisni() {}

  /** A server that answers each message with the same one. */
  public static Future<RdmaServer> server(Vertx vertx, String address) {
    // tag::server[]
    RdmaServerOptions options =
        new RdmaServerOptions().setReceiveBufferSize(1024).setReceiveDepth(16); // postRecv
    RdmaServer server = RdmaServer.create(vertx, options); // endpoint group
    server
        .connections() // accept, for all who come
        .subscribe(
            connection ->
                connection
                    .messages() // dispatchCqEvent, for receives
                    .map(ReceivedMessage::take) // copied, and posted again
                    .concatMapSingle(
                        message -> connection.memory().rxCopyOf(message)) // registerMemory
                    .flatMapCompletable(
                        answer ->
                            connection
                                .rxSend(answer.all()) // postSend
                                .doFinally(answer::close)) // deregisterMemory
                    .subscribe(() -> {}, failure -> connection.close()));
    return server.listen(1919, address); // bind
    // end::server[]
  }

  /** Asks once. */
  public static Future<Buffer> client(RdmaClient client, String address) {
    // tag::client[]
    return client // made with setReceiveBufferSize(1024), for the answer
        .connect(1919, address)
        .compose(
            connection -> {
              Future<Buffer> answer =
                  Future.future(
                      told ->
                          connection
                              .messages()
                              .take(1)
                              .subscribe(message -> told.complete(message.take()), told::fail));
              return connection
                  .memory()
                  .copyOf(Buffer.buffer("ping"))
                  .compose(ping -> connection.send(ping.all()))
                  .compose(sent -> answer)
                  .eventually(connection::close);
            });
    // end::client[]
  }
}
