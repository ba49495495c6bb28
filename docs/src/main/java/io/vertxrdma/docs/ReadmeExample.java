package io.vertxrdma.docs;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RemoteMemory;

/** The README's example, line for line. */
public final class ReadmeExample {

  private ReadmeExample() {}

  /** A server with memory that peers may write to. */
  public static RdmaServer serve(Vertx vertx, String address) {
    RdmaServer server = RdmaServer.create(vertx);
    server.connectRequestHandler(
        request ->
            request
                .memory()
                .allocateInbox(4096) // memory that peers may write to
                .onSuccess(
                    inbox ->
                        request
                            .accept(inbox.remote().encode()) // its address and key, for the peer
                            .onSuccess(
                                connection ->
                                    connection
                                        .immediates() // a Flowable: demand reaches the network
                                        .map(
                                            i ->
                                                i + ": " + inbox.getBuffer(0, (int) i.byteLength()))
                                        .subscribe(System.out::println))));
    server.listen(18515, address);
    return server;
  }

  /** A client that writes into the server's memory. */
  public static void write(Vertx vertx, String address) {
    RdmaClient.create(vertx)
        .rxConnect(18515, address)
        .flatMapCompletable(
            connection -> {
              RemoteMemory there = RemoteMemory.decode(connection.peerPrivateData());
              return connection
                  .memory()
                  .rxCopyOf(Buffer.buffer("hello"))
                  .flatMapCompletable(line -> connection.rxWriteWithImmediate(line, there, 42));
            })
        .subscribe(() -> System.out.println("written"), System.err::println);
  }
}
