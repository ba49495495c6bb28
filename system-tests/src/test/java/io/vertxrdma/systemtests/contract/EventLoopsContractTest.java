package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.disposables.Disposable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One listening port served by several event loops. */
class EventLoopsContractTest {

  /** A connection takes an emulated guest twenty milliseconds. */
  private static final int CROWD =
      Integer.getInteger(
          "vertx.rdma.test.crowd", ContractRig.providerName().equals("native") ? 300 : 1_000);

  private static final int CROWD_SECONDS = 300;

  @RegisterExtension final ContractRig rig = new ContractRig();

  /** The threads on which each of a server's connections called back, by the client's port. */
  private final Map<Integer, Set<String>> threads = new ConcurrentHashMap<>();

  private void note(RdmaConnection connection) {
    threads
        .computeIfAbsent(connection.remoteAddress().port(), port -> ConcurrentHashMap.newKeySet())
        .add(Thread.currentThread().getName());
  }

  /** Accepts, answers every immediate, and notes where each callback runs. */
  private void serve(ConnectRequest request) {
    request
        .accept()
        .onSuccess(
            connection -> {
              connection
                  .immediates()
                  .subscribe(
                      immediate -> {
                        note(connection);
                        connection
                            .writeImmediate(immediate.value())
                            .onComplete(done -> note(connection));
                      },
                      failure -> note(connection),
                      () -> note(connection));
              connection.closeHandler(closed -> note(connection));
            });
  }

  /** Connects, has three immediates answered, closes. */
  private Future<Void> visit(RdmaClient client, int port) {
    return client
        .connect(port, rig.address())
        .compose(
            connection -> {
              Future<List<Long>> answers = rig.immediates(connection, 3);
              for (int i = 0; i < 3; i++) {
                connection.writeImmediate(i);
              }
              return answers
                  .onSuccess(all -> assertThat(all).containsExactly(0L, 1L, 2L))
                  .compose(all -> connection.close());
            });
  }

  /** How many connections each thread had; fails when a connection was called back on two. */
  private Map<String, Long> connectionsByThread() {
    threads.forEach((port, where) -> assertThat(where).as("client port %d", port).hasSize(1));
    return threads.values().stream()
        .flatMap(Set::stream)
        .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
  }

  @Test
  void connections_are_dealt_out_over_the_loops_and_each_is_called_back_on_its_own() {
    RdmaServer server = rig.server(new RdmaServerOptions().setEventLoops(3));
    server.connectRequestHandler(this::serve);
    int port = rig.listen(server);
    RdmaClient client = rig.client();

    for (int i = 0; i < 9; i++) {
      rig.await(visit(client, port));
    }

    rig.await(server.close());
    assertThat(connectionsByThread())
        .hasSize(3)
        .allSatisfy((loop, all) -> assertThat(all).isEqualTo(3));
  }

  @Test
  void peers_that_give_up_at_any_moment_leave_nothing_on_any_loop() {
    RdmaServer server = rig.server(new RdmaServerOptions().setEventLoops(2));
    server.connectRequestHandler(this::serve);
    int port = rig.listen(server);
    RdmaClient client = rig.client();

    for (int i = 0; i < 60; i++) {
      Disposable attempt = client.rxConnect(port, rig.address()).subscribe(made -> {}, no -> {});
      int step = ThreadLocalRandom.current().nextInt(4);
      if (step > 0) {
        // Long enough for a request to be under way, or not.
        rig.pause(step);
      }
      attempt.dispose();
    }
    rig.await(client.close());

    rig.until("only the listener's id is left", () -> rig.liveIds() == 1);
    rig.await(visit(rig.client(), port));
  }

  /** A server in each instance of a verticle. */
  private final class Instance extends VerticleBase {

    private final int port;

    Instance(int port) {
      this.port = port;
    }

    @Override
    public Future<?> start() {
      RdmaServer server = RdmaServer.create(vertx, new RdmaServerOptions(), rig.provider());
      server.connectRequestHandler(EventLoopsContractTest.this::serve);
      return server.listen(port, rig.address());
    }
  }

  private String deploy(int port) {
    return rig.await(rig.vertx().deployVerticle(new Instance(port), new DeploymentOptions()));
  }

  private int freePort() {
    RdmaServer first = rig.server();
    first.connectRequestHandler(ConnectRequest::reject);
    int port = rig.listen(first);
    rig.await(first.close());
    return port;
  }

  @Test
  void instances_of_a_verticle_share_a_port_until_the_last_has_gone() {
    int port = freePort();
    List<String> deployed = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      deployed.add(deploy(port));
    }
    RdmaClient client = rig.client();
    for (int i = 0; i < 6; i++) {
      rig.await(visit(client, port));
    }
    rig.until("all have ended", () -> rig.liveIds() == 1);
    assertThat(connectionsByThread())
        .hasSize(3)
        .allSatisfy((loop, all) -> assertThat(all).isEqualTo(2));

    // The one that made the listener goes first.
    for (String instance : deployed) {
      rig.await(visit(client, port));
      rig.await(rig.vertx().undeploy(instance));
    }

    assertThat(rig.awaitFailure(client.connect(port, rig.address())))
        .isInstanceOfSatisfying(
            ConnectionRejectedException.class,
            refused -> assertThat(refused.reason()).isEqualTo(RejectReason.INVALID_SERVICE_ID));
    assertThat(rig.liveIds()).isZero();
  }

  @Test
  void a_crowd_that_connects_at_once_is_let_in_whole() {
    RdmaServer server =
        rig.server(
            new RdmaServerOptions()
                .setEventLoops(2)
                .setBacklog(RdmaServerOptions.MAX_BACKLOG)
                .setMaxPendingRequests(CROWD)
                .setAcceptTimeout(CROWD_SECONDS * 1000)
                .setReceiveDepth(4)
                .setSendDepth(4));
    Set<RdmaConnection> accepted = ConcurrentHashMap.newKeySet();
    server.connectRequestHandler(
        request ->
            request
                .accept()
                .onSuccess(
                    connection -> {
                      accepted.add(connection);
                      connection.immediateHandler((from, value, length) -> note(from));
                    }));
    int port = rig.listen(server);
    RdmaClient client =
        rig.client(
            new RdmaClientOptions()
                .setConnectTimeout(CROWD_SECONDS * 1000)
                .setResolveTimeout(CROWD_SECONDS * 1000)
                .setReceiveDepth(4)
                .setSendDepth(4));
    long begin = System.nanoTime();

    List<Future<RdmaConnection>> connecting = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      connecting.add(client.connect(port, rig.address()));
    }
    Future<Void> all =
        Future.all(connecting)
            .compose(
                done ->
                    Future.all(
                        connecting.stream().map(each -> each.result().writeImmediate(1)).toList()))
            .mapEmpty();
    rig.await(all, CROWD_SECONDS);

    rig.until("every immediate has come", () -> threads.size() == CROWD);
    System.out.printf(
        "%d connections at once in %.1f s, by event loop: %s%n",
        CROWD, (System.nanoTime() - begin) / 1e9, connectionsByThread());
    assertThat(accepted).hasSize(CROWD);
    assertThat(connectionsByThread())
        .hasSize(2)
        .allSatisfy((loop, many) -> assertThat(many).isEqualTo(CROWD / 2));
    Promise<Void> closed = Promise.promise();
    client.close().onComplete(closed);
    rig.await(closed.future(), CROWD_SECONDS);
    rig.await(server.close(), CROWD_SECONDS);
  }
}
