package io.vertxrdma.demos.rpc;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.ProtocolException;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.HandshakeException;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers calls by opcode. Handlers run on the server's event loop and answer when they can, in any
 * order; of each client no more calls are open at once than it has slots.
 */
public final class RpcServer {

  private static final Logger LOG = LoggerFactory.getLogger(RpcServer.class);

  /** Requests and cancellations that may be under way for each slot, and one of the next call. */
  private static final int RECEIVES_PER_SLOT = 3;

  private final Vertx vertx;
  private final RpcOptions options;
  private final RdmaServer server;
  private final Map<Integer, Handler> handlers = new ConcurrentHashMap<>();
  private final RpcCounts counts = new RpcCounts();

  /** Answers requests that it may want to know more of than the body. */
  @FunctionalInterface
  public interface Handler {

    /**
     * Answers a request.
     *
     * @return the answer; a failure with an {@link RpcException} is sent with its code, another
     *     with {@link RpcException#FAILED}
     */
    Future<Buffer> handle(RpcRequest request);
  }

  /**
   * What a server has counted.
   *
   * @param answered calls answered
   * @param failed calls answered with an error
   * @param late calls whose deadline passed before they were answered
   * @param cancelled calls that their callers have cancelled
   * @param dropped answers of handlers that nobody waited for any more
   */
  public record Counters(long answered, long failed, long late, long cancelled, long dropped) {}

  private RpcServer(Vertx vertx, RdmaProvider provider, RpcOptions options) {
    this.vertx = vertx;
    this.options = options;
    this.server =
        RdmaServer.create(
            vertx,
            new RdmaServerOptions()
                .setHeartbeatInterval(RpcClient.HEARTBEAT)
                .setReceiveDepth(RECEIVES_PER_SLOT * options.slots())
                .setSendDepth(options.slots()),
            provider);
    server.connectRequestHandler(this::requested);
  }

  /** A server that does not listen yet. */
  public static RpcServer create(Vertx vertx, RpcOptions options) {
    return create(vertx, null, options);
  }

  /**
   * A server on a provider of the caller's.
   *
   * @param provider null for the one that is chosen by the address
   */
  public static RpcServer create(Vertx vertx, RdmaProvider provider, RpcOptions options) {
    return new RpcServer(vertx, provider, options);
  }

  /**
   * Says who answers an opcode.
   *
   * @param opcode 1..255
   * @param handler from a request's body to the answer
   * @throws IllegalArgumentException for an opcode out of range, or one that has a handler
   */
  public RpcServer handle(int opcode, Function<Buffer, Future<Buffer>> handler) {
    Objects.requireNonNull(handler, "handler");
    return handleRequest(opcode, request -> handler.apply(request.body()));
  }

  /**
   * The same, for a handler that wants to know of deadline and cancellation.
   *
   * @param opcode 1..255
   * @throws IllegalArgumentException for an opcode out of range, or one that has a handler
   */
  public RpcServer handleRequest(int opcode, Handler handler) {
    RpcWire.checkOpcode(opcode);
    Objects.requireNonNull(handler, "handler");
    if (handlers.putIfAbsent(opcode, handler) != null) {
      throw new IllegalArgumentException("opcode " + opcode + " has a handler already");
    }
    return this;
  }

  /**
   * Listens.
   *
   * @param port 0..65535, 0 for one the system chooses
   * @param host an address of an RDMA device, or 0.0.0.0
   */
  public Future<RpcServer> listen(int port, String host) {
    return server.listen(port, host).map(this);
  }

  /** The port it listens on; 0 before. */
  public int actualPort() {
    return server.actualPort();
  }

  /** What was counted until now. */
  public Counters counters() {
    return counts.snapshot();
  }

  /** Closes it and its connections. */
  public Future<Void> close() {
    return server.close();
  }

  private void requested(ConnectRequest request) {
    try {
      admit(request, RpcGreeting.ofRequest(request.privateData()));
    } catch (HandshakeException stranger) {
      request.reject(stranger.toPrivateData());
    } catch (ProtocolException objection) {
      request.reject(RpcGreeting.refusal(objection.getMessage()));
    }
  }

  private void admit(ConnectRequest request, RpcGreeting client) {
    RpcOptions granted =
        new RpcOptions(Math.min(options.slots(), client.slots()), options.slotSize());
    RpcMemory.allocate(request.memory(), granted, Math.min(options.slotSize(), client.slotSize()))
        .compose(
            memory ->
                request
                    .accept(memory.greeting().encodeReply())
                    .onFailure(failed -> memory.close())
                    .map(
                        connection -> {
                          new RpcServerSession(
                                  vertx, connection, memory, client, handlers::get, counts)
                              .start();
                          return null;
                        }))
        .onFailure(
            failure -> {
              LOG.warn("{} could not connect: {}", request.remoteAddress(), failure.getMessage());
              if (!request.isAnswered()) {
                request.reject(RpcGreeting.refusal("no memory for another client"));
              }
            });
  }
}
