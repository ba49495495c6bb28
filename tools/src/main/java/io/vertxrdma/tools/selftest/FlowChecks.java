package io.vertxrdma.tools.selftest;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.ReceivedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** What takes up receives, and waits where there are none. */
final class FlowChecks {

  private static final int RECEIVES = 4;
  private static final int WRITES = 20;

  /** How long a sender is watched that must wait: some hundred times the RNR timer of 0.64 ms. */
  private static final long WATCHED_MILLIS = 200;

  private static final int MESSAGE_BYTES = 1_000;
  private static final long MESSAGE_IMMEDIATE = 0xCAFE_F00DL;

  private FlowChecks() {}

  /** More writes than receives: those too many wait, then all come in order. */
  static Future<Void> refill(Trial trial) {
    return trial
        .pair(new RdmaServerOptions().setReceiveDepth(RECEIVES), new RdmaClientOptions())
        .compose(pair -> refill(trial, pair));
  }

  private static Future<Void> refill(Trial trial, Pair pair) {
    List<Long> arrived = new ArrayList<>();
    Promise<Void> all = Promise.promise();
    ReadStream<Immediate> stream = pair.server().connection().immediateStream().pause();
    stream.exceptionHandler(all::tryFail);
    stream.handler(
        immediate -> {
          arrived.add(immediate.value());
          if (arrived.size() == WRITES) {
            all.tryComplete();
          }
        });
    List<Future<Void>> writes = new ArrayList<>();
    for (int i = 0; i < WRITES; i++) {
      writes.add(pair.client().connection().writeImmediate(i));
    }
    return waits(trial, pair, writes, RECEIVES)
        .compose(
            waited -> {
              Mismatch.check("immediates handed over without demand", 0, arrived.size());
              stream.fetch(1);
              return waits(trial, pair, writes, RECEIVES + 1);
            })
        .compose(
            waited -> {
              Mismatch.check("immediates handed over with demand 1", 1, arrived.size());
              stream.resume();
              trial.waitFor("all " + WRITES + " writes acknowledged");
              return Future.all(writes);
            })
        .compose(
            written -> {
              trial.waitFor("all " + WRITES + " immediates");
              return all.future();
            })
        .map(
            came -> {
              Mismatch.check("immediates", LongStream.range(0, WRITES).boxed().toList(), arrived);
              return null;
            });
  }

  /** As many immediates reach the server, no more do, and the writes left over do not fail. */
  private static Future<Void> waits(
      Trial trial, Pair pair, List<Future<Void>> writes, int receives) {
    trial.waitFor("the server to receive " + receives + " immediates");
    return trial
        .until(() -> received(pair) >= receives)
        .compose(reached -> trial.pause(WATCHED_MILLIS))
        .map(
            watched -> {
              Mismatch.check("immediates received", (long) receives, received(pair));
              for (Future<Void> write : writes) {
                if (write.failed()) {
                  throw Mismatch.of(
                      "a write without a receive", "it to wait", write.cause().getMessage());
                }
              }
              Mismatch.check(
                  "the last write acknowledged", false, writes.get(WRITES - 1).isComplete());
              return null;
            });
  }

  private static long received(Pair pair) {
    return pair.server().connection().counters().immediatesReceived();
  }

  /** Sends, without an immediate and with one. */
  static Future<Void> messages(Trial trial) {
    return trial
        .pair(
            new RdmaServerOptions().setReceiveBufferSize(MESSAGE_BYTES),
            new RdmaClientOptions().setReceiveBufferSize(MESSAGE_BYTES))
        .compose(pair -> pair.eachWay((from, to) -> messages(trial, from, to)));
  }

  private static Future<Void> messages(Trial trial, End from, End to) {
    Buffer sent = End.pattern(from.name().length(), MESSAGE_BYTES);
    List<Buffer> contents = new ArrayList<>();
    List<Long> immediates = new ArrayList<>();
    Promise<Void> both = Promise.promise();
    to.connection()
        .messages()
        .take(2)
        .doOnNext(
            message -> {
              immediates.add(immediate(message));
              contents.add(message.take());
            })
        .ignoreElements()
        .subscribe(both::complete, both::fail);
    from.source().setBuffer(0, sent);
    trial.waitFor("the sends of the " + from.name() + " acknowledged");
    return Future.all(
            from.connection().send(from.source().slice(0, MESSAGE_BYTES)),
            from.connection().sendWithImmediate(from.source().slice(1, 1), MESSAGE_IMMEDIATE))
        .compose(
            acknowledged -> {
              trial.waitFor("both messages at the " + to.name());
              return both.future();
            })
        .map(
            came -> {
              Mismatch.check("messages", 2, contents.size());
              Mismatch.checkBytes("the first message", sent, contents.get(0));
              Mismatch.checkBytes("the second message", sent.slice(1, 2), contents.get(1));
              Mismatch.check("immediates (-1: none)", List.of(-1L, MESSAGE_IMMEDIATE), immediates);
              return null;
            });
  }

  private static long immediate(ReceivedMessage message) {
    return message.hasImmediate() ? message.immediate() : -1;
  }
}
