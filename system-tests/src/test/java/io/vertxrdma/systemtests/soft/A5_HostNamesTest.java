package io.vertxrdma.systemtests.soft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Case A5: host names, looked up by the resolver of Vert.x. */
class A5_HostNamesTest {

  private static final int SECONDS = 20;

  private final Vertx vertx =
      Vertx.vertx(
          new VertxOptions()
              .setPreferNativeTransport(true)
              .setAddressResolverOptions(
                  new AddressResolverOptions()
                      .setHostsValue(Buffer.buffer("127.0.0.81 one.example\n"))
                      .addServer("127.0.0.1")
                      .setQueryTimeout(500)));
  private final RdmaProvider provider =
      new SoftProvider(new SoftProviderOptions().setUdpPort(47_912));

  @AfterEach
  void close() throws Exception {
    vertx.close().await(SECONDS, TimeUnit.SECONDS);
  }

  private int listen(String address) throws Exception {
    RdmaServer server = RdmaServer.create(vertx, new RdmaServerOptions(), provider);
    server.connectRequestHandler(ConnectRequest::accept);
    return server.listen(0, address).await(SECONDS, TimeUnit.SECONDS).actualPort();
  }

  private RdmaClient client() {
    return RdmaClient.create(vertx, new RdmaClientOptions(), provider);
  }

  @Test
  void a_name_is_connected_to_at_its_address() throws Exception {
    int port = listen("127.0.0.81");

    var connection = client().connect(port, "one.example").await(SECONDS, TimeUnit.SECONDS);

    assertThat(connection.remoteAddress().hostAddress()).isEqualTo("127.0.0.81");
  }

  @Test
  void when_nobody_listens_there_the_address_is_told() throws Exception {
    int port = listen("127.0.0.1");

    assertThat(
            catchThrowable(
                () -> client().connect(port, "one.example").await(SECONDS, TimeUnit.SECONDS)))
        .isInstanceOf(ConnectionRejectedException.class)
        .hasMessageContaining("no listener");
  }

  @Test
  void a_name_that_nobody_knows_fails_at_once() {
    assertThat(
            catchThrowable(
                () -> client().connect(4711, "no.such.example").await(SECONDS, TimeUnit.SECONDS)))
        .isInstanceOf(AddressException.class)
        .hasMessageContaining("no.such.example");
  }
}
