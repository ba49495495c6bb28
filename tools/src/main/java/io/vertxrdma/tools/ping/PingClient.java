package io.vertxrdma.tools.ping;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.tools.CommandFailure;
import io.vertxrdma.tools.verbs.VerbsConnection;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The side that asks: offers a source to be read, then a sink to be written, and waits for the
 * server's word after each. On the event loop.
 */
public final class PingClient {

  private static final char FIRST = 'A';
  private static final char LAST = 'z';

  private final VerbsConnection connection;
  private final int count;
  private final int size;
  private final boolean validate;
  private final Promise<Void> ended = Promise.promise();
  private int done;

  /**
   * A client.
   *
   * @param connection with memory of {@link PingMemory#bytes}
   * @param count pings, 1 or more
   * @param size bytes of each
   * @param validate whether to compare what comes back
   */
  public PingClient(VerbsConnection connection, int count, int size, boolean validate) {
    this.connection = connection;
    this.count = count;
    this.size = size;
    this.validate = validate;
  }

  /** Starts; the future completes after the last ping. */
  public Future<Void> start() {
    round();
    return ended.future();
  }

  private void round() {
    fill(done);
    offer(source())
        .compose(goOn -> offer(sink()))
        .onComplete(
            echoed -> {
              if (echoed.failed()) {
                ended.fail(echoed.cause());
              } else if (validate && differs() >= 0) {
                ended.fail(
                    new CommandFailure(
                        "ping " + done + " came back with byte " + differs() + " changed"));
              } else if (++done == count) {
                ended.complete();
              } else {
                round();
              }
            });
  }

  private int source() {
    return PingMemory.DATA;
  }

  private int sink() {
    return PingMemory.DATA + size;
  }

  private Future<Void> offer(int offset) {
    new Advertisement(connection.address(offset), connection.remoteKey(), size)
        .write(connection.memory(), PingMemory.MESSAGE);
    return connection
        .send(PingMemory.MESSAGE, Advertisement.BYTES)
        .compose(sent -> connection.receive())
        .map(
            message -> {
              Advertisement.check(message);
              return null;
            });
  }

  /** Text, since rping returns what it takes for a C string: no byte but the last is 0. */
  private void fill(int number) {
    ByteBuffer memory = connection.memory();
    byte[] title = ("vertx-rdma ping " + number + ' ').getBytes(StandardCharsets.US_ASCII);
    int letters = LAST - FIRST + 1;
    for (int i = 0; i < size - 1; i++) {
      byte letter = (byte) (FIRST + (number + i) % letters);
      memory.put(source() + i, i < title.length ? title[i] : letter);
      memory.put(sink() + i, (byte) 0);
    }
    memory.put(source() + size - 1, (byte) 0);
    memory.put(sink() + size - 1, (byte) 1);
  }

  /** The first byte that differs, or -1. */
  private int differs() {
    ByteBuffer memory = connection.memory();
    return memory.slice(source(), size).mismatch(memory.slice(sink(), size));
  }
}
