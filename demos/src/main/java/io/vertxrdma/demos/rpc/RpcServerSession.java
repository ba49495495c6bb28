package io.vertxrdma.demos.rpc;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.demos.ProtocolException;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaConnection;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's calls at the server, each answered once. On the connection's event loop. */
final class RpcServerSession {

  private static final Logger LOG = LoggerFactory.getLogger(RpcServerSession.class);

  private final Vertx vertx;
  private final RdmaConnection connection;
  private final RpcMemory memory;
  private final RpcGreeting client;
  private final IntFunction<RpcServer.Handler> handlers;
  private final RpcCounts counts;
  private final OwnContext context;
  private final Open[] open;

  RpcServerSession(
      Vertx vertx,
      RdmaConnection connection,
      RpcMemory memory,
      RpcGreeting client,
      IntFunction<RpcServer.Handler> handlers,
      RpcCounts counts) {
    this.vertx = vertx;
    this.connection = connection;
    this.memory = memory;
    this.client = client;
    this.handlers = handlers;
    this.counts = counts;
    this.context = new OwnContext(vertx.getOrCreateContext());
    this.open = new Open[memory.greeting().slots()];
  }

  void start() {
    connection.exceptionHandler(
        failure -> LOG.info("{} was lost: {}", connection.remoteAddress(), failure.getMessage()));
    connection.closeHandler(closed -> ended());
    // A failure is the exception handler's.
    connection.immediates().subscribe(this::arrived, failure -> {});
  }

  private void arrived(Immediate immediate) {
    int call = (int) RpcWire.CALL.get(immediate);
    int opcode = (int) RpcWire.OPCODE.get(immediate);
    try {
      if (opcode == RpcWire.CANCEL) {
        cancel(call);
      } else {
        begin(opcode, call, immediate);
      }
    } catch (ProtocolException violation) {
      LOG.warn("{} was disconnected: {}", connection.remoteAddress(), violation.getMessage());
      connection.close();
    }
  }

  private void begin(int opcode, int call, Immediate immediate) {
    int slot = call % open.length;
    if (open[slot] != null) {
      throw new ProtocolException(
          "call " + call + " came while call " + open[slot].id + " has its slot");
    }
    RpcWire.checkLength(
        "a request", immediate.byteLength(), RpcWire.REQUEST_HEADER, memory.slotSize());
    Buffer message = memory.read(slot, (int) immediate.byteLength());
    long deadline = message.getUnsignedInt(0);
    Buffer body = message.getBuffer(RpcWire.REQUEST_HEADER, message.length());
    Open request = new Open(call, slot, body, deadline, immediate.nanoTime());
    open[slot] = request;
    if (deadline > 0 && request.remainingMillis() == 0) {
      // Nobody waits: not even begun.
      request.expired();
      return;
    }
    RpcServer.Handler handler = handlers.apply(opcode);
    if (handler == null) {
      counts.failed.incrementAndGet();
      request.fail(RpcException.NO_HANDLER, "nobody handles opcode " + opcode);
      return;
    }
    if (deadline > 0) {
      request.timer =
          vertx.setTimer(Math.max(1, request.remainingMillis()), fired -> request.expired());
    }
    run(handler, request).onComplete(result -> context.run(() -> request.handled(result)));
  }

  private static Future<Buffer> run(RpcServer.Handler handler, RpcRequest request) {
    try {
      Future<Buffer> answer = handler.handle(request);
      return answer == null ? Future.failedFuture("the handler returned no future") : answer;
    } catch (RuntimeException thrown) {
      return Future.failedFuture(thrown);
    }
  }

  /** Of a call that was answered meanwhile there is nothing to cancel. */
  private void cancel(int call) {
    Open request = open[call % open.length];
    if (request != null && request.id == call) {
      counts.cancelled.incrementAndGet();
      request.abandon(RpcException.CANCELLED, "the call was cancelled");
    }
  }

  private void ended() {
    memory.close();
    for (Open request : open) {
      if (request != null) {
        request.abandon(RpcException.CONNECTION, "the client has gone");
      }
    }
  }

  /** A call that was not answered yet. */
  private final class Open implements RpcRequest {

    private final int id;
    private final int slot;
    private final Buffer body;
    private final long deadline;
    private final long came;
    private long timer = -1;
    private boolean answered;
    private volatile boolean cancelled;
    private Handler<Void> cancelHandler;

    Open(int id, int slot, Buffer body, long deadline, long came) {
      this.id = id;
      this.slot = slot;
      this.body = body;
      this.deadline = deadline;
      this.came = came;
    }

    @Override
    public Buffer body() {
      return body;
    }

    @Override
    public long remainingMillis() {
      return deadline == 0
          ? Long.MAX_VALUE
          : Math.max(0, deadline - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - came));
    }

    @Override
    public boolean isCancelled() {
      return cancelled;
    }

    @Override
    public RpcRequest cancelHandler(Handler<Void> handler) {
      if (cancelled) {
        handler.handle(null);
      } else {
        cancelHandler = handler;
      }
      return this;
    }

    /** The handler has answered. */
    void handled(AsyncResult<Buffer> result) {
      if (answered) {
        counts.dropped.incrementAndGet();
        return;
      }
      if (result.failed()) {
        counts.failed.incrementAndGet();
        Throwable cause = result.cause();
        fail(cause instanceof RpcException known ? known.code() : RpcException.FAILED, text(cause));
        return;
      }
      Buffer answer = result.result() == null ? Buffer.buffer() : result.result();
      if (answer.length() > memory.outgoingSize()) {
        counts.failed.incrementAndGet();
        fail(
            RpcException.ANSWER_TOO_LARGE,
            "an answer has at most "
                + memory.outgoingSize()
                + " bytes, this has "
                + answer.length());
        return;
      }
      counts.answered.incrementAndGet();
      answer(RpcWire.ANSWER, answer);
    }

    private static String text(Throwable cause) {
      return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    void expired() {
      counts.late.incrementAndGet();
      abandon(RpcException.DEADLINE, "the deadline of " + deadline + " ms has passed");
    }

    /** Nobody waits: the slot is free as soon as the client knows, the handler need not go on. */
    void abandon(int code, String reason) {
      cancelled = true;
      fail(code, reason);
      Handler<Void> handler = cancelHandler;
      if (handler != null) {
        cancelHandler = null;
        handler.handle(null);
      }
    }

    void fail(int code, String reason) {
      answer(RpcWire.ERROR, RpcWire.error(code, reason, memory.outgoingSize()));
    }

    private void answer(int opcode, Buffer message) {
      answered = true;
      open[slot] = null;
      if (timer >= 0) {
        vertx.cancelTimer(timer);
      }
      if (connection.isOpen()) {
        // Its failure is the connection's.
        memory.write(connection, client, slot, message, RpcWire.immediate(opcode, id));
      }
    }
  }
}
