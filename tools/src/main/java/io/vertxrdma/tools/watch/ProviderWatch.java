package io.vertxrdma.tools.watch;

import io.vertx.core.Future;
import io.vertxrdma.cm.RdmaLoop;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.PortCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** Watches the devices of one provider, those that come later too. On the event loop. */
final class ProviderWatch {

  private static final double NANOS_PER_SECOND = 1e9;

  private final RdmaLoop loop;
  private final Pacer pacer;
  private final WatchOutput output;
  private Reading last;

  private ProviderWatch(RdmaLoop loop, Pacer pacer, WatchOutput output) {
    this.loop = loop;
    this.pacer = pacer;
    this.output = output;
  }

  /** Reads once and hears of events from now on; tells nothing of what there is already. */
  static Future<ProviderWatch> start(RdmaLoop loop, Pacer pacer, WatchOutput output) {
    ProviderWatch watch = new ProviderWatch(loop, pacer, output);
    loop.deviceEvents()
        .addObserver(event -> output.event(pacer.now(), loop.provider().name(), event));
    return watch.read().compose(watch::listen).map(watch);
  }

  List<String> devices() {
    return List.copyOf(last.devices().keySet());
  }

  /** Reads again and tells what is different. */
  Future<Void> look() {
    return read()
        .compose(
            now -> {
              Reading before = last;
              tellDevices(before, now);
              tellCounters(before, now);
              return listen(now);
            },
            failure -> {
              // Devices come and go: a reading can fail halfway, and the next one succeed.
              output.unreadable(pacer.now(), loop.provider().name(), failure.getMessage());
              return Future.succeededFuture();
            });
  }

  private Future<Reading> read() {
    return loop.blocking(() -> Reading.of(loop.provider(), pacer));
  }

  private Future<Void> listen(Reading reading) {
    last = reading;
    List<Future<Void>> listening = new ArrayList<>();
    for (DeviceContext device : reading.devices().values()) {
      listening.add(loop.deviceEvents().watch(device));
    }
    return Future.join(listening).mapEmpty();
  }

  private void tellDevices(Reading before, Reading now) {
    String provider = loop.provider().name();
    for (String name : before.devices().keySet()) {
      if (!now.devices().containsKey(name)) {
        output.gone(pacer.now(), provider, name);
      }
    }
    for (String name : now.devices().keySet()) {
      if (!before.devices().containsKey(name)) {
        output.appeared(pacer.now(), provider, name);
      }
    }
  }

  private void tellCounters(Reading before, Reading now) {
    double seconds = (now.nanoTime() - before.nanoTime()) / NANOS_PER_SECOND;
    for (PortCounters counters : now.counters()) {
      PortCounters earlier = before.same(counters);
      if (earlier != null) {
        SortedMap<String, Long> moved = counters.since(earlier);
        if (!moved.isEmpty()) {
          output.moved(
              pacer.now(),
              loop.provider().name(),
              counters.device(),
              counters.port(),
              moved,
              seconds);
        }
      }
    }
  }
}
