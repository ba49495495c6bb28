package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class LifecycleTest {

  /** Listens, connects to itself, keeps memory and a pending write; closes nothing itself. */
  private static final class Both extends VerticleBase {
    private final Bench bench;
    private final List<RdmaConnection> connections = new CopyOnWriteArrayList<>();
    private final AtomicReference<String> thread = new AtomicReference<>();

    Both(Bench bench) {
      this.bench = bench;
    }

    @Override
    public Future<?> start() {
      RdmaServer server = RdmaServer.create(vertx, new RdmaServerOptions(), bench.provider);
      server.connections().subscribe(connections::add);
      RdmaClient client = RdmaClient.create(vertx, new RdmaClientOptions(), bench.provider);
      return server
          .listen(Bench.PORT, Bench.HOST)
          .compose(listening -> client.connect(Bench.PORT, Bench.HOST))
          .compose(
              connection -> {
                connections.add(connection);
                thread.set(Thread.currentThread().getName());
                return connection.memory().allocateInbox(4096);
              });
    }
  }

  static Stream<Arguments> kindsOfVerticles() {
    return Stream.of(Transport.values())
        .flatMap(
            transport ->
                Stream.of(ThreadingModel.EVENT_LOOP, ThreadingModel.WORKER)
                    .map(model -> Arguments.of(transport, model)));
  }

  @ParameterizedTest
  @MethodSource("kindsOfVerticles")
  void undeployingClosesWhatTheVerticleOpened(Transport transport, ThreadingModel model) {
    try (Bench bench = new Bench(transport)) {
      Both verticle = new Both(bench);
      String id =
          Bench.get(
              bench.vertx.deployVerticle(
                  verticle, new DeploymentOptions().setThreadingModel(model)));
      Bench.until("both ends", () -> verticle.connections.size() == 2);
      assertThat(bench.fake.live()).containsEntry("memory regions", 1);

      Bench.get(bench.vertx.undeploy(id));

      bench.fake.assertClean();
      assertThat(verticle.connections).noneMatch(RdmaConnection::isOpen);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void undeployingEndsConnectionsThatHadBegunToCloseAndGetNoAnswer(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      bench.fake.silence("rdma_disconnect");
      Both verticle = new Both(bench);
      String id = Bench.get(bench.vertx.deployVerticle(verticle));
      Bench.until("both ends", () -> verticle.connections.size() == 2);
      verticle.connections.forEach(RdmaConnection::close);
      Bench.until("both said so", () -> bench.fake.calls("rdma_disconnect").size() == 2);

      Bench.get(bench.vertx.undeploy(id));

      bench.fake.assertClean();
      assertThat(verticle.connections).allMatch(connection -> connection.closed().isComplete());
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void closingVertxClosesEverything(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      Bench.Pair pair = bench.pair();
      Bench.get(pair.client().memory().allocate(4096));

      Bench.get(bench.vertx.close());

      bench.fake.assertClean();
      assertThat(pair.client().isOpen()).isFalse();
      assertThat(pair.server().isOpen()).isFalse();
      assertThat(pair.client().writeImmediate(1).toCompletionStage())
          .as("an operation that comes too late")
          .failsWithin(30, TimeUnit.SECONDS)
          .withThrowableThat()
          .withCauseInstanceOf(RdmaException.class);
    }
  }

  @Test
  void twoVerticlesOnOneLoopShareItsChannelAndEndWithTheLast() {
    try (Bench bench = new Bench()) {
      RdmaClient first = bench.client();
      RdmaClient second = bench.client();
      Bench.get(first.connect(Bench.PORT, Bench.HOST));
      RdmaConnection stays = Bench.get(second.connect(Bench.PORT, Bench.HOST));
      assertThat(bench.fake.live())
          .containsEntry("event channels", 1)
          .containsEntry("protection domains", 1);

      Bench.get(first.close());
      assertThat(stays.isOpen()).isTrue();
      Bench.get(stays.writeImmediate(1));
      assertThat(bench.fake.live()).containsEntry("event channels", 1);

      Bench.get(second.close());
      bench.fake.assertClean();
    }
  }

  @Test
  void closingAClientEndsItsConnectionsMemoryAndStreams() {
    try (Bench bench = new Bench()) {
      RdmaClient client = bench.client();
      var events = client.events().test();
      RdmaConnection connection = Bench.get(client.connect(Bench.PORT, Bench.HOST));
      var immediates = connection.immediates().test();
      RegisteredBuffer buffer = Bench.get(connection.memory().allocate(64));

      Bench.get(client.close());

      bench.fake.assertClean();
      immediates.awaitDone(20, TimeUnit.SECONDS).assertComplete();
      events.awaitDone(20, TimeUnit.SECONDS).assertComplete();
      assertThat(buffer.close().isComplete()).isTrue();
    }
  }

  @Test
  void aClosedServerNeverUsedNeedsNoLibrary() {
    try (Bench bench = new Bench()) {
      Bench.get(bench.server().close());
      Bench.get(bench.client().close());

      assertThat(bench.fake.calls()).isEmpty();
    }
  }

  @Test
  void optionsOfALiveServerAreACopy() {
    try (Bench bench = new Bench()) {
      RdmaServerOptions options = new RdmaServerOptions().setBacklog(7);
      RdmaServer server = bench.server(options);
      server.connectRequestHandler(ConnectRequest::reject);
      options.setBacklog(9).setPort(1);

      Bench.get(server.listen());

      assertThat(bench.fake.lastCall("rdma_listen").argument(1)).isEqualTo(7);
      assertThat(server.actualPort()).isEqualTo(Bench.PORT);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void whatTheLibraryRefusedOnceIsAskedForAgain(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaClient client = bench.client();
      bench.fake.failNext("rdma_create_event_channel", 24, 2);
      for (int i = 0; i < 2; i++) {
        assertThat(Bench.failure(client.connect(Bench.PORT, Bench.HOST)))
            .hasMessageContaining("rdma_create_event_channel")
            .hasMessageContaining("EMFILE");
      }
      for (String function : new String[] {"ibv_alloc_pd", "ibv_create_cq", "rdma_create_qp"}) {
        bench.fake.failNext(function, 12);
        assertThat(Bench.failure(client.connect(Bench.PORT, Bench.HOST)))
            .hasMessageContaining(function)
            .hasMessageContaining("ENOMEM");
        bench.assertNoConnectionLeft();
      }

      assertThat(Bench.get(client.connect(Bench.PORT, Bench.HOST)).isOpen()).isTrue();

      Bench.get(client.close());
      bench.fake.assertClean();
    }
  }
}
