package io.vertxrdma.systemtests.interop;

import io.vertx.core.Future;
import io.vertxrdma.tools.verbs.VerbsConnection;
import io.vertxrdma.tools.verbs.VerbsOptions;

/**
 * What rdma_client and rdma_server do: a message of 16 zero bytes each way, the client's first, and
 * both disconnect.
 */
final class Simple {

  private static final int LENGTH = 16;

  static final VerbsOptions OPTIONS = new VerbsOptions(1, 1, LENGTH, LENGTH);

  private Simple() {}

  static Future<String> serve(VerbsConnection connection) {
    return connection
        .receive()
        .compose(message -> connection.send(0, LENGTH).map(sent -> told(message)))
        .compose(told -> connection.disconnected().map(told));
  }

  static Future<String> connect(VerbsConnection connection) {
    return connection.send(0, LENGTH).compose(sent -> connection.receive()).map(Simple::told);
  }

  private static String told(byte[] message) {
    int sum = 0;
    for (byte one : message) {
      sum += one & 0xFF;
    }
    return "a message of " + message.length + " bytes came, their sum is " + sum;
  }
}
