package io.vertxrdma.docs;

import io.reactivex.rxjava3.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.ImmediateHandler;
import io.vertxrdma.reactive.ImmediateLayout;
import io.vertxrdma.reactive.ImmediateRouter;
import io.vertxrdma.reactive.InboxRing;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.reactive.RingChannel;
import io.vertxrdma.reactive.RingDescriptor;
import io.vertxrdma.reactive.RingFormat;
import io.vertxrdma.reactive.RingMessage;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** The code of the chapter on immediates. */
public final class Immediates {

  private static final int STORED = 1;
  static final int PING = 2;

  // tag::layout[]
  static final ImmediateLayout LAYOUT =
      ImmediateLayout.builder().field("type", 8).field("index", 24).build();

  // end::layout[]

  private Immediates() {}

  /** A write whose immediate says what it is and where. */
  public static Future<Void> send(
      RdmaConnection connection, RegisteredBuffer record, RemoteMemory there, int index) {
    // tag::send[]
    return connection.writeWithImmediate(
        record, there, LAYOUT.of("type", STORED).with("index", index).toLong());
    // end::send[]
  }

  /** The fields without a look-up by name for each immediate. */
  public static ImmediateHandler hotPath(Consumer<Long> seen) {
    // tag::field[]
    ImmediateLayout.Field index = LAYOUT.field("index");
    ImmediateHandler handler =
        (connection, immediate, byteLength) -> seen.accept(index.get(immediate));
    // end::field[]
    return handler;
  }

  /** Each immediate to the handler of its type. */
  public static Completable route(
      RdmaConnection connection, LongFunction<Completable> store, Runnable pinged) {
    // tag::route[]
    ImmediateLayout.Field index = LAYOUT.field("index");
    ImmediateRouter router =
        LAYOUT
            .route("type")
            .onCompletable(STORED, immediate -> store.apply(index.get(immediate)))
            .on(PING, immediate -> pinged.run());
    return router.route(connection.immediates());
    // end::route[]
  }

  /** A server that reads messages from a ring and answers each. */
  public static RdmaServer ringServer(RdmaServer server) {
    // tag::ring-server[]
    return server.connectRequestHandler(
        request -> {
          RingDescriptor there = RingDescriptor.decode(request.privateData());
          InboxRing.allocate(request.memory(), 64, 4096)
              .compose(
                  inbox ->
                      request
                          .accept(inbox.descriptor().encode())
                          .map(connection -> RingChannel.over(connection, inbox, there)))
              .onSuccess(
                  channel ->
                      channel
                          .buffers()
                          .concatMapCompletable(line -> channel.rxWrite(line.appendString("!")))
                          .subscribe(() -> {}, failure -> {}));
        });
    // end::ring-server[]
  }

  /** A client with a ring of its own for the answers. */
  public static Future<RingChannel> ringClient(RdmaClient client, int port, String address) {
    // tag::ring-client[]
    AtomicReference<InboxRing> inbox = new AtomicReference<>();
    return client
        .connect(
            port,
            address,
            memory ->
                InboxRing.allocate(memory, 64, 4096)
                    .onSuccess(inbox::set)
                    .map(ring -> ring.descriptor().encode()))
        .map(
            connection ->
                RingChannel.over(
                    connection, inbox.get(), RingDescriptor.decode(connection.peerPrivateData())));
    // end::ring-client[]
  }

  /** Messages read where they lie. */
  public static void readInPlace(RingChannel channel, Consumer<ByteBuffer> parse) {
    // tag::in-place[]
    channel
        .messages()
        .subscribe(
            (RingMessage message) -> {
              try {
                parse.accept(message.byteBuffer());
              } finally {
                message.release();
              }
            });
    // end::in-place[]
  }

  /** A ring beside an application's own immediates. */
  public static RingChannel shared(
      RdmaConnection connection, InboxRing inbox, RingDescriptor there, Consumer<Buffer> say) {
    // tag::shared[]
    RingFormat format = RingFormat.of(LAYOUT, "type", 10, 11, "index");
    ImmediateRouter others =
        LAYOUT.route("type").on(PING, immediate -> say.accept(Buffer.buffer("ping")));
    return RingChannel.over(connection, inbox, there, format, others.handler());
    // end::shared[]
  }
}
