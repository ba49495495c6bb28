package io.vertxrdma.docs;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.core.QueuePairAttributes;
import io.vertxrdma.reactive.Handshake;
import io.vertxrdma.reactive.HandshakeMessage;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.time.Duration;
import java.util.function.Function;

/** The code of the chapter on choosing parameters. */
public final class ChoosingParameters {

  private static final int LOGS = 0x4C4F4753;
  private static final int SHIPPER = 1;
  private static final int STORE = 2;

  private ChoosingParameters() {}

  /** A preset with a change. */
  public static RdmaServerOptions preset() {
    // tag::preset[]
    RdmaServerOptions options =
        new RdmaServerOptions().setParameters(ConnectionParameters.LOSSY_ROCE.withRetryCount(5));
    // end::preset[]
    return options;
  }

  /** The same from a configuration file. */
  public static RdmaClientOptions json(String text) {
    // tag::json[]
    RdmaClientOptions options = new RdmaClientOptions(new JsonObject(text));
    // end::json[]
    return options;
  }

  /** A wish with a minimum. */
  public static ConnectionParameters minimum() {
    // tag::minimum[]
    ConnectionParameters sixteenButFourAtLeast =
        ConnectionParameters.READ_HEAVY.withMinInitiatorDepth(4);
    // end::minimum[]
    return sixteenButFourAtLeast;
  }

  /** What a client and a server ask for, for the text on whose value counts. */
  public record Wishes(ConnectionParameters client, ConnectionParameters server) {}

  /** Different wishes at both ends. */
  public static Wishes whose() {
    // tag::whose[]
    ConnectionParameters client =
        ConnectionParameters.READ_HEAVY // initiatorDepth 16
            .withRetryCount(2)
            .withRnrRetryCount(3);
    ConnectionParameters server =
        ConnectionParameters.LOSSY_ROCE // responderResources 4
            .withRetryCount(7)
            .withRnrRetryCount(5);
    // end::whose[]
    return new Wishes(client, server);
  }

  /** After which time of silence an operation fails, on devices that keep to the ACK timeout. */
  public static Duration ladder(RdmaConnection connection) {
    // tag::ladder[]
    QueuePairAttributes device = connection.queuePairAttributes();
    Duration ackTimeout = Duration.ofNanos(4_096L << device.timeout());
    Duration untilItFails = ackTimeout.multipliedBy(device.retryCount() + 1);
    // end::ladder[]
    return untilItFails;
  }

  /** A server that lets in those who speak its protocol. */
  public static RdmaServer server(Vertx vertx) {
    // tag::server[]
    Handshake hello =
        Handshake.builder(LOGS)
            .protocol("log shipping")
            .versions(2, 3)
            .role(STORE)
            .expectRoles(SHIPPER)
            .build();
    RdmaServer server = RdmaServer.create(vertx);
    server.connectRequestHandler(
        request -> {
          if (hello.accepts(request.privateData())) {
            request.accept(hello.encodeReply());
          } else {
            request.reject(hello.reason(request.privateData()));
          }
        });
    // end::server[]
    return server;
  }

  /** A client that says who it is and checks who answers. */
  public static Future<HandshakeMessage> client(Vertx vertx, String address) {
    // tag::client[]
    Handshake hello = Handshake.builder(LOGS).version(3).role(SHIPPER).expectRoles(STORE).build();
    return RdmaClient.create(vertx)
        .connect(18515, address, hello.encode(Buffer.buffer("host-17")))
        .compose(hello::verifyReply); // closes the connection if the reply is not right
    // end::client[]
  }

  /** A handshake with a token. */
  public static Handshake token(Function<Buffer, byte[]> keyOf) {
    // tag::token[]
    Handshake hello =
        Handshake.builder(LOGS)
            .version(3)
            .token(message -> keyOf.apply(message.application())) // nothing in it is proved yet
            .build();
    // end::token[]
    return hello;
  }
}
