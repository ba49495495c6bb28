package io.vertxrdma.demos.rpc;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.tools.bench.Latency;
import io.vertxrdma.tools.bench.Progress;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Calls what a plan says, as often as it says, and sums up. On one event loop. */
final class CallRun {

  private static final double NANOS_PER_SECOND = 1e9;

  private final CallPlan plan;
  private final KeyValue service;
  private final Latency latency = new Latency();
  private final TreeMap<String, Integer> failures = new TreeMap<>();
  private final Promise<Boolean> outcome = Promise.promise();
  private int begun;
  private int ended;
  private int failed;
  private boolean filling;

  private CallRun(CallPlan plan, KeyValue service) {
    this.plan = plan;
    this.service = service;
  }

  /**
   * Calls.
   *
   * @param screen gets what came of it
   * @return whether every call was answered without an error
   */
  static Future<Boolean> of(
      Vertx vertx, RpcClient client, CallPlan plan, Progress progress, Consumer<String> screen) {
    KeyValue service = plan.service(vertx, client);
    if (plan.count == 1) {
      return plan.call(service)
          .transform(
              done -> {
                String result =
                    done.succeeded()
                        ? String.valueOf(done.result() == null ? "done" : done.result())
                        : reason(done.cause());
                screen.accept(plan.text() + " -> " + result);
                return Future.succeededFuture(done.succeeded());
              });
    }
    CallRun run = new CallRun(plan, service);
    progress.start(vertx, () -> run.ended, plan.count);
    long start = System.nanoTime();
    run.fill();
    return run.outcome
        .future()
        .onComplete(
            done -> {
              progress.end(vertx);
              screen.accept(run.summary((System.nanoTime() - start) / NANOS_PER_SECOND));
            });
  }

  /** The kind of failure and its text. */
  private static String reason(Throwable cause) {
    if (!(cause instanceof RpcException known)) {
      return "failed: " + cause.getMessage();
    }
    String kind =
        switch (known.code()) {
          case RpcException.DEADLINE -> "deadline missed";
          case RpcException.CANCELLED -> "cancelled";
          case RpcException.CONNECTION -> "connection lost";
          default -> "error " + known.code();
        };
    return kind + ": " + known.getMessage();
  }

  private void fill() {
    // Calls may end at once, which would come here again and again.
    if (filling) {
      return;
    }
    filling = true;
    while (begun < plan.count && begun - ended < plan.inflight) {
      begun++;
      long start = System.nanoTime();
      plan.call(service)
          .onComplete(
              done -> {
                latency.record(System.nanoTime() - start);
                ended++;
                if (done.failed()) {
                  failed++;
                  failures.merge(reason(done.cause()), 1, Integer::sum);
                }
                if (ended == plan.count) {
                  outcome.complete(failed == 0);
                } else {
                  fill();
                }
              });
    }
    filling = false;
  }

  private String summary(double seconds) {
    StringBuilder text = new StringBuilder(latency.table()).append(System.lineSeparator());
    failures.forEach(
        (reason, count) ->
            text.append(count).append(" x ").append(reason).append(System.lineSeparator()));
    return text.append(
            String.format(
                Locale.ROOT,
                "%s: %d calls, %d at once, %d answered, %d failed, %.2f s, %.0f calls/s",
                plan.text(),
                plan.count,
                plan.inflight,
                plan.count - failed,
                failed,
                seconds,
                plan.count / seconds))
        .toString();
  }
}
