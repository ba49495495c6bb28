package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class L8_ListenerClosedTest {

  @ParameterizedTest
  @EnumSource(Transport.class)
  void unansweredRequestsAreRejectedAndTheStreamCompletes(Transport transport) throws Exception {
    try (Bench bench = new Bench(transport)) {
      RdmaServer server = bench.server();
      TestSubscriber<ConnectRequest> requests = server.connectRequests().test(2);
      Bench.get(server.listen());
      RdmaClient client = bench.elsewhere(bench::client);
      List<Future<RdmaConnection>> connects = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        connects.add(client.connect(Bench.PORT, Bench.HOST));
      }
      // Two with the application, one that nobody asked for.
      requests.awaitCount(2);
      Bench.until("all three requests", () -> bench.fake.ids().size() == 7);
      bench.settle();

      Bench.get(server.close());

      for (Future<RdmaConnection> connect : connects) {
        assertThat(Bench.failure(connect))
            .isInstanceOf(ConnectionRejectedException.class)
            .hasMessageContaining("28");
      }
      assertThat(requests.await(20, TimeUnit.SECONDS)).isTrue();
      requests.assertComplete().assertValueCount(2);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aPendingAcceptFails(Transport transport) throws Exception {
    try (Bench bench = new Bench(transport)) {
      bench.fake.silence("rdma_accept");
      RdmaServer server = bench.server();
      BlockingQueue<ConnectRequest> requests = new LinkedBlockingQueue<>();
      server.connectRequestHandler(requests::add);
      Bench.get(server.listen());
      bench.fake.incomingRequest(bench.fake.listenerOn(Bench.PORT)).enqueue();
      Future<RdmaConnection> accepting = requests.take().accept();
      Bench.until("the accept", () -> !bench.fake.calls("rdma_accept").isEmpty());

      Bench.get(server.close());

      assertThat(Bench.failure(accepting))
          .isInstanceOf(ConnectionClosedException.class)
          .hasMessageContaining("closed locally");
    }
  }

  @Test
  void thePortCanBeUsedAgainAtOnce() {
    try (Bench bench = new Bench()) {
      for (int i = 0; i < 5; i++) {
        RdmaServer server = bench.server();
        server.connectRequestHandler(ConnectRequest::reject);
        assertThat(Bench.get(server.listen()).actualPort()).isEqualTo(Bench.PORT);
        Bench.get(server.close());
      }
    }
  }

  @Test
  void aRequestThatArrivesWhileTheListenerClosesIsRejected() {
    try (Bench bench = new Bench()) {
      RdmaServer server = bench.server();
      server.connectRequestHandler(ConnectRequest::reject);
      Bench.get(server.listen());
      RdmaClient client = bench.elsewhere(bench::client);
      long listener = bench.fake.listenerOn(Bench.PORT);
      List<Future<RdmaConnection>> late = new ArrayList<>();
      bench.fake.before(
          "rdma_destroy_id",
          call -> {
            if (call.argument(0) == listener) {
              late.add(client.connect(Bench.PORT, Bench.HOST));
              Bench.until("the request", () -> !bench.fake.calls("rdma_connect").isEmpty());
            }
          });

      Bench.get(server.close());

      assertThat(Bench.failure(late.get(0))).isInstanceOf(ConnectionRejectedException.class);
    }
  }

  @Test
  void aClosedServerSaysSo() {
    try (Bench bench = new Bench()) {
      RdmaServer server = bench.server();
      server.connectRequestHandler(ConnectRequest::reject);
      Bench.get(server.listen());
      Future<Void> first = server.close();
      Bench.get(first);

      assertThat(server.close()).isSameAs(first);
      assertThatIllegalStateException().isThrownBy(server::listen).withMessageContaining("closed");
    }
  }
}
