package io.vertxrdma.systemtests.soft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two Vert.x instances of one JVM, as tests have them, on one host's loopback addresses. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class TwoVertxTest {

  private final Vertx first = Vertx.vertx();
  private final Vertx second = Vertx.vertx();
  private final String address = "127.78." + octet() + "." + octet();
  private final String otherAddress = "127.79." + octet() + "." + octet();

  @AfterEach
  void close() throws Exception {
    await(first.close());
    await(second.close());
  }

  private static int octet() {
    return ThreadLocalRandom.current().nextInt(1, 255);
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** A server that answers an immediate with the next number. */
  private static RdmaServer server(Vertx vertx, RdmaProvider provider) {
    RdmaServerOptions options = new RdmaServerOptions().setProvider("soft");
    RdmaServer server =
        provider == null
            ? RdmaServer.create(vertx, options)
            : RdmaServer.create(vertx, options, provider);
    return server.connectRequestHandler(
        request ->
            request
                .accept()
                .onSuccess(
                    connection ->
                        connection.immediateHandler(
                            (from, value, length) -> from.writeImmediate(value + 1))));
  }

  private static RdmaConnection connect(
      Vertx vertx, RdmaProvider provider, RdmaServer server, String address) throws Exception {
    RdmaClientOptions options =
        new RdmaClientOptions().setProvider("soft").setConnectTimeout(60_000);
    RdmaClient client =
        provider == null
            ? RdmaClient.create(vertx, options)
            : RdmaClient.create(vertx, options, provider);
    return await(client.connect(server.actualPort(), address));
  }

  private static void answers(RdmaConnection connection, int value) throws Exception {
    Promise<Integer> answer = Promise.promise();
    connection.immediateHandler((from, immediate, length) -> answer.tryComplete(immediate));
    await(connection.writeImmediate(value));
    assertThat(await(answer.future())).isEqualTo(value + 1);
  }

  @Test
  void one_connects_to_the_other_and_the_other_to_the_one() throws Exception {
    RdmaServer here = server(first, null);
    await(here.listen(0, address));
    answers(connect(second, null, here, address), 10);

    RdmaServer there = server(second, null);
    await(there.listen(0, otherAddress));

    answers(connect(first, null, there, otherAddress), 20);
    answers(connect(second, null, here, address), 30);
    answers(connect(second, null, there, otherAddress), 40);
  }

  @Test
  void both_on_one_address_is_refused_with_the_way_out() throws Exception {
    await(server(first, null).listen(0, address));

    assertThatThrownBy(() -> await(server(second, null).listen(0, address)))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(AddressInUseException.class)
        .hasMessageContaining(address)
        .hasMessageContaining("another Vert.x instance")
        .hasMessageContaining("setOwnEventLoop")
        .hasMessageContaining("127.0.0.0/8");
  }

  @Test
  void both_on_one_address_works_with_a_shared_provider_and_outlives_the_first() throws Exception {
    SoftProvider shared = new SoftProvider(new SoftProviderOptions().setOwnEventLoop(true));
    RdmaServer here = server(first, shared);
    await(here.listen(0, address));
    RdmaServer there = server(second, shared);
    await(there.listen(0, address));
    assertThat(there.actualPort()).isNotEqualTo(here.actualPort());
    answers(connect(second, shared, here, address), 10);
    answers(connect(first, shared, there, address), 20);
    RdmaConnection own = connect(second, shared, there, address);

    await(first.close());

    answers(own, 30);
    answers(connect(second, shared, there, address), 40);
  }
}
