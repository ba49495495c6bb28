package io.vertxrdma.systemtests.interop;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.tools.verbs.VerbsConnection;
import io.vertxrdma.tools.verbs.VerbsOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * What the programs of perftest measure, in both roles. The peer may use the second half of the
 * memory; the first is our own.
 */
final class PerftestTraffic {

  /** Within this many bytes perftest cycles through small messages. */
  private static final int CYCLE = 4096;

  private static final int WORD = 8;

  private final Vertx vertx;
  private final VerbsConnection connection;
  private final int iterations;
  private final int size;
  private final int area;
  private PerftestEnd peer;

  PerftestTraffic(Vertx vertx, VerbsConnection connection, int iterations, int size) {
    this.vertx = vertx;
    this.connection = connection;
    this.iterations = iterations;
    this.size = size;
    this.area = area(size);
  }

  static VerbsOptions options(int iterations, int size) {
    return new VerbsOptions(iterations, iterations, size, 2 * area(size));
  }

  private static int area(int size) {
    return Math.max(CYCLE, size);
  }

  /** What the peer needs to know. */
  PerftestEnd mine() {
    return new PerftestEnd(connection.remoteKey(), connection.address(area));
  }

  /** The server's part of the traffic. */
  Future<Void> serve(PerftestProgram program, PerftestEnd theirs) {
    peer = theirs;
    return switch (program) {
      case SEND_BW -> inTurn(turn -> receive());
      case SEND_LAT -> inTurn(turn -> receive().compose(received -> send()));
      // Of this program alone the server begins.
      case WRITE_LAT -> inTurn(turn -> write(turn).compose(written -> arrival(turn)));
      default -> Future.succeededFuture();
    };
  }

  /** The client's part of the traffic. */
  Future<Void> ask(PerftestProgram program, PerftestEnd theirs) {
    peer = theirs;
    return switch (program) {
      case SEND_BW -> atOnce(turn -> send());
      case SEND_LAT -> inTurn(turn -> send().compose(sent -> receive()));
      case WRITE_BW -> atOnce(turn -> connection.write(0, size, peer.address(), peer.remoteKey()));
      case WRITE_LAT -> inTurn(turn -> arrival(turn).compose(arrived -> answer(turn)));
      case READ_BW -> inTurn(this::read);
      case ATOMIC_LAT -> inTurn(this::add);
      case ATOMIC_BW -> throw new IllegalArgumentException("no client for " + program);
    };
  }

  /** What is to be seen at a server when all is over. */
  String served(PerftestProgram program) {
    return switch (program) {
      case SEND_BW, SEND_LAT -> iterations + " messages of " + size + " bytes came";
      case WRITE_LAT -> iterations + " writes of " + size + " bytes came";
      // perftest sends random bytes, of which every 256th is zero; ours were all zero.
      case WRITE_BW -> notZero(area) * 2 > size ? "the memory was written" : "nothing was written";
      case READ_BW -> "the memory was there to be read";
      case ATOMIC_BW, ATOMIC_LAT -> "counted " + sum();
    };
  }

  private Future<Void> inTurn(IntFunction<Future<Void>> step) {
    return inTurn(1, step);
  }

  private Future<Void> inTurn(int turn, IntFunction<Future<Void>> step) {
    return turn > iterations
        ? Future.succeededFuture()
        : step.apply(turn).compose(done -> inTurn(turn + 1, step));
  }

  private Future<Void> atOnce(IntFunction<Future<Void>> step) {
    List<Future<Void>> started = new ArrayList<>();
    for (int turn = 1; turn <= iterations; turn++) {
      started.add(step.apply(turn));
    }
    return Future.all(started).mapEmpty();
  }

  private Future<Void> send() {
    return connection.send(0, size);
  }

  private Future<Void> receive() {
    return connection
        .receive()
        .compose(
            message ->
                message.length == size
                    ? Future.succeededFuture()
                    : Future.failedFuture("a message of " + message.length + " bytes came"));
  }

  /** Writes a message whose last byte is its number, for which the peer looks. */
  private Future<Void> write(int turn) {
    connection.memory().put(size - 1, (byte) turn);
    return connection.write(0, size, peer.address(), peer.remoteKey());
  }

  /** The peer leaves with the last one, so that its acknowledgement may not come. */
  private Future<Void> answer(int turn) {
    Future<Void> written = write(turn);
    return turn < iterations ? written : connection.disconnected();
  }

  private Future<Void> arrival(int turn) {
    Promise<Void> promise = Promise.promise();
    look(turn, promise);
    return promise.future();
  }

  private void look(int turn, Promise<Void> promise) {
    if (connection.memory().get(area + size - 1) == (byte) turn) {
      promise.complete();
    } else if (connection.disconnected().isComplete()) {
      promise.fail("the peer was gone before its write " + turn);
    } else {
      vertx.setTimer(1, fired -> look(turn, promise));
    }
  }

  /** Reads what must be the same each time, and random. */
  private Future<Void> read(int turn) {
    ByteBuffer before = copy();
    connection.memory().put(0, new byte[size]);
    return connection
        .read(0, size, peer.address(), peer.remoteKey())
        .compose(
            done ->
                notZero(0) * 2 > size && (turn == 1 || copy().equals(before))
                    ? Future.succeededFuture()
                    : Future.failedFuture("other bytes came with read " + turn));
  }

  private ByteBuffer copy() {
    byte[] bytes = new byte[size];
    connection.memory().get(0, bytes);
    return ByteBuffer.wrap(bytes);
  }

  private int notZero(int from) {
    int count = 0;
    for (int i = from; i < from + size; i++) {
      count += connection.memory().get(i) == 0 ? 0 : 1;
    }
    return count;
  }

  /** Adds 1 to a number the peer made up. */
  private Future<Void> add(int turn) {
    long expected = words().getLong(0) + 1;
    return connection
        .fetchAndAdd(0, peer.address(), peer.remoteKey(), 1)
        .compose(
            done ->
                turn == 1 || words().getLong(0) == expected
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        "add " + turn + " found " + words().getLong(0) + ", not " + expected));
  }

  /** How much was added, wherever it was. */
  private long sum() {
    ByteBuffer words = words();
    long sum = 0;
    for (int at = area; at < 2 * area; at += WORD) {
      sum += words.getLong(at);
    }
    return sum;
  }

  private ByteBuffer words() {
    return connection.memory().duplicate().order(ByteOrder.nativeOrder());
  }
}
