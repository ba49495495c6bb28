package io.vertxrdma.tools.watch;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.CloseFuture;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.tools.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Watches devices of some providers, reading counters at intervals. On the event loop. */
final class Watch {

  private final Vertx vertx;
  private final Pacer pacer;
  private final WatchOutput output;
  private final Duration interval;
  private final int count;
  private final List<ProviderWatch> watches = new ArrayList<>();
  private final Promise<Void> done = Promise.promise();
  private int intervals;

  private Watch(Vertx vertx, Pacer pacer, WatchOutput output, Duration interval, int count) {
    this.vertx = vertx;
    this.pacer = pacer;
    this.output = output;
    this.interval = interval;
    this.count = count;
  }

  /**
   * Watches.
   *
   * @param count intervals, 0 for without end
   */
  static Future<Void> run(
      Session session,
      List<RdmaProvider> providers,
      Pacer pacer,
      WatchOutput output,
      Duration interval,
      int count) {
    Watch watch = new Watch(session.vertx(), pacer, output, interval, count);
    CloseFuture use = new CloseFuture();
    Future<Void> started = Future.succeededFuture();
    for (RdmaProvider provider : providers) {
      started =
          started
              .compose(next -> RdmaLoop.acquire(session.context(), provider, use))
              .compose(loop -> ProviderWatch.start(loop, pacer, output))
              .onSuccess(watch.watches::add)
              .mapEmpty();
    }
    return started.compose(all -> watch.watch()).eventually(use::close);
  }

  private Future<Void> watch() {
    List<String> devices = new ArrayList<>();
    watches.forEach(each -> devices.addAll(each.devices()));
    output.watching(pacer.now(), devices);
    next();
    return done.future();
  }

  /** Not a chain of futures, which would grow as long as the watch goes on. */
  private void next() {
    pacer
        .pause(vertx, interval)
        .compose(paused -> Future.join(watches.stream().map(ProviderWatch::look).toList()))
        .onComplete(
            looked -> {
              if (looked.failed()) {
                done.fail(looked.cause());
              } else if (++intervals == count) {
                output.ended();
                done.complete();
              } else {
                next();
              }
            });
  }
}
