package io.vertxrdma.systemtests.soft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.soft.SoftDeviceOptions;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Case R2: a device whose completion queues hold 32 entries, and a consumer that has stopped. */
class R2_SmallCompletionQueueTest {

  private static final int SECONDS = 20;
  private static final int ENTRIES = 32;

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
  private final SoftProvider provider =
      new SoftProvider(
          new SoftProviderOptions()
              .setUdpPort(47_913)
              .setDevice(
                  new SoftDeviceOptions(64, 1024, 4, ENTRIES, 1 << 20, 64, 16, 16, 64, 1024)));

  @AfterEach
  void close() throws Exception {
    vertx.close().await(SECONDS, TimeUnit.SECONDS);
  }

  private RdmaServer server(int depth) throws Exception {
    return RdmaServer.create(
        vertx, new RdmaServerOptions().setReceiveDepth(depth).setSendDepth(depth), provider);
  }

  private RdmaClient client() {
    return RdmaClient.create(
        vertx, new RdmaClientOptions().setReceiveDepth(8).setSendDepth(8), provider);
  }

  @Test
  void more_immediates_than_it_holds_wait_at_their_sender_and_none_is_lost() throws Exception {
    RdmaServer server = server(ENTRIES / 2);
    TestSubscriber<RdmaConnection> accepted = server.connections().test();
    int port = server.listen(0, "127.0.0.1").await(SECONDS, TimeUnit.SECONDS).actualPort();
    RdmaConnection sender = client().connect(port, "127.0.0.1").await(SECONDS, TimeUnit.SECONDS);
    RdmaConnection receiver = accepted.awaitCount(1).values().get(0);
    TestSubscriber<Immediate> stopped = receiver.immediates().test(0);
    List<Future<Void>> writes = new ArrayList<>();
    for (int i = 0; i < 10 * ENTRIES; i++) {
      writes.add(sender.writeImmediate(i));
    }
    Awaitility.await("as many wait as there are receives, for good")
        .atMost(SECONDS, TimeUnit.SECONDS)
        .during(200, TimeUnit.MILLISECONDS)
        .until(() -> receiver.counters().immediatesWaiting() == ENTRIES / 2);
    assertThat(receiver.isOpen()).isTrue();

    stopped.request(Long.MAX_VALUE);

    Future.all(writes).await(SECONDS, TimeUnit.SECONDS);
    stopped.awaitCount(10 * ENTRIES);
    assertThat(stopped.values())
        .extracting(Immediate::value)
        .containsExactlyElementsOf(LongStream.range(0, 10 * ENTRIES).boxed().toList());
    assertThat(sender.isOpen()).isTrue();
  }

  @Test
  void a_connection_that_could_overrun_it_is_refused_naming_both() throws Exception {
    RdmaServer server = server(8);
    server.connectRequestHandler(request -> request.accept());
    int port = server.listen(0, "127.0.0.1").await(SECONDS, TimeUnit.SECONDS).actualPort();
    RdmaClient greedy =
        RdmaClient.create(
            vertx, new RdmaClientOptions().setReceiveDepth(ENTRIES).setSendDepth(1), provider);

    assertThat(
            catchThrowable(
                () -> greedy.connect(port, "127.0.0.1").await(SECONDS, TimeUnit.SECONDS)))
        .hasMessageContaining("33")
        .hasMessageContaining("32");
  }
}
