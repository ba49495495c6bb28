package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.HandshakeRejectedException;
import io.vertxrdma.cm.HandshakeRejection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A handshake on a connection: requests, replies and rejections as each end sees them. */
class HandshakeConnectionTest {

  private static final int CLIENT = 1;
  private static final int SERVER = 2;

  private final Bench bench = new Bench();
  private final Handshake server =
      Handshake.builder(77).versions(2, 3).role(SERVER).expectRoles(CLIENT).build();

  @BeforeEach
  void listen() {
    RdmaServer listening = bench.server();
    listening.connectRequestHandler(
        request -> {
          if (server.accepts(request.privateData())) {
            Buffer name = server.decode(request.privateData()).application();
            request.accept(server.encodeReply(Buffer.buffer("hello ").appendBuffer(name)));
          } else {
            request.reject(server.reason(request.privateData()));
          }
        });
    Bench.get(listening.listen());
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static Handshake client(int version) {
    return Handshake.builder(77).version(version).role(CLIENT).expectRoles(SERVER).build();
  }

  private Future<RdmaConnection> connect(Buffer privateData) {
    return bench.client().connect(Bench.PORT, Bench.HOST, privateData);
  }

  @Test
  void bothEndsReadWhatTheOtherSaidInItsOwnLength() {
    Handshake hello = client(3);

    RdmaConnection connection = Bench.get(connect(hello.encode(Buffer.buffer("anna\0"))));
    HandshakeMessage reply = Bench.get(hello.verifyReply(connection));

    assertThat(reply.application().toString()).isEqualTo("hello anna\0");
    assertThat(reply.version()).isEqualTo(3);
    assertThat(reply.role()).isEqualTo(SERVER);
    assertThat(connection.isOpen()).isTrue();
  }

  @Test
  void aMismatchIsATypedFailureWithCodeAndText() {
    Throwable failure = Bench.failure(connect(client(4).encode()));

    assertThat(failure)
        .isInstanceOfSatisfying(
            HandshakeRejectedException.class,
            rejected ->
                assertThat(rejected.rejection().known()).contains(HandshakeRejection.Code.VERSION))
        .hasMessageContaining("versions 2 to 3 are spoken here, 4 to 4 there");
  }

  @Test
  void aClientWithoutAHandshakeIsToldWhyToo() {
    assertThat(Bench.failure(connect(Buffer.buffer("GET /"))))
        .isInstanceOf(HandshakeRejectedException.class)
        .hasMessageContaining("NO_HANDSHAKE (1)");
  }

  @Test
  void aReplyThatFailsTheCheckClosesTheConnection() {
    Handshake picky = Handshake.builder(77).version(3).role(CLIENT).expectRoles(SERVER + 1).build();

    RdmaConnection connection = Bench.get(connect(picky.encode()));

    assertThat(Bench.failure(picky.verifyReply(connection)))
        .isInstanceOf(HandshakeException.class)
        .hasMessageContaining("role 2");
    assertThat(connection.closed().isComplete()).isTrue();
  }
}
