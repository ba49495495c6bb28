package io.vertxrdma.demos.rpc;

import io.reactivex.rxjava3.core.Single;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.ProtocolException;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Calls a server by opcode, over one connection. Any number of calls may be begun: as many as there
 * are slots are open at once, further ones wait in order until one of them was answered. Answers
 * come in any order. Any thread.
 */
public final class RpcClient {

  /**
   * After so many milliseconds without a word to its peer either side looks whether it is there: a
   * call without a deadline would wait for ever for a server that was killed.
   */
  static final int HEARTBEAT = 2_000;

  private final RdmaClient client;
  private final RdmaConnection connection;
  private final RpcClientSession session;

  private RpcClient(RdmaClient client, RdmaConnection connection, RpcClientSession session) {
    this.client = client;
    this.connection = connection;
    this.session = session;
  }

  /** Connects to a server, on the provider that its address belongs to. */
  public static Future<RpcClient> connect(Vertx vertx, int port, String host, RpcOptions options) {
    return connect(
        vertx, null, new RdmaClientOptions().setHeartbeatInterval(HEARTBEAT), port, host, options);
  }

  /**
   * Connects to a server.
   *
   * @param provider null for the one that is chosen by the address
   * @param rdma options of the connection; its depths follow from the slots
   * @return fails as {@link RdmaClient#connect(int, String)} does, with {@link HandshakeException}
   *     when the other end speaks another protocol, and with {@link ProtocolException} when it
   *     offers impossible memory
   */
  public static Future<RpcClient> connect(
      Vertx vertx,
      RdmaProvider provider,
      RdmaClientOptions rdma,
      int port,
      String host,
      RpcOptions options) {
    RdmaClientOptions own =
        new RdmaClientOptions(rdma)
            .setReceiveDepth(2 * options.slots())
            .setSendDepth(2 * options.slots());
    ContextInternal caller = ((VertxInternal) vertx).getOrCreateContext();
    ContextInternal loop =
        caller.isEventLoopContext() ? caller.unwrap() : caller.owner().createEventLoopContext();
    Promise<RpcClient> connected = caller.promise();
    loop.runOnContext(
        turn -> {
          try {
            RdmaClient client = RdmaClient.create(vertx, own, provider);
            connect(loop, client, port, host, options)
                .onFailure(failed -> client.close())
                .onComplete(connected);
          } catch (RuntimeException refused) {
            connected.fail(refused);
          }
        });
    return connected.future();
  }

  private static Future<RpcClient> connect(
      ContextInternal loop, RdmaClient client, int port, String host, RpcOptions options) {
    RpcMemory[] memory = {null};
    return client
        .connect(
            port,
            host,
            registered ->
                // Requests may be as large as answers, or as small as the server wants them.
                RpcMemory.allocate(registered, options, options.slotSize())
                    .map(
                        made -> {
                          memory[0] = made;
                          return made.greeting().encodeRequest();
                        }))
        .compose(connection -> begin(loop, client, connection, memory[0]));
  }

  private static Future<RpcClient> begin(
      ContextInternal loop, RdmaClient client, RdmaConnection connection, RpcMemory memory) {
    RpcGreeting server;
    try {
      server = RpcGreeting.ofReply(connection.peerPrivateData(), memory.greeting().slots());
    } catch (HandshakeException | ProtocolException stranger) {
      return connection.close().transform(closed -> Future.failedFuture(stranger));
    }
    RpcClientSession session = new RpcClientSession(loop, connection, memory, server);
    session.start();
    return Future.succeededFuture(new RpcClient(client, connection, session));
  }

  /**
   * Calls.
   *
   * @param opcode 1..255
   * @param request at most {@link #maxRequestBytes()}
   * @return see {@link RpcCall#result()}
   * @throws IllegalArgumentException for an opcode out of range or a request that is too large
   */
  public Future<Buffer> call(int opcode, Buffer request) {
    return start(opcode, request).result();
  }

  /**
   * Calls, and waits no longer than that; the time counts from now, whether or not a slot is free.
   * The server is told and need not begin, or go on with, what nobody waits for.
   *
   * @param opcode 1..255
   * @param request at most {@link #maxRequestBytes()}
   * @param deadline 1 millisecond or more, at most 24 days
   * @return see {@link RpcCall#result()}
   * @throws IllegalArgumentException for an opcode or deadline out of range or a request that is
   *     too large
   */
  public Future<Buffer> call(int opcode, Buffer request, long deadline, TimeUnit unit) {
    return start(opcode, request, deadline, unit).result();
  }

  /** {@link #call(int, Buffer)}, in a form that can be cancelled. */
  public RpcCall start(int opcode, Buffer request) {
    return session.start(opcode, request, 0);
  }

  /** {@link #call(int, Buffer, long, TimeUnit)}, in a form that can be cancelled. */
  public RpcCall start(int opcode, Buffer request, long deadline, TimeUnit unit) {
    long millis = unit.toMillis(deadline);
    if (millis < 1 || millis > RpcWire.MAX_DEADLINE) {
      throw new IllegalArgumentException(
          "the deadline must be 1.." + RpcWire.MAX_DEADLINE + " ms, was " + millis);
    }
    return session.start(opcode, request, millis);
  }

  /** {@link #call(int, Buffer)}, when subscribed to; disposing cancels the call. */
  public Single<Buffer> rxCall(int opcode, Buffer request) {
    return rx(() -> start(opcode, request));
  }

  /** {@link #call(int, Buffer, long, TimeUnit)}, when subscribed to; disposing cancels the call. */
  public Single<Buffer> rxCall(int opcode, Buffer request, long deadline, TimeUnit unit) {
    return rx(() -> start(opcode, request, deadline, unit));
  }

  private static Single<Buffer> rx(Supplier<RpcCall> begin) {
    return Single.create(
        emitter -> {
          RpcCall call = begin.get();
          emitter.setCancellable(call::cancel);
          call.result().onSuccess(emitter::onSuccess).onFailure(emitter::tryOnError);
        });
  }

  /** Bytes that a request has at most: the size of the server's slots, less 4. */
  public int maxRequestBytes() {
    return session.maxRequestBytes();
  }

  /** Calls that may be open at once. */
  public int slots() {
    return session.slots();
  }

  /** Calls that wait for a slot, at the moment. */
  public int waiting() {
    return session.waiting();
  }

  /** Answers that came when nobody waited for them any more. */
  public long droppedAnswers() {
    return session.dropped();
  }

  /** Completes when the connection has ended, however. */
  public Future<Void> closed() {
    return connection.closed();
  }

  /** Closes the connection; calls that were not answered fail. */
  public Future<Void> close() {
    return client.close();
  }
}
