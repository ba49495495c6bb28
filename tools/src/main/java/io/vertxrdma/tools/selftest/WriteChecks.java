package io.vertxrdma.tools.selftest;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.Immediate;
import java.util.List;
import java.util.Locale;

/** RDMA writes with immediate. */
final class WriteChecks {

  /** What tells byte orders and signs apart. */
  private static final List<Long> IMMEDIATES =
      List.of(0x1234_5678L, 0xDEAD_BEEFL, 0L, 0x8000_0000L, 0xFFFF_FFFFL);

  private static final long PAYLOAD_IMMEDIATE = 0x0102_0304L;

  private WriteChecks() {}

  static Future<Void> immediatesToServer(Trial trial) {
    return trial.pair().compose(pair -> immediates(trial, pair.client(), pair.server()));
  }

  static Future<Void> immediatesToClient(Trial trial) {
    return trial.pair().compose(pair -> immediates(trial, pair.server(), pair.client()));
  }

  private static Future<Void> immediates(Trial trial, End from, End to) {
    Future<List<Immediate>> arrived = arrivals(to, IMMEDIATES.size());
    trial.waitFor("all writes of the " + from.name() + " acknowledged");
    return Future.all(IMMEDIATES.stream().map(from.connection()::writeImmediate).toList())
        .compose(
            written -> {
              trial.waitFor("all immediates at the " + to.name());
              return arrived;
            })
        .map(
            seen -> {
              Mismatch.check(
                  "immediates at the " + to.name(),
                  IMMEDIATES.stream().map(WriteChecks::hex).toList(),
                  seen.stream().map(Immediate::value).map(WriteChecks::hex).toList());
              return null;
            });
  }

  static Future<Void> payloadToServer(Trial trial) {
    return trial.pair().compose(pair -> payload(trial, pair.client(), pair.server()));
  }

  static Future<Void> payloadToClient(Trial trial) {
    return trial.pair().compose(pair -> payload(trial, pair.server(), pair.client()));
  }

  private static Future<Void> payload(Trial trial, End from, End to) {
    Buffer sent = End.pattern(from.name().length(), End.BYTES);
    Promise<Void> compared = Promise.promise();
    trial.waitFor("the immediate at the " + to.name());
    to.connection()
        .immediates()
        .take(1)
        .doOnNext(
            immediate -> {
              // Now, not after the writer has its acknowledgement: the data come first.
              Mismatch.check("immediate", hex(PAYLOAD_IMMEDIATE), hex(immediate.value()));
              Mismatch.check("bytes written", (long) End.BYTES, immediate.byteLength());
              Mismatch.checkBytes("the inbox of the " + to.name(), sent, to.received(End.BYTES));
            })
        .ignoreElements()
        .subscribe(compared::complete, compared::fail);
    from.source().setBuffer(0, sent);
    return from.connection()
        .writeWithImmediate(from.source(), to.remote(), PAYLOAD_IMMEDIATE)
        .compose(acknowledged -> compared.future());
  }

  static Future<Void> zeroLength(Trial trial) {
    return trial.pair().compose(pair -> pair.eachWay((from, to) -> zeroLength(trial, from, to)));
  }

  private static Future<Void> zeroLength(Trial trial, End from, End to) {
    Buffer before = End.pattern(5, End.BYTES);
    to.inbox().setBuffer(0, before);
    Future<List<Immediate>> arrived = arrivals(to, 1);
    trial.waitFor("the write of no bytes of the " + from.name() + " acknowledged");
    return from.connection()
        .writeWithImmediate(from.source().slice(0, 0), to.remote(), 7)
        .compose(
            acknowledged -> {
              trial.waitFor("its immediate at the " + to.name());
              return arrived;
            })
        .map(
            seen -> {
              Mismatch.check("immediates", 1, seen.size());
              Mismatch.check("bytes written", 0L, seen.get(0).byteLength());
              Mismatch.checkBytes("the inbox, untouched", before, to.received(End.BYTES));
              return null;
            });
  }

  /** The next immediates of an end; fewer when the connection ends before. */
  private static Future<List<Immediate>> arrivals(End end, int count) {
    Promise<List<Immediate>> all = Promise.promise();
    end.connection().immediates().take(count).toList().subscribe(all::complete, all::fail);
    return all.future();
  }

  private static String hex(long value) {
    return String.format(Locale.ROOT, "0x%08X", value);
  }
}
