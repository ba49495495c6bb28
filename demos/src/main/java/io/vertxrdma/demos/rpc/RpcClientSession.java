package io.vertxrdma.demos.rpc;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.demos.ProtocolException;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaConnection;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The calls of one connection. A call waits, then is open, then has ended; its slot is in use from
 * when it is opened until the server has answered, which it does also when the caller has cancelled
 * or its deadline has passed. All but what is atomic belongs to the connection's event loop.
 */
final class RpcClientSession {

  private final VertxInternal vertx;
  private final RdmaConnection connection;
  private final RpcMemory memory;
  private final RpcGreeting server;
  private final OwnContext context;
  private final CallIds ids;
  private final Call[] open;
  private final ArrayDeque<Call> queue = new ArrayDeque<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong dropped = new AtomicLong();
  private Throwable failure;
  private RpcConnectionException over;

  RpcClientSession(
      ContextInternal context, RdmaConnection connection, RpcMemory memory, RpcGreeting server) {
    this.vertx = context.owner();
    this.connection = connection;
    this.memory = memory;
    this.server = server;
    this.context = new OwnContext(context);
    this.ids = new CallIds(server.slots());
    this.open = new Call[server.slots()];
  }

  void start() {
    connection.exceptionHandler(this::failed);
    connection.closeHandler(closed -> ended());
    connection.immediates().subscribe(this::arrived, this::failed);
  }

  int maxRequestBytes() {
    return Math.min(server.slotSize(), memory.outgoingSize()) - RpcWire.REQUEST_HEADER;
  }

  int slots() {
    return open.length;
  }

  int waiting() {
    return waiting.get();
  }

  long dropped() {
    return dropped.get();
  }

  /** Begins a call; a deadline of 0 is none. */
  RpcCall start(int opcode, Buffer request, long deadlineMillis) {
    RpcWire.checkOpcode(opcode);
    Objects.requireNonNull(request, "request");
    if (request.length() > maxRequestBytes()) {
      throw new IllegalArgumentException(
          "a request has at most " + maxRequestBytes() + " bytes, this has " + request.length());
    }
    // Its result is told in the caller's context.
    Call call = new Call(opcode, request, deadlineMillis, vertx.promise());
    waiting.incrementAndGet();
    context.run(call::begin);
    return call;
  }

  private void arrived(Immediate immediate) {
    int id = (int) RpcWire.CALL.get(immediate);
    int opcode = (int) RpcWire.OPCODE.get(immediate);
    try {
      int slot = ids.slot(id);
      Call call = open[slot];
      if (call == null || call.id != id) {
        throw new ProtocolException("the server answered call " + id + ", which is not open");
      }
      RpcWire.checkLength("an answer", immediate.byteLength(), 0, memory.slotSize());
      Buffer message = memory.read(slot, (int) immediate.byteLength());
      RpcException error =
          switch (opcode) {
            case RpcWire.ANSWER -> null;
            case RpcWire.ERROR -> RpcWire.error(message);
            default -> throw new ProtocolException("the server sent an answer of kind " + opcode);
          };
      open[slot] = null;
      ids.giveBack(id);
      call.answered(message, error);
      openWaiting();
    } catch (ProtocolException violation) {
      failed(violation);
      connection.close();
    }
  }

  private void openWaiting() {
    while (over == null && ids.free() > 0 && !queue.isEmpty()) {
      Call next = queue.remove();
      if (!next.ended) {
        next.open();
      }
    }
  }

  private void failed(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  private void ended() {
    String reason = failure == null ? "the connection was closed" : failure.getMessage();
    over = new RpcConnectionException(reason, failure);
    memory.close();
    for (Call call : open) {
      if (call != null) {
        call.fail(over);
      }
    }
    queue.forEach(call -> call.fail(over));
    queue.clear();
  }

  /** One call. */
  private final class Call implements RpcCall {

    private final int opcode;
    private final Buffer request;
    private final long deadlineMillis;
    private final long began = System.nanoTime();
    private final Promise<Buffer> promise;
    private long timer = -1;
    private int id = -1;
    private boolean ended;

    Call(int opcode, Buffer request, long deadlineMillis, Promise<Buffer> promise) {
      this.opcode = opcode;
      this.request = request;
      this.deadlineMillis = deadlineMillis;
      this.promise = promise;
    }

    @Override
    public Future<Buffer> result() {
      return promise.future();
    }

    @Override
    public void cancel() {
      context.run(
          () -> {
            if (!ended) {
              fail(new RpcCancelledException());
              if (id >= 0 && connection.isOpen()) {
                connection.writeImmediate(RpcWire.immediate(RpcWire.CANCEL, id));
              }
            }
          });
    }

    void begin() {
      if (over != null) {
        fail(over);
        return;
      }
      if (ended) {
        return;
      }
      if (deadlineMillis > 0) {
        timer =
            vertx.setTimer(deadlineMillis, fired -> fail(new RpcDeadlineException(deadlineMillis)));
      }
      queue.add(this);
      openWaiting();
    }

    /** Takes a slot and sends the request. */
    void open() {
      long left = 0;
      if (deadlineMillis > 0) {
        long gone = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        left = Math.max(1, deadlineMillis - gone);
      }
      id = ids.take();
      int slot = ids.slot(id);
      open[slot] = this;
      waiting.decrementAndGet();
      Buffer message =
          Buffer.buffer(RpcWire.REQUEST_HEADER + request.length())
              .appendUnsignedInt(left)
              .appendBuffer(request);
      try {
        // Its failure is the connection's, which fails the call.
        memory.write(connection, server, slot, message, RpcWire.immediate(opcode, id));
      } catch (IllegalStateException closing) {
        failed(closing);
      }
    }

    void answered(Buffer message, RpcException error) {
      if (ended) {
        dropped.incrementAndGet();
      } else if (error == null) {
        end();
        promise.complete(message);
      } else {
        fail(
            switch (error.code()) {
              case RpcException.DEADLINE -> new RpcDeadlineException(deadlineMillis);
              default -> error;
            });
      }
    }

    void fail(RpcException cause) {
      if (!ended) {
        end();
        promise.fail(cause);
      }
    }

    private void end() {
      ended = true;
      if (id < 0) {
        waiting.decrementAndGet();
      }
      if (timer >= 0) {
        vertx.cancelTimer(timer);
      }
    }
  }
}
