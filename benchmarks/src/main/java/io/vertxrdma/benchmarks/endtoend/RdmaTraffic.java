package io.vertxrdma.benchmarks.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes with immediate over one connection or several, each with its own window. Started on the
 * event loop of its choice, where everything runs.
 */
final class RdmaTraffic implements Traffic {

  private final Vertx vertx;
  private final RdmaClient client;
  private final int port;
  private final String address;
  private final int length;
  private final int window;
  private final int connections;
  private final LongAdder packets;
  private final List<RdmaConnection> open = new ArrayList<>();
  private final LongAdder acknowledged = new LongAdder();
  private RegisteredBuffer source;
  private boolean stopping;

  /**
   * Makes a near side.
   *
   * @param local the address to connect from, null for the provider's choice
   * @param length bytes of each write
   * @param window writes under way on each connection
   * @param depth work requests each queue of a connection holds
   * @param packets where the provider's links count
   */
  RdmaTraffic(
      Vertx vertx,
      RdmaProvider provider,
      String local,
      String address,
      int port,
      int length,
      int window,
      int connections,
      int depth,
      LongAdder packets) {
    this.vertx = vertx;
    this.address = address;
    this.port = port;
    this.length = length;
    this.window = window;
    this.connections = connections;
    this.packets = packets;
    // A virtual machine that has just started, on a busy machine, takes its time to answer.
    RdmaClientOptions options =
        new RdmaClientOptions()
            .setConnectTimeout(RdmaFarSide.PATIENCE_MILLIS)
            .setResolveTimeout(RdmaFarSide.PATIENCE_MILLIS)
            .setReceiveDepth(depth)
            .setSendDepth(depth);
    options.setParameters(options.getParameters().withMinRnrTimer(1));
    if (local != null) {
      options.setLocalHost(local);
    }
    this.client = RdmaClient.create(vertx, options, provider);
  }

  /** Connects once more; the descriptor of an inbox is not known before the first connection. */
  private Future<RdmaConnection> connect(byte mode, RemoteMemory own) {
    return client.connect(port, address, own.encode().appendByte(mode)).onSuccess(open::add);
  }

  private Future<RdmaConnection> first(byte mode) {
    RemoteMemory none = new RemoteMemory(0, 0, 0);
    return connect(RdmaFarSide.TAKE, none)
        .compose(
            probe ->
                probe
                    .memory()
                    .allocateInbox(Math.max(1, length))
                    .compose(
                        memory -> {
                          source = memory;
                          return mode == RdmaFarSide.TAKE
                              ? Future.succeededFuture(probe)
                              : connect(mode, memory.remote());
                        }));
  }

  private static RemoteMemory target(RdmaConnection connection, int length) {
    return RemoteMemory.decode(connection.peerPrivateData()).slice(0, length);
  }

  @Override
  public Future<long[]> pingPong(int warmUp, int rounds) {
    return first(RdmaFarSide.ANSWER)
        .compose(
            connection -> {
              RemoteMemory target = target(connection, length);
              RegisteredBuffer.Slice bytes = source.slice(0, length);
              RoundTrips trips =
                  new RoundTrips(
                      warmUp, rounds, () -> connection.writeWithImmediate(bytes, target, 7));
              connection.immediateHandler((from, immediate, size) -> trips.answered());
              return trips.start();
            });
  }

  @Override
  public Future<Void> startStream() {
    return connectAll()
        .compose(
            all -> {
              Promise<Void> started = Promise.promise();
              open.forEach(connection -> fill(connection, started));
              return started.future();
            });
  }

  /** Connects all, one after the other. */
  Future<Void> connectAll() {
    Future<RdmaConnection> last = first(RdmaFarSide.TAKE);
    for (int i = 1; i < connections; i++) {
      last = last.compose(before -> connect(RdmaFarSide.TAKE, new RemoteMemory(0, 0, 0)));
    }
    return last.mapEmpty();
  }

  /** One write on each connection; completes when all are acknowledged. */
  Future<Void> writeOnEach() {
    RegisteredBuffer.Slice bytes = source.slice(0, length);
    List<Future<Void>> writes = new ArrayList<>();
    for (RdmaConnection connection : open) {
      writes.add(connection.writeWithImmediate(bytes, target(connection, length), 1));
    }
    return Future.all(writes).mapEmpty();
  }

  private void fill(RdmaConnection connection, Promise<Void> started) {
    RemoteMemory target = target(connection, length);
    RegisteredBuffer.Slice bytes = source.slice(0, length);
    connection.setWriteQueueMaxSize(window);
    Runnable writes =
        () -> {
          while (!stopping && !connection.writeQueueFull()) {
            connection
                .writeWithImmediate(bytes, target, 1)
                .onComplete(
                    done -> {
                      acknowledged.increment();
                      if (done.failed() && !stopping) {
                        started.tryFail(done.cause());
                      } else {
                        started.tryComplete();
                      }
                    });
          }
        };
    connection.drainHandler(drained -> writes.run());
    writes.run();
  }

  @Override
  public long messages() {
    return acknowledged.sum();
  }

  @Override
  public long packets() {
    return packets.sum();
  }

  @Override
  public Future<Void> close() {
    Promise<Void> closed = Promise.promise();
    vertx.runOnContext(
        now -> {
          stopping = true;
          client.close().onComplete(closed);
        });
    return closed.future();
  }
}
