package io.vertxrdma.docs;

import static io.vertxrdma.docs.SoftPairs.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.observability.micrometer.PortCounterMeters;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.soft.SoftProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The code of the chapter on metrics shows something, on the soft provider. */
class ObservingTest {

  /** Not the address of other tests: it has a soft device of its own. */
  private static final String ADDRESS = "127.0.0.95";

  private final Vertx vertx = Vertx.vertx();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final RdmaProvider soft = new SoftProvider();

  @AfterEach
  void close() {
    get(vertx.close());
  }

  @Test
  void a_connection_is_counted_and_the_listener_is_well() {
    RdmaServer server = Observing.metered(vertx, registry);
    Observing.devices(server);
    server.connectRequestHandler(request -> request.accept());
    var checks = Observing.health(vertx, soft, server);
    int port = get(server.listen(0, ADDRESS)).actualPort();
    RdmaConnection connection = get(RdmaClient.create(vertx).connect(port, ADDRESS));

    assertThat(registry.get("rdma.connect.requests").counter().count()).isEqualTo(1);
    assertThat(get(checks.checkStatus("rdma-listener")).getUp()).isTrue();
    get(connection.close());
  }

  @Test
  void what_moved_is_what_was_done_meanwhile() {
    RdmaServer server = RdmaServer.create(vertx, new RdmaServerOptions(), soft);
    server.connectRequestHandler(request -> request.accept());
    int port = get(server.listen(0, "127.0.0.1")).actualPort();
    RdmaConnection connection =
        get(RdmaClient.create(vertx, new RdmaClientOptions(), soft).connect(port, "127.0.0.1"));

    var moved = get(Observing.moved(vertx, soft, () -> connection.writeImmediate(1)));

    assertThat(moved).containsEntry("rdma_recvs", 1L);
  }

  @Test
  void the_counters_of_a_port_are_meters() {
    PortCounterMeters meters = Observing.ports(vertx, soft, registry);
    try {
      SoftPairs.until(
          vertx, "meters", () -> registry.find("rdma.port.rdma_sends").meters().size() == 1);
    } finally {
      meters.close();
    }
  }
}
