package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whatever the transport of Vert.x, the application's code runs on its event loop. */
class EventLoopContractTest {

  private static final String HELPER = "vertx-rdma-helper";
  private static final int IMMEDIATES = 300;

  @RegisterExtension final ContractRig rig = new ContractRig();

  /** Which callbacks ran on which threads, and whether they found a Vert.x context there. */
  private final Map<String, Set<String>> server = new ConcurrentHashMap<>();

  private final Map<String, Set<String>> client = new ConcurrentHashMap<>();

  @Test
  void on_the_native_transport_every_callback_runs_on_the_event_loop_itself() {
    assertThat(rig.vertx().isNativeTransportEnabled()).as("the native transport").isTrue();
    exchange(rig.vertx(), 0);
    assertOneEventLoopEach();
  }

  @Test
  void on_the_nio_transport_the_same_works_and_the_librarys_own_thread_ends_with_vertx() {
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(false));
    try {
      assertThat(vertx.isNativeTransportEnabled()).isFalse();
      // A provider without descriptors needs nobody to watch them.
      exchange(vertx, rig.isNative() ? 1 : 0);
      assertOneEventLoopEach();
    } finally {
      rig.await(vertx.close());
    }
    Traffic.eventually("the helper thread has ended", () -> helperThreads() == 0);
  }

  private static long helperThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(HELPER))
        .count();
  }

  private static void note(Map<String, Set<String>> where, String callback) {
    String thread = Thread.currentThread().getName();
    boolean context = Vertx.currentContext() != null && Vertx.currentContext().isEventLoopContext();
    where
        .computeIfAbsent(callback, name -> ConcurrentHashMap.newKeySet())
        .add(thread + (context ? "" : " without context"));
  }

  private void assertOneEventLoopEach() {
    for (Map<String, Set<String>> side : Set.of(server, client)) {
      Set<String> threads = ConcurrentHashMap.newKeySet();
      side.values().forEach(threads::addAll);
      assertThat(threads).as("%s", side).hasSize(1);
      assertThat(threads.iterator().next())
          .startsWith("vert.x-eventloop-thread-")
          .doesNotContain("without");
    }
    assertThat(server)
        .containsOnlyKeys("request", "cm event", "accepted", "immediate", "close handler", "end");
    assertThat(client).containsOnlyKeys("cm event", "connected", "written", "close handler");
  }

  /** Connect, some traffic, close: the client closes, everything is awaited. */
  private void exchange(Vertx vertx, int helpers) {
    RdmaServer listening = RdmaServer.create(vertx, new RdmaServerOptions(), rig.provider());
    listening.events().subscribe(event -> note(server, "cm event"));
    Promise<Void> allArrived = Promise.promise();
    Promise<Void> serverEnded = Promise.promise();
    listening.connectRequestHandler(
        request -> {
          note(server, "request");
          request
              .accept()
              .onSuccess(
                  connection -> {
                    note(server, "accepted");
                    serve(connection, allArrived, serverEnded);
                  });
        });
    int port = rig.await(listening.listen(0, rig.address())).actualPort();
    RdmaClient connecting = RdmaClient.create(vertx, new RdmaClientOptions(), rig.provider());
    connecting.events().subscribe(event -> note(client, "cm event"));
    Promise<Void> clientEnded = Promise.promise();
    Future<RdmaConnection> connected =
        connecting
            .connect(port, rig.address())
            .onSuccess(
                connection -> {
                  note(client, "connected");
                  connection.closeHandler(
                      nothing -> {
                        note(client, "close handler");
                        clientEnded.complete();
                      });
                  for (int i = 0; i < IMMEDIATES; i++) {
                    connection.writeImmediate(i).onSuccess(done -> note(client, "written"));
                  }
                });
    rig.await(connected);
    assertThat(helperThreads()).as("threads of the library's own").isEqualTo(helpers);
    rig.await(allArrived.future());
    rig.await(connected.result().close());
    rig.await(clientEnded.future());
    rig.await(serverEnded.future());
    rig.await(connecting.close());
    rig.await(listening.close());
  }

  private void serve(RdmaConnection connection, Promise<Void> arrived, Promise<Void> ended) {
    connection.closeHandler(nothing -> note(server, "close handler"));
    connection
        .immediates()
        .subscribe(
            immediate -> {
              note(server, "immediate");
              if (immediate.value() == IMMEDIATES - 1) {
                arrived.complete();
              }
            },
            ended::fail,
            () -> {
              note(server, "end");
              ended.complete();
            });
  }
}
