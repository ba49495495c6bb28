package io.vertxrdma.tools.tune;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.HandshakeRejection;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.Handshake;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.tools.CommandFailure;
import io.vertxrdma.tools.TerminalLine;
import java.util.Set;

/**
 * Does what each request asks for, one after the other, until one says that the run is over. On the
 * event loop.
 */
final class StepServer {

  /** The code of a rejection: a step is being served. */
  static final int BUSY = HandshakeRejection.APPLICATION;

  /** The code of a rejection: the request makes no sense. */
  static final int NO_STEP = BUSY + 1;

  /** The code of a rejection, and the answer to the end of a run. */
  static final int OVER = BUSY + 2;

  /** The immediate of the report, which is the last; those before it say nothing. */
  static final int REPORT = -1;

  private final Vertx vertx;
  private final RdmaServer server;
  private final int sends;
  private final int timeoutMillis;
  private final TerminalLine line;
  private final Handshake hello;
  private final Promise<Integer> outcome = Promise.promise();
  private long timer;
  private boolean busy;
  private ConnectRequest next;
  private int steps;

  /**
   * A server.
   *
   * @param queue how many sends the device holds for a connection
   * @param timeoutMillis how long nobody may come
   * @param line says what it does
   */
  StepServer(Vertx vertx, RdmaProvider provider, int queue, int timeoutMillis, TerminalLine line) {
    this(vertx, provider, queue, timeoutMillis, line, Step.serverSide());
  }

  /** One that introduces itself in its own way. */
  StepServer(
      Vertx vertx,
      RdmaProvider provider,
      int queue,
      int timeoutMillis,
      TerminalLine line,
      Handshake hello) {
    this.vertx = vertx;
    this.sends = Math.min(queue, Step.MOST_DEPTH);
    this.timeoutMillis = timeoutMillis;
    this.line = line;
    this.hello = hello;
    this.server =
        RdmaServer.create(
            vertx,
            new RdmaServerOptions()
                .setSendDepth(sends)
                .setReceiveDepth(1)
                .setAcceptTimeout(timeoutMillis),
            provider);
  }

  /** Listens; the future has the number of steps served, and fails when nobody comes. */
  Future<Integer> serve(int port, String address, Runnable listening) {
    server.connectRequestHandler(this::requested);
    return server
        .listen(port, address)
        .compose(
            bound -> {
              listening.run();
              waitForSomebody();
              return outcome.future();
            })
        .eventually(
            () -> {
              vertx.cancelTimer(timer);
              line.clear();
              return server.close();
            });
  }

  private void waitForSomebody() {
    timer =
        vertx.setTimer(
            timeoutMillis,
            fired ->
                outcome.tryFail(
                    new CommandFailure(
                        (steps == 0
                                ? "no client came within "
                                : "the client did not come back within ")
                            + timeoutMillis / 1_000
                            + " seconds")));
  }

  private void requested(ConnectRequest request) {
    if (!hello.accepts(request.privateData())) {
      request.reject(hello.reason(request.privateData()));
      return;
    }
    Step step;
    try {
      step = Step.decode(hello.decode(request.privateData()).application());
    } catch (IllegalArgumentException nonsense) {
      request.reject(Handshake.reason(NO_STEP, nonsense.getMessage()));
      return;
    }
    if (busy && next != null) {
      request.reject(Handshake.reason(BUSY, "another step is being served"));
    } else if (busy) {
      // The client is often back before this side has closed the step before.
      next = request;
    } else if (step.kind() == Step.Kind.END) {
      request
          .reject(Handshake.reason(OVER, "the run is over"))
          .onComplete(told -> outcome.tryComplete(steps));
    } else {
      busy = true;
      vertx.cancelTimer(timer);
      line.show("step " + (steps + 1) + ": " + step.kind() + ", " + step.depth() + " under way");
      // A step that fails is the client's to tell of: it may have wanted to see just that.
      serve(request, step)
          .onComplete(
              served -> {
                busy = false;
                steps++;
                line.clear();
                waitForSomebody();
                ConnectRequest waiting = next;
                next = null;
                if (waiting != null && !waiting.isAnswered()) {
                  requested(waiting);
                }
              });
    }
  }

  private Future<Void> serve(ConnectRequest request, Step step) {
    return request
        .memory()
        .allocate(
            Math.max(step.length(), Measured.BYTES),
            Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ))
        .compose(
            memory ->
                request
                    .accept(
                        hello.encodeReply(new Step.Answer(sends, memory.remote()).encode()),
                        ConnectionParameters.DEFAULT.withResponderResources(
                            responderResources(step)))
                    .compose(connection -> work(connection, step, memory))
                    .eventually(memory::close),
            failure -> request.reject().transform(rejected -> Future.failedFuture(failure)));
  }

  private static int responderResources(Step step) {
    return step.kind() == Step.Kind.READ
        ? Math.min(step.depth(), ConnectionParameters.DEVICE_MAXIMUM)
        : ConnectionParameters.DEFAULT.responderResources();
  }

  private Future<Void> work(RdmaConnection connection, Step step, RegisteredBuffer memory) {
    if (step.kind() == Step.Kind.READ) {
      return connection.closed();
    }
    return new TimedLoad(
            vertx,
            connection.device(),
            () ->
                connection.writeWithImmediate(
                    memory.slice(0, step.length()), step.memory().slice(0, step.length()), 0),
            Math.min(step.depth(), sends),
            step.millis())
        .run()
        .compose(
            measured -> {
              memory.setBytes(0, measured.encode().getBytes());
              return connection.writeWithImmediate(
                  memory.slice(0, Measured.BYTES),
                  step.memory().slice(0, Measured.BYTES),
                  Integer.toUnsignedLong(REPORT));
            })
        // The client closes when it has it.
        .transform(reported -> connection.closed());
  }
}
