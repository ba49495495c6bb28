package io.vertxrdma.tools.bench;

import io.vertx.core.Vertx;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.ReceivedMessage;
import io.vertxrdma.reactive.RegisteredBuffer;

/**
 * The server of every verb but write with immediate: offers memory, takes messages, and ends when
 * the client closes. It has no figure.
 */
final class Host extends Exchange {

  private final boolean messages;
  private final int length;

  Host(Vertx vertx, RdmaConnection connection, RegisteredBuffer inbox, BenchOptions options) {
    super(vertx, connection, inbox, options);
    this.messages = options.verb == Verb.SEND;
    this.length = options.length;
  }

  @Override
  void begin() {
    if (messages) {
      // The connection's end is told by its close handler.
      connection().messages().subscribe(this::arrived, ended -> {});
    }
  }

  private void arrived(ReceivedMessage message) {
    int bytes = message.length();
    message.release();
    if (bytes != length) {
      fail("message " + received + " came with " + bytes + " bytes, expected " + length);
    } else {
      received++;
    }
  }

  @Override
  void next() {
    fail("an immediate came, but this side does not measure them: give both the same --verb");
  }

  @Override
  void peerGone() {
    if (messages && received != count) {
      super.peerGone();
    } else {
      end("");
    }
  }

  @Override
  String progress() {
    return received + " of " + count + " messages received";
  }
}
