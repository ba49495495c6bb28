package io.vertxrdma.docs;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RemoteMemory;

/** The example of the README and of the getting-started chapter. */
public final class GettingStarted {

  private GettingStarted() {}

  /** A server that prints what peers write into its memory. */
  public static Future<RdmaServer> serve(Vertx vertx, String address) {
    // tag::server[]
    RdmaServer server = RdmaServer.create(vertx);
    server
        .connectRequests()
        .flatMapSingle(
            request ->
                request
                    .memory()
                    .rxAllocateInbox(4096)
                    .flatMap(
                        inbox ->
                            request
                                .rxAccept(inbox.remote().encode())
                                .doOnSuccess(
                                    connection ->
                                        connection
                                            .immediates()
                                            .subscribe(
                                                immediate ->
                                                    System.out.println(
                                                        immediate.value()
                                                            + ": "
                                                            + inbox.getBuffer(
                                                                0,
                                                                (int) immediate.byteLength()))))))
        .subscribe();
    return server.listen(18515, address);
    // end::server[]
  }

  /** A client that writes once and is told when the data is placed. */
  public static Future<RdmaConnection> write(Vertx vertx, String address) {
    // tag::client[]
    RdmaClient client = RdmaClient.create(vertx);
    return client
        .connect(18515, address)
        .compose(
            connection -> {
              RemoteMemory there = RemoteMemory.decode(connection.peerPrivateData());
              return connection
                  .memory()
                  .copyOf(Buffer.buffer("hello"))
                  .compose(line -> connection.writeWithImmediate(line, there, 42))
                  .map(placed -> connection);
            });
    // end::client[]
  }
}
