package io.vertxrdma.systemtests.soft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import io.vertxrdma.soft.io.FaultInjection;
import io.vertxrdma.soft.io.Faults;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Case H2: a port that goes down with writes in flight, and comes back. */
class H2_PortDownTest {

  private static final int UDP_PORT = 47_912;
  private static final int SECONDS = 20;

  private final List<FaultInjection> links = new CopyOnWriteArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private Vertx vertx;
  private RdmaClient client;
  private int port;

  private SoftProvider provider() {
    return new SoftProvider(
        new SoftProviderOptions()
            .setUdpPort(UDP_PORT)
            .setLinkDecorator(
                (link, timers) -> {
                  FaultInjection faulty = new FaultInjection(link, timers, 1, Faults.NONE);
                  links.add(faulty);
                  return faulty;
                }));
  }

  @BeforeEach
  void listen() throws Exception {
    vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    RdmaServer server =
        RdmaServer.create(vertx, new RdmaServerOptions().setCloseTimeout(100), provider());
    server.connectRequestHandler(ConnectRequest::accept);
    port = server.listen(0, "127.0.0.1").await(SECONDS, TimeUnit.SECONDS).actualPort();
    RdmaClientOptions options =
        new RdmaClientOptions()
            .setParameters(ConnectionParameters.DEFAULT.withRetryCount(3))
            // 134 ms: with three retries, more than a busy machine keeps an event loop waiting.
            .setAckTimeout(15)
            .setCloseTimeout(100);
    client = RdmaClient.create(vertx, options, provider());
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().await(SECONDS, TimeUnit.SECONDS);
  }

  private RdmaConnection connect() throws Exception {
    return client.connect(port, "127.0.0.1").await(SECONDS, TimeUnit.SECONDS);
  }

  private void link(Faults faults) {
    assertThat(links).isNotEmpty();
    links.forEach(link -> link.setFaults(faults));
  }

  @Test
  void writes_in_flight_fail_the_old_connection_is_over_and_a_new_one_works() throws Exception {
    RdmaConnection old = connect();
    old.exceptionHandler(failures::add);
    old.writeImmediate(0).await(SECONDS, TimeUnit.SECONDS);

    link(Faults.dropping(1));
    List<Future<Void>> inFlight = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      inFlight.add(old.writeImmediate(i));
    }
    old.closed().await(SECONDS, TimeUnit.SECONDS);

    for (Future<Void> write : inFlight) {
      assertThat(write.failed()).isTrue();
    }
    // The oldest says why, the others were never executed.
    assertThat(inFlight.get(0).cause())
        .isInstanceOfSatisfying(
            WorkCompletionException.class,
            failure -> assertThat(failure.status()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR));
    assertThat(inFlight.get(4).cause()).isInstanceOf(FlushedException.class);
    await().atMost(SECONDS, TimeUnit.SECONDS).until(() -> failures.size() == 1);

    link(Faults.NONE);
    assertThat(old.isOpen()).isFalse();
    Future<Void> late = old.writeImmediate(6);
    assertThatThrownBy(() -> late.await(SECONDS, TimeUnit.SECONDS)).isNotNull();
    RdmaConnection fresh = connect();
    assertThat(fresh.queuePairNumber()).isNotEqualTo(old.queuePairNumber());
    fresh.writeImmediate(7).await(SECONDS, TimeUnit.SECONDS);
    assertThat(failures).hasSize(1);
  }
}
