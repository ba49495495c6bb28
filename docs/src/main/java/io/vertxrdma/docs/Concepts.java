package io.vertxrdma.docs;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.reactive.WorkRequest;
import java.util.function.Consumer;

/** The code of the chapter on concepts. */
public final class Concepts {

  private Concepts() {}

  /** The receiving side. */
  public static Future<RdmaConnection> receive(ConnectRequest request, Consumer<Buffer> line) {
    // tag::receive[]
    Future<RegisteredBuffer> region = request.memory().allocateInbox(4096); // memory region
    return region.compose(
        inbox -> {
          Buffer rkey = inbox.remote().encode(); // address, rkey, length: 16 bytes
          return request
              .accept(rkey) // private data of the connection manager's answer
              .onSuccess(
                  connection ->
                      connection // its queue pair has receives posted already
                          .immediates() // completions of receives
                          .subscribe(
                              immediate ->
                                  line.accept(inbox.getBuffer(0, (int) immediate.byteLength()))));
        });
    // end::receive[]
  }

  /** The sending side. */
  public static Future<Void> send(RdmaConnection connection, String line) {
    // tag::send[]
    RemoteMemory there = RemoteMemory.decode(connection.peerPrivateData()); // the peer's rkey
    return connection
        .memory()
        .copyOf(Buffer.buffer(line)) // a region of this side, with its lkey
        .compose(
            here -> {
              WorkRequest write = WorkRequest.writeWithImmediate(there, 1, here.all());
              return connection
                  .post(write) // into the send queue
                  .eventually(here::close); // its completion: the bytes are in the peer's memory
            });
    // end::send[]
  }
}
