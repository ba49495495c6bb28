package io.vertxrdma.tools.selftest;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.core.RdmaProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs checks one after the other, each with a deadline, whatever became of those before. On the
 * event loop.
 */
final class Selftest {

  private final Vertx vertx;
  private final RdmaProvider provider;
  private final String address;
  private final int timeoutMillis;
  private final Consumer<Outcome> listener;
  private final List<Outcome> outcomes = new ArrayList<>();

  /**
   * A run.
   *
   * @param address of a device of the provider
   * @param timeoutMillis how long each check may take, and again its close, 1..600000
   * @param listener told of each outcome as it comes
   */
  Selftest(
      Vertx vertx,
      RdmaProvider provider,
      String address,
      int timeoutMillis,
      Consumer<Outcome> listener) {
    this.vertx = vertx;
    this.provider = provider;
    this.address = address;
    this.timeoutMillis = timeoutMillis;
    this.listener = listener;
  }

  /** Runs the checks; the future has an outcome for each, and does not fail. */
  Future<List<Outcome>> run(List<Check> checks) {
    Future<Void> last = Future.succeededFuture();
    for (Check check : checks) {
      last = last.compose(done -> run(check));
    }
    return last.map(done -> List.copyOf(outcomes));
  }

  private Future<Void> run(Check check) {
    Trial trial = new Trial(vertx, provider, address, timeoutMillis);
    return within(() -> attempt(check, trial), trial)
        .transform(
            tried -> {
              long micros = trial.micros();
              trial.waitFor("the close");
              return within(trial::close, trial)
                  .transform(
                      closed -> {
                        Outcome outcome = outcome(check, micros, tried.failed() ? tried : closed);
                        outcomes.add(outcome);
                        listener.accept(outcome);
                        return Future.succeededFuture();
                      });
            });
  }

  private static Future<Void> attempt(Check check, Trial trial) {
    try {
      return check.procedure().run(trial);
    } catch (RuntimeException failure) {
      return Future.failedFuture(failure);
    }
  }

  private interface Step {
    Future<Void> start();
  }

  private Future<Void> within(Step step, Trial trial) {
    Promise<Void> ended = Promise.promise();
    long timer =
        vertx.setTimer(
            timeoutMillis,
            fired ->
                ended.tryFail(
                    Mismatch.of(
                        "after " + timeoutMillis / 1e3 + " s", trial.waitingFor(), "nothing")));
    step.start()
        .onComplete(
            done -> {
              vertx.cancelTimer(timer);
              if (done.succeeded()) {
                ended.tryComplete();
              } else {
                ended.tryFail(done.cause());
              }
            });
    return ended.future();
  }

  private static Outcome outcome(Check check, long micros, AsyncResult<Void> done) {
    if (done.succeeded()) {
      return new Outcome(check.name(), Outcome.Result.OK, micros, "");
    }
    Throwable cause = done.cause();
    return new Outcome(
        check.name(),
        cause instanceof NotPossible ? Outcome.Result.SKIP : Outcome.Result.FAIL,
        micros,
        cause instanceof Mismatch || cause instanceof NotPossible
            ? cause.getMessage()
            : "expected success, saw " + (cause.getMessage() == null ? cause : cause.getMessage()));
  }
}
