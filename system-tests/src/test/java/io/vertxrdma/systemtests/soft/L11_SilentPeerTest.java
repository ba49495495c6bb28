package io.vertxrdma.systemtests.soft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertxrdma.cm.ConnectionParameters;
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
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Case L11: a peer whose host drops off without a word. */
class L11_SilentPeerTest {

  private static final int UDP_PORT = 47_911;
  private static final int SECONDS = 20;

  private final List<FaultInjection> serverLinks = new CopyOnWriteArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private Vertx vertx;
  private int port;

  @BeforeEach
  void listen() throws Exception {
    vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    SoftProvider provider =
        new SoftProvider(
            new SoftProviderOptions()
                .setUdpPort(UDP_PORT)
                .setLinkDecorator(
                    (link, timers) -> {
                      FaultInjection faulty = new FaultInjection(link, timers, 1, Faults.NONE);
                      serverLinks.add(faulty);
                      return faulty;
                    }));
    RdmaServer server =
        RdmaServer.create(vertx, new RdmaServerOptions().setCloseTimeout(100), provider);
    server.connectRequestHandler(ConnectRequest::accept);
    port = server.listen(0, "127.0.0.1").await(SECONDS, TimeUnit.SECONDS).actualPort();
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().await(SECONDS, TimeUnit.SECONDS);
  }

  private RdmaConnection connection(int heartbeatInterval) throws Exception {
    SoftProvider provider = new SoftProvider(new SoftProviderOptions().setUdpPort(UDP_PORT));
    RdmaClientOptions options =
        new RdmaClientOptions()
            .setParameters(ConnectionParameters.DEFAULT.withRetryCount(2))
            // 268 ms: with two retries, more than a busy machine keeps an event loop waiting.
            .setAckTimeout(16)
            .setCloseTimeout(100)
            .setHeartbeatInterval(heartbeatInterval);
    RdmaConnection made =
        RdmaClient.create(vertx, options, provider)
            .connect(port, "127.0.0.1")
            .await(SECONDS, TimeUnit.SECONDS);
    made.exceptionHandler(failures::add);
    return made;
  }

  private void serverFallsSilent() {
    assertThat(serverLinks).isNotEmpty();
    serverLinks.forEach(link -> link.setFaults(Faults.dropping(1)));
  }

  private void pause(long millis) throws Exception {
    vertx.timer(millis, TimeUnit.MILLISECONDS).await(SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void a_heartbeat_notices_it_and_the_connection_ends_typed() throws Exception {
    RdmaConnection connection = connection(50);
    pause(300);
    assertThat(connection.isOpen()).isTrue();

    serverFallsSilent();

    connection.closed().await(SECONDS, TimeUnit.SECONDS);
    await().atMost(SECONDS, TimeUnit.SECONDS).until(() -> !failures.isEmpty());
    assertThat(failures)
        .singleElement()
        .isInstanceOf(WorkCompletionException.class)
        .asString()
        .contains("heartbeat")
        .contains("transport retry counter exceeded (12)");
    assertThat(((WorkCompletionException) failures.get(0)).status())
        .isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
  }

  @Test
  void without_traffic_nobody_notices_and_the_next_write_does() throws Exception {
    RdmaConnection connection = connection(0);

    serverFallsSilent();
    pause(500);
    assertThat(connection.isOpen()).isTrue();
    assertThat(failures).isEmpty();
    connection.writeImmediate(1);

    connection.closed().await(SECONDS, TimeUnit.SECONDS);
    await().atMost(SECONDS, TimeUnit.SECONDS).until(() -> !failures.isEmpty());
    assertThat(failures).singleElement().asString().contains("(12)");
  }
}
