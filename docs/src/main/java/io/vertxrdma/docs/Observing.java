package io.vertxrdma.docs;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.healthchecks.HealthChecks;
import io.vertxrdma.core.PortCounters;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.observability.health.RdmaHealth;
import io.vertxrdma.observability.micrometer.MicrometerMetrics;
import io.vertxrdma.observability.micrometer.PortCounterMeters;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.metrics.PortCounterReader;
import io.vertxrdma.reactive.metrics.RdmaMetrics;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;

/** The examples of the chapter on metrics. */
public final class Observing {

  private Observing() {}

  /** A server whose numbers go to a Micrometer registry. */
  public static RdmaServer metered(Vertx vertx, MeterRegistry registry) {
    // tag::metrics[]
    RdmaMetrics metrics = new MicrometerMetrics(registry);
    RdmaServer server = RdmaServer.create(vertx, new RdmaServerOptions().setMetrics(metrics));
    // end::metrics[]
    return server;
  }

  /** The counters of all ports, as meters. */
  public static PortCounterMeters ports(
      Vertx vertx, RdmaProvider provider, MeterRegistry registry) {
    // tag::ports[]
    PortCounterMeters meters = new PortCounterMeters(vertx, provider, registry, 10_000);
    // end::ports[]
    return meters;
  }

  /** What moved while something ran. */
  public static Future<SortedMap<String, Long>> moved(
      Vertx vertx, RdmaProvider provider, Supplier<Future<?>> something) {
    // tag::moved[]
    PortCounterReader reader = new PortCounterReader(vertx, provider);
    return reader
        .read()
        .compose(
            before ->
                something.get().compose(done -> reader.read()).map(after -> first(after, before)));
    // end::moved[]
  }

  private static SortedMap<String, Long> first(
      List<PortCounters> after, List<PortCounters> before) {
    return after.get(0).since(before.get(0));
  }

  /** Two checks: of the provider, and of a server's listener. */
  public static HealthChecks health(Vertx vertx, RdmaProvider provider, RdmaServer server) {
    // tag::health[]
    HealthChecks checks = HealthChecks.create(vertx);
    checks.register("rdma", RdmaHealth.provider(vertx, provider));
    checks.register("rdma-listener", RdmaHealth.listener(server));
    // end::health[]
    return checks;
  }

  /** Looks at what happens to devices. */
  public static void devices(RdmaServer server) {
    // tag::devices[]
    server.deviceEventHandler(
        event -> {
          switch (event.kind()) {
            case PORT_ERR -> System.out.println("port down: " + event);
            case LISTENER_DOWN -> System.out.println("nobody can connect: " + event.cause());
            case LISTENER_UP -> System.out.println("listening again on " + event.device().name());
            default -> System.out.println(event);
          }
        });
    // end::devices[]
  }
}
