package io.vertxrdma.systemtests.interop;

import io.vertx.core.Future;
import io.vertxrdma.tools.verbs.VerbsConnection;
import io.vertxrdma.tools.verbs.VerbsOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The connection on which perftest's two sides talk about the test: each has its say by turns, the
 * client first, in messages of equal length.
 */
final class PerftestTalk {

  static final VerbsOptions OPTIONS =
      new VerbsOptions(1, 2, PerftestEnd.LENGTH, PerftestEnd.LENGTH);

  /** Of Debian 12's package; from 5.70 on the versions understand each other. */
  private static final byte[] VERSION = Arrays.copyOf(ascii("6.06"), 16);

  private static final int PAGE = 4096;
  private static final int CACHE_LINE = 64;

  /** The number of 1024 bytes in {@code enum ibv_mtu}, as text. */
  private static final byte[] MTU = Arrays.copyOf(ascii("3"), 2);

  private final VerbsConnection connection;
  private final boolean server;

  PerftestTalk(VerbsConnection connection, boolean server) {
    this.connection = connection;
    this.server = server;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  /** What every conversation begins with. */
  Future<Void> introduce() {
    return exchange(VERSION)
        .compose(version -> exchange(bytes(PAGE)))
        .compose(page -> exchange(bytes(CACHE_LINE)))
        .compose(line -> exchange(MTU))
        .mapEmpty();
  }

  /** Handshakes, each with the same; the peer's last is what counts. */
  Future<PerftestEnd> shake(int times, PerftestEnd mine) {
    Future<byte[]> shaken = exchange(mine.toBytes());
    return times == 1
        ? shaken.map(PerftestEnd::of)
        : shaken.compose(theirs -> shake(times - 1, mine));
  }

  /** Exchanges figures; the peer's size and iterations come of it. */
  Future<String> report(long size, long iterations) {
    return exchange(size)
        .compose(
            theirSize ->
                exchange(iterations)
                    .compose(
                        theirs ->
                            // Peak and average of megabytes, average of messages: all zero.
                            exchange(0)
                                .compose(peak -> exchange(0))
                                .compose(average -> exchange(0))
                                .map(rate -> theirs + " of " + theirSize + " bytes")));
  }

  private Future<Long> exchange(long value) {
    return exchange(ByteBuffer.allocate(8).putLong(value).array())
        .map(theirs -> ByteBuffer.wrap(theirs).getLong());
  }

  private Future<byte[]> exchange(byte[] mine) {
    return server
        ? hear(mine.length).compose(theirs -> say(mine).map(theirs))
        : say(mine).compose(said -> hear(mine.length));
  }

  private Future<Void> say(byte[] message) {
    connection.memory().put(0, message);
    return connection.send(0, message.length);
  }

  private Future<byte[]> hear(int length) {
    return connection
        .receive()
        .compose(
            message ->
                message.length == length
                    ? Future.succeededFuture(message)
                    : Future.failedFuture(
                        "expected " + length + " bytes, got " + Arrays.toString(message)));
  }
}
