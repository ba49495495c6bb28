package io.vertxrdma.tools.tune;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeSet;

/** The whole run: reads, writes with immediate, receives. On the event loop. */
final class Tuning {

  /** More than what common devices have for one queue pair. */
  private static final int MOST_READS = 128;

  /** Receives for a write under way while the number of writes is what is raised. */
  private static final int AMPLE = 4;

  private static final int AMPLE_LEAST = 64;
  private static final List<Integer> RECEIVES_FOR_A_SEND = List.of(1, 2, 4);

  private final StepClient client;
  private final TuneReport report;
  private final Sweep reads = new Sweep(MOST_READS);
  private final Sweep writes = new Sweep(Step.MOST_DEPTH);
  private final List<Point> receives = new ArrayList<>();

  /**
   * A run.
   *
   * @param report told of each point as it comes
   */
  Tuning(StepClient client, TuneReport report) {
    this.client = client;
    this.report = report;
  }

  /** Runs it. */
  Future<Recommendation> run() {
    // What is measured first would measure the loading of classes.
    return client
        .read(1, new Sweep(1))
        .compose(warm -> client.write(1, AMPLE, 0, new Sweep(1)))
        .compose(
            warm -> {
              report.begin(client.device());
              return sweep(TuneReport.Part.READS, reads, depth -> client.read(depth, reads));
            })
        .compose(
            done ->
                sweep(
                    TuneReport.Part.WRITES,
                    writes,
                    depth -> client.write(depth, Math.max(AMPLE_LEAST, AMPLE * depth), 0, writes)))
        .compose(done -> tryReceives(Recommendation.withMargin(writes)))
        .map(done -> Recommendation.of(reads, writes, receives))
        .eventually(() -> client.device() == null ? Future.succeededFuture() : client.end());
  }

  /** A step of a part at a depth. */
  private interface Measurement {
    Future<Point> at(int depth);
  }

  private Future<Void> sweep(TuneReport.Part part, Sweep sweep, Measurement measurement) {
    report.begin(part);
    return further(part, sweep, measurement).onSuccess(done -> report.end(part, sweep));
  }

  private Future<Void> further(TuneReport.Part part, Sweep sweep, Measurement measurement) {
    OptionalInt next = sweep.next();
    if (next.isEmpty()) {
      return Future.succeededFuture();
    }
    report.trying(part, next.getAsInt());
    return measurement
        .at(next.getAsInt())
        .compose(
            point -> {
              // A depth that was cut to one that is known already is no news.
              if (sweep.add(point)) {
                report.add(part, point);
              }
              return further(part, sweep, measurement);
            });
  }

  private Future<Void> tryReceives(int sends) {
    if (writes.knee().isEmpty()) {
      return Future.succeededFuture();
    }
    TreeSet<Integer> numbers = new TreeSet<>();
    for (int times : RECEIVES_FOR_A_SEND) {
      numbers.add(Math.min(sends * times, client.queue().entries()));
    }
    report.begin(TuneReport.Part.RECEIVES);
    Future<Void> last = Future.succeededFuture();
    for (int number : numbers) {
      last = last.compose(done -> tryReceives(sends, number));
    }
    return last.onSuccess(done -> report.end(receives));
  }

  private Future<Void> tryReceives(int sends, int number) {
    report.trying(TuneReport.Part.RECEIVES, number);
    return client
        .write(sends, number, number, writes)
        .map(
            point -> {
              receives.add(point);
              report.add(TuneReport.Part.RECEIVES, point);
              return null;
            });
  }
}
