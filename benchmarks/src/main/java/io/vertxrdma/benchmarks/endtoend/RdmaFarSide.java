package io.vertxrdma.benchmarks.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaOptions;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import java.util.concurrent.atomic.LongAdder;

/**
 * The side that listens: answers each immediate with one, or only takes it, as the client's private
 * data says. That is the descriptor of the client's inbox and one more byte.
 */
final class RdmaFarSide {

  /** Bytes of an inbox, and so of the largest write. */
  static final int INBOX = 1 << 20;

  /** How long connecting may take. */
  static final int PATIENCE_MILLIS = 120_000;

  /** The last byte of the private data of clients that want answers. */
  static final byte ANSWER = 1;

  /** The same of clients that want none. */
  static final byte TAKE = 0;

  private final RdmaServer server;
  private final LongAdder taken = new LongAdder();
  private Future<RegisteredBuffer> inbox;

  RdmaFarSide(Vertx vertx, RdmaProvider provider) {
    this(vertx, provider, RdmaOptions.DEFAULT_RECEIVE_DEPTH);
  }

  /** With queues of that many work requests. */
  RdmaFarSide(Vertx vertx, RdmaProvider provider, int depth) {
    server =
        RdmaServer.create(vertx, options().setReceiveDepth(depth).setSendDepth(depth), provider);
    server.connectRequestHandler(this::requested);
  }

  private static RdmaServerOptions options() {
    RdmaServerOptions options = new RdmaServerOptions().setAcceptTimeout(PATIENCE_MILLIS);
    return options.setParameters(options.getParameters().withMinRnrTimer(1));
  }

  /** Listens; port 0 chooses one. Completes with the port. */
  Future<Integer> listen(int port, String address) {
    return server.listen(port, address).map(listening -> listening.actualAddress().port());
  }

  /** Immediates that came, over all connections. */
  long taken() {
    return taken.sum();
  }

  private void requested(ConnectRequest request) {
    Buffer data = request.privateData();
    boolean answer = data.getByte(RemoteMemory.ENCODED_LENGTH) == ANSWER;
    if (inbox == null) {
      inbox = request.memory().allocateInbox(INBOX);
    }
    inbox
        .compose(
            memory ->
                request
                    .accept(memory.remote().encode())
                    .onSuccess(
                        connection -> serve(connection, memory, RemoteMemory.decode(data), answer)))
        .onFailure(failure -> System.err.println("far side: " + failure));
  }

  private void serve(
      RdmaConnection connection, RegisteredBuffer memory, RemoteMemory theirs, boolean answer) {
    if (answer) {
      connection.immediateHandler(
          (from, immediate, length) -> {
            taken.increment();
            from.writeWithImmediate(
                memory.slice(0, length), theirs, Integer.toUnsignedLong(immediate));
          });
    } else {
      connection.immediateHandler((from, immediate, length) -> taken.increment());
    }
  }

  Future<Void> close() {
    return server.close();
  }
}
