package hello;

import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RemoteMemory;

/** A server and a client in one program: the client writes lines into the server's memory. */
public final class Hello {

  private static final int SLOT = 128; // bytes of the server's memory for each line

  public static void main(String[] arguments) {
    String address = arguments.length > 0 ? arguments[0] : "127.0.0.1";
    Vertx vertx = Vertx.vertx();
    try {
      RdmaServer server = RdmaServer.create(vertx);
      RdmaClient client = RdmaClient.create(vertx);
      read(server)
          .mergeWith(server.rxListen(0, address) // 0: any free port
              .flatMapCompletable(listening -> write(client, listening.actualPort(), address)))
          .blockingForEach(System.out::println);
    } finally {
      vertx.close().await();
    }
  }

  /** Serves one client; each of its writes is an item: the immediate, and what was written. */
  private static Flowable<String> read(RdmaServer server) {
    return server.connectRequests().take(1).flatMap(request ->
        request.memory().rxAllocateInbox(4 * SLOT).flatMapPublisher(inbox ->
            request.rxAccept(inbox.remote().encode()) // tells the client where to write
                .flatMapPublisher(RdmaConnection::immediates)
                .map(slot -> slot.value() + ": "
                    + inbox.getBuffer(slot.intValue() * SLOT, (int) slot.byteLength()))));
  }

  /** Writes a line into each slot, with the slot's number as the immediate, and disconnects. */
  private static Completable write(RdmaClient client, int port, String address) {
    return client.rxConnect(port, address).flatMapCompletable(connection -> {
      RemoteMemory inbox = RemoteMemory.decode(connection.peerPrivateData());
      return Flowable.range(0, 4).concatMapCompletable(slot ->
              connection.memory().rxCopyOf(Buffer.buffer("hello, slot " + slot))
                  .flatMapCompletable(line ->
                      connection.rxWriteWithImmediate(line, inbox.slice(slot * SLOT, SLOT), slot)))
          .andThen(connection.rxClose());
    });
  }
}
