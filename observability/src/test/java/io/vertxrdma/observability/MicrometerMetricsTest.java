package io.vertxrdma.observability;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertxrdma.observability.micrometer.MicrometerMetrics;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import org.junit.jupiter.api.Test;

class MicrometerMetricsTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private double counter(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }

  private double gauge(String name, String... tags) {
    return registry.get(name).tags(tags).gauge().value();
  }

  @Test
  void a_connection_and_its_traffic_show_in_the_meters() {
    try (FakeMachine machine = new FakeMachine()) {
      RdmaClient client =
          RdmaClient.create(
              machine.vertx,
              new RdmaClientOptions().setMetrics(new MicrometerMetrics(registry)),
              machine.provider);
      RdmaConnection connection =
          FakeMachine.get(client.connect(FakeMachine.PORT, FakeMachine.HOST));

      assertThat(gauge("rdma.connections", "role", "active")).isEqualTo(1);
      assertThat(gauge("rdma.connections", "role", "passive")).isZero();
      assertThat(gauge("rdma.receives.posted")).isEqualTo(256);
      assertThat(
              registry
                  .get("rdma.connect.attempts")
                  .tags("role", "active", "outcome", "established", "reason", "0")
                  .timer()
                  .count())
          .isEqualTo(1);
      assertThat(registry.get("rdma.connect.step").tag("step", "connect").timer().count())
          .isEqualTo(1);
      assertThat(counter("rdma.cm.events", "type", "established")).isEqualTo(1);
      FakeMachine.get(connection.writeImmediate(1));
      FakeMachine.until(
          () -> counter("rdma.completions", "queue", "send", "status", "success") == 1);
      machine.fake.asyncEvent("fake0", 10, 1);
      FakeMachine.until(() -> counter("rdma.device.events", "kind", "port_err") == 1);

      FakeMachine.get(connection.close());

      assertThat(gauge("rdma.connections", "role", "active")).isZero();
      assertThat(gauge("rdma.receives.posted")).isZero();
      assertThat(
              registry
                  .get("rdma.connection.lifetime")
                  .tags("role", "active", "end", "closed")
                  .timer()
                  .count())
          .isEqualTo(1);
    }
  }

  @Test
  void a_peer_that_is_not_ready_shows_by_its_status() {
    try (FakeMachine machine = new FakeMachine()) {
      RdmaClient client =
          RdmaClient.create(
              machine.vertx,
              new RdmaClientOptions().setMetrics(new MicrometerMetrics(registry)),
              machine.provider);
      machine.fake.holdSends(true);
      RdmaConnection connection =
          FakeMachine.get(client.connect(FakeMachine.PORT, FakeMachine.HOST));
      connection.writeImmediate(1);
      FakeMachine.until(() -> gauge("rdma.sends.queued") == 1);

      machine.fake.completeSends(machine.fake.queuePairs().get(0), 1, 13);

      FakeMachine.get(connection.closed());
      assertThat(counter("rdma.completions", "queue", "send", "status", "rnr_retry_exc_err"))
          .isEqualTo(1);
      assertThat(
              registry
                  .get("rdma.connection.lifetime")
                  .tags("role", "active", "end", "failed")
                  .timer()
                  .count())
          .isEqualTo(1);
    }
  }
}
