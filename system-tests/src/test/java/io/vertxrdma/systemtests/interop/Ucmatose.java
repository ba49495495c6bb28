package io.vertxrdma.systemtests.interop;

import io.vertx.core.Future;
import io.vertxrdma.tools.verbs.VerbsConnection;
import io.vertxrdma.tools.verbs.VerbsOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * What ucmatose does with its defaults: the server sends ten messages of 100 bytes, the client
 * answers with as many, the server disconnects.
 */
final class Ucmatose {

  private static final int COUNT = 10;
  private static final int LENGTH = 100;

  static final VerbsOptions OPTIONS = new VerbsOptions(COUNT, COUNT, LENGTH, LENGTH);

  private Ucmatose() {}

  static Future<String> serve(VerbsConnection connection) {
    return send(connection)
        .compose(sent -> receive(connection, 0))
        .map(
            received -> {
              connection.disconnect();
              return received;
            })
        .compose(received -> connection.disconnected().map(received));
  }

  static Future<String> connect(VerbsConnection connection) {
    return receive(connection, 0)
        .compose(received -> send(connection).map(received))
        .compose(received -> connection.disconnected().map(received));
  }

  private static Future<Void> send(VerbsConnection connection) {
    List<Future<Void>> sends = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      sends.add(connection.send(0, LENGTH));
    }
    return Future.all(sends).mapEmpty();
  }

  private static Future<String> receive(VerbsConnection connection, int received) {
    if (received == COUNT) {
      return Future.succeededFuture("10 messages of 100 bytes came");
    }
    return connection
        .receive()
        .compose(
            message ->
                message.length == LENGTH
                    ? receive(connection, received + 1)
                    : Future.failedFuture("a message of " + message.length + " bytes came"));
  }
}
