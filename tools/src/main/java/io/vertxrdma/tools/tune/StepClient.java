package io.vertxrdma.tools.tune;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.Adjustment;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.Handshake;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaMemory;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.tools.CommandFailure;
import java.util.function.Function;

/** Connects for one step after the other and measures. On the event loop. */
final class StepClient {

  private static final RemoteMemory NOWHERE = new RemoteMemory(0, 0, 0);

  private final Vertx vertx;
  private final RdmaProvider provider;
  private final String host;
  private final int port;
  private final int length;
  private final int millis;
  private final int timeoutMillis;
  private final Handshake hello = Step.clientSide();
  private DeviceContext device;
  private DeviceQueue queue = new DeviceQueue(1, "");

  /**
   * A client.
   *
   * @param length bytes of each operation
   * @param millis for how long each step measures
   * @param timeoutMillis how long each may take to connect, and again beyond that time
   */
  StepClient(
      Vertx vertx,
      RdmaProvider provider,
      String host,
      int port,
      int length,
      int millis,
      int timeoutMillis) {
    this.vertx = vertx;
    this.provider = provider;
    this.host = host;
    this.port = port;
    this.length = length;
    this.millis = millis;
    this.timeoutMillis = timeoutMillis;
  }

  /** The device of the last connection; null before the first. */
  DeviceContext device() {
    return device;
  }

  /** How many receives its device holds for a connection. */
  DeviceQueue queue() {
    return queue;
  }

  /**
   * Measures reads.
   *
   * @param depth how many under way
   * @param limits told when less is possible; the point has the depth that was
   * @return fails when no connection came about; one that broke is a point that failed
   */
  Future<Point> read(int depth, Sweep limits) {
    int asked = clampToQueue(depth, limits);
    RdmaClientOptions options = options().setSendDepth(asked).setReceiveDepth(1);
    options.setParameters(ConnectionParameters.DEFAULT.withInitiatorDepth(asked));
    return connected(
        options,
        memory -> Future.succeededFuture(request(Step.Kind.READ, asked, NOWHERE)),
        asked,
        connection -> {
          int possible = connection.negotiated().initiatorDepth();
          if (possible < asked) {
            limits.limit(possible, reason(connection));
          }
          return possible == 0
              ? Future.succeededFuture(Point.failed(asked, reason(connection)))
              : read(connection, possible);
        });
  }

  private Future<Point> read(RdmaConnection connection, int depth) {
    RemoteMemory source = answer(connection).memory().slice(0, length);
    return connection
        .memory()
        .allocate(length)
        .compose(
            target ->
                new TimedLoad(
                        vertx,
                        connection.device(),
                        () -> connection.read(source, target.slice(0, length)),
                        depth,
                        millis)
                    .run())
        .map(measured -> measured.point(depth, 0));
  }

  /**
   * Measures writes with immediate, which the server makes.
   *
   * @param depth how many under way
   * @param receives how many receives this side has; at least one
   * @param labelled the depth of the point when it is not that of the writes, or 0
   * @param limits told when less is possible
   * @return as for reads
   */
  Future<Point> write(int depth, int receives, int labelled, Sweep limits) {
    int asked = clampToQueue(depth, limits);
    RdmaClientOptions options =
        options().setSendDepth(1).setReceiveDepth(Math.min(receives, queue.entries()));
    Promise<RegisteredBuffer> inbox = Promise.promise();
    return connected(
        options,
        memory ->
            memory
                .allocateInbox(Math.max(length, Measured.BYTES))
                .onComplete(inbox)
                .map(made -> request(Step.Kind.WRITE, asked, made.remote())),
        labelled == 0 ? asked : labelled,
        connection -> {
          int sends = answer(connection).sends();
          if (sends < asked) {
            limits.limit(sends, "a send queue of the server's device holds " + sends);
          }
          int used = labelled == 0 ? Math.min(asked, sends) : labelled;
          return report(connection, inbox.future().result())
              .map(told -> told.point(used, connection.counters().receivesExhausted()));
        });
  }

  private Future<Measured> report(RdmaConnection connection, RegisteredBuffer inbox) {
    return Future.future(
        report ->
            connection.immediateHandler(
                (from, immediate, bytes) -> {
                  if (immediate == StepServer.REPORT) {
                    report.complete(Measured.decode(inbox.getBuffer(0, Measured.BYTES)));
                  }
                }));
  }

  /** Tells the server that the run is over; never fails. */
  Future<Void> end() {
    RdmaClient client =
        RdmaClient.create(vertx, options().setSendDepth(1).setReceiveDepth(1), provider);
    return client
        .connect(port, host, request(Step.Kind.END, 1, NOWHERE))
        .eventually(client::close)
        .transform(rejected -> Future.succeededFuture());
  }

  private RdmaClientOptions options() {
    return new RdmaClientOptions()
        .setConnectTimeout(timeoutMillis)
        .setResolveTimeout(timeoutMillis);
  }

  private Buffer request(Step.Kind kind, int depth, RemoteMemory memory) {
    return hello.encode(new Step(kind, depth, length, millis, memory).encode());
  }

  private Step.Answer answer(RdmaConnection connection) {
    return Step.Answer.decode(hello.decodeReply(connection.peerPrivateData()).application());
  }

  private int clampToQueue(int depth, Sweep limits) {
    if (depth > queue.entries()) {
      limits.limit(queue.entries(), queue.reason());
    }
    return Math.min(depth, queue.entries());
  }

  private static String reason(RdmaConnection connection) {
    return connection.negotiated().adjustments().stream()
        .filter(adjustment -> adjustment.field().equals("initiatorDepth"))
        .map(Adjustment::reason)
        .reduce((first, last) -> last)
        .orElse("this connection has no more");
  }

  private Future<Point> connected(
      RdmaClientOptions options,
      Function<RdmaMemory, Future<Buffer>> privateData,
      int depth,
      Function<RdmaConnection, Future<Point>> work) {
    RdmaClient client = RdmaClient.create(vertx, options, provider);
    return client
        .connect(port, host, privateData)
        .compose(connection -> hello.verifyReply(connection).map(connection))
        .compose(
            connection -> {
              device = connection.device();
              queue = DeviceQueue.of(device);
              return guarded(connection, work)
                  .otherwise(broke -> Point.failed(depth, broke.getMessage()))
                  .eventually(connection::close);
            })
        .eventually(client::close);
  }

  /** The work, unless the connection or the time ends first. */
  private Future<Point> guarded(
      RdmaConnection connection, Function<RdmaConnection, Future<Point>> work) {
    Promise<Point> point = Promise.promise();
    int most = millis + timeoutMillis;
    long timer =
        vertx.setTimer(
            most,
            fired -> point.tryFail(new CommandFailure("no result within " + most / 1_000 + " s")));
    connection.exceptionHandler(point::tryFail);
    connection.closeHandler(
        closed -> point.tryFail(new CommandFailure("the server closed the connection")));
    work.apply(connection)
        .onComplete(
            done -> {
              if (done.succeeded()) {
                point.tryComplete(done.result());
              } else {
                point.tryFail(done.cause());
              }
            });
    return point.future().onComplete(ended -> vertx.cancelTimer(timer));
  }
}
