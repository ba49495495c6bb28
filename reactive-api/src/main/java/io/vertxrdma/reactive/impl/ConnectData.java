package io.vertxrdma.reactive.impl;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.PrivateDataLimits;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.reactive.RdmaMemory;
import java.util.Objects;
import java.util.function.Function;

/**
 * The private data of a connect: bytes given beforehand, or what the application answers for the
 * device that an address was resolved to.
 */
final class ConnectData {

  private final byte[] bytes;
  private final Function<RdmaMemory, Future<Buffer>> question;

  private ConnectData(byte[] bytes, Function<RdmaMemory, Future<Buffer>> question) {
    this.bytes = bytes;
    this.question = question;
  }

  /**
   * Bytes given beforehand.
   *
   * @throws IllegalArgumentException when they are longer than any device takes
   */
  static ConnectData of(Buffer privateData) {
    byte[] bytes = privateData == null ? null : privateData.getBytes();
    if (bytes != null && bytes.length > 255) {
      throw new IllegalArgumentException(
          "private data for connect is limited to 56 bytes on InfiniBand and RoCE and to 255"
              + " anywhere, got "
              + bytes.length);
    }
    return new ConnectData(bytes, null);
  }

  /** Asks the application, for each address anew. */
  static ConnectData of(Function<RdmaMemory, Future<Buffer>> question) {
    return new ConnectData(null, Objects.requireNonNull(question, "privateData"));
  }

  /** Checks bytes given beforehand, before anything is built for them. */
  void check(DeviceContext device) {
    check(device, bytes);
  }

  static void check(DeviceContext device, byte[] bytes) {
    PrivateDataLimits.check(
        PrivateDataLimits.Operation.CONNECT, device.transport(), PortSpace.TCP, bytes);
  }

  /**
   * The bytes to connect with. On the loop. Memory that the application allocates for its answer is
   * closed again when the attempt ends without a connection.
   */
  Future<byte[]> on(ConnectionImpl connection) {
    if (question == null) {
      return Future.succeededFuture(bytes);
    }
    AttemptMemory memory = new AttemptMemory(connection.memory());
    connection.established().onFailure(ended -> memory.close());
    Future<Buffer> answer;
    try {
      answer = question.apply(memory);
    } catch (Throwable thrown) {
      return Future.failedFuture(thrown);
    }
    if (answer == null) {
      return Future.failedFuture(
          new NullPointerException("the function for the private data returned null, no Future"));
    }
    // Whoever answers may do so on any thread.
    return Future.future(
        told ->
            answer.onComplete(
                done ->
                    connection
                        .context()
                        .runOnContext(
                            nothing -> {
                              if (done.failed()) {
                                told.fail(done.cause());
                              } else {
                                told.complete(
                                    done.result() == null ? null : done.result().getBytes());
                              }
                            })));
  }
}
