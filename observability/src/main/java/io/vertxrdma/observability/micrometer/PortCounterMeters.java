package io.vertxrdma.observability.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertxrdma.core.PortCounters;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.metrics.PortCounterReader;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counters of device ports as meters {@code rdma.port.NAME}, tagged with device and port. They
 * are read now and then on a worker thread; a meter shows the last reading.
 */
public final class PortCounterMeters implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PortCounterMeters.class);
  private static final double TWO_TO_63 = 0x1p63;

  private record Key(String device, int port, String name) {}

  private final Vertx vertx;
  private final MeterRegistry registry;
  private final PortCounterReader reader;
  private final Map<Key, AtomicLong> values = new ConcurrentHashMap<>();
  private final long timer;

  /**
   * Starts to read.
   *
   * @param vertx whose timer and worker threads
   * @param provider whose devices; also those that come later
   * @param registry where the meters go; a counter's meter comes with its first reading
   * @param intervalMillis time between two readings, 100 or more
   */
  public PortCounterMeters(
      Vertx vertx, RdmaProvider provider, MeterRegistry registry, long intervalMillis) {
    if (intervalMillis < 100) {
      throw new IllegalArgumentException(
          "intervalMillis must be 100 or more, was " + intervalMillis);
    }
    this.vertx = Objects.requireNonNull(vertx, "vertx");
    this.registry = Objects.requireNonNull(registry, "registry");
    this.reader = new PortCounterReader(vertx, provider);
    this.timer = vertx.setPeriodic(0, intervalMillis, tick -> update());
  }

  /** Reads now; the future completes when the meters show it. */
  public Future<Void> update() {
    return reader
        .read()
        .onSuccess(this::show)
        .onFailure(failure -> LOG.warn("port counters can't be read: {}", failure.toString()))
        .mapEmpty();
  }

  private void show(List<PortCounters> all) {
    for (PortCounters counters : all) {
      counters
          .values()
          .forEach(
              (name, value) ->
                  values
                      .computeIfAbsent(
                          new Key(counters.device(), counters.port(), name), this::register)
                      .set(value));
    }
  }

  private AtomicLong register(Key key) {
    AtomicLong value = new AtomicLong();
    FunctionCounter.builder("rdma.port." + key.name, value, PortCounterMeters::unsigned)
        .tags(Tags.of("device", key.device, "port", Integer.toString(key.port)))
        .register(registry);
    return value;
  }

  private static double unsigned(AtomicLong value) {
    long bits = value.get();
    return bits >= 0 ? bits : (bits & Long.MAX_VALUE) + TWO_TO_63;
  }

  /** Reads no more; the meters stay. */
  @Override
  public void close() {
    vertx.cancelTimer(timer);
  }
}
