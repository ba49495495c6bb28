package io.vertxrdma.tools.selftest;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.RemoteMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What works on the peer's memory without the peer: reads, atomic operations, and keys. */
final class MemoryChecks {

  private static final long START = 0x0123_4567_89AB_CDEFL;
  private static final long ADDED = 0x1111_1111_1111_1111L;
  private static final long REPLACEMENT = 0xFEDC_BA98_7654_3210L;

  /** A remote key's low 8 bits are the owner's to choose; this makes them others. */
  private static final int OTHER_KEY = 0x55;

  private MemoryChecks() {}

  static Future<Void> read(Trial trial) {
    return trial
        .pair()
        .compose(
            pair -> {
              End client = pair.client();
              Buffer there = End.pattern(9, End.BYTES);
              pair.server().inbox().setBuffer(0, there);
              trial.waitFor("the read done");
              return client
                  .connection()
                  .read(pair.server().remote(), client.source().all())
                  .map(
                      done -> {
                        Buffer seen = client.source().getBuffer(0, End.BYTES);
                        Mismatch.checkBytes("what was read", there, seen);
                        return null;
                      });
            });
  }

  static Future<Void> fetchAndAdd(Trial trial) {
    return trial
        .pair()
        .compose(
            pair -> {
              End client = pair.client();
              RemoteMemory word = word(pair);
              trial.waitFor("the first number");
              return client
                  .connection()
                  .fetchAndAdd(word, ADDED)
                  .compose(
                      before -> {
                        Mismatch.checkHex("value before", START, before);
                        trial.waitFor("the second number");
                        return client.connection().fetchAndAdd(word, -1);
                      })
                  .map(
                      before -> {
                        Mismatch.checkHex("value before the second", START + ADDED, before);
                        checkWord(pair, START + ADDED - 1);
                        return null;
                      });
            });
  }

  static Future<Void> compareAndSwap(Trial trial) {
    return trial
        .pair()
        .compose(
            pair -> {
              End client = pair.client();
              RemoteMemory word = word(pair);
              trial.waitFor("the comparison that does not hold");
              return client
                  .connection()
                  .compareAndSwap(word, START + 1, REPLACEMENT)
                  .compose(
                      before -> {
                        Mismatch.checkHex("value before", START, before);
                        checkWord(pair, START);
                        trial.waitFor("the comparison that holds");
                        return client.connection().compareAndSwap(word, START, REPLACEMENT);
                      })
                  .map(
                      before -> {
                        Mismatch.checkHex("value before the second", START, before);
                        checkWord(pair, REPLACEMENT);
                        return null;
                      });
            });
  }

  /** Eight bytes at the server, with a value. */
  private static RemoteMemory word(Pair pair) {
    if (!pair.client().connection().device().attributes().atomics()) {
      throw new NotPossible("the device has no atomic operations");
    }
    words(pair).putLong(0, START);
    return pair.server().remote().slice(0, Long.BYTES);
  }

  private static void checkWord(Pair pair, long expected) {
    Mismatch.checkHex("value in memory", expected, words(pair).getLong(0));
    Mismatch.checkHex("value beside it", 0, words(pair).getLong(Long.BYTES));
  }

  private static ByteBuffer words(Pair pair) {
    return pair.server().inbox().byteBuffer().order(ByteOrder.nativeOrder());
  }

  /** Breaks the connection, on both sides. */
  static Future<Void> wrongKey(Trial trial) {
    return trial
        .pair()
        .compose(
            pair -> {
              End client = pair.client();
              RemoteMemory right = pair.server().remote();
              RemoteMemory wrong =
                  new RemoteMemory(right.address(), right.key() ^ OTHER_KEY, right.length());
              client.source().setBuffer(0, End.pattern(11, End.BYTES));
              trial.waitFor("the write with a wrong key refused");
              return client
                  .connection()
                  .write(client.source().all(), wrong)
                  .transform(
                      written -> {
                        Mismatch.check(
                            "the write with a wrong key",
                            WorkCompletionStatus.REM_ACCESS_ERR,
                            written.succeeded()
                                ? WorkCompletionStatus.SUCCESS
                                : status(written.cause()));
                        trial.waitFor("both ends closed");
                        return Future.all(
                            client.connection().closed(), pair.server().connection().closed());
                      })
                  .map(
                      closed -> {
                        Buffer untouched = Buffer.buffer(new byte[End.BYTES]);
                        Mismatch.checkBytes(
                            "the inbox, untouched", untouched, pair.server().received(End.BYTES));
                        return null;
                      });
            });
  }

  private static Object status(Throwable failure) {
    return failure instanceof WorkCompletionException completion
        ? completion.status()
        : failure.getMessage();
  }
}
