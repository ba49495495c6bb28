package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertxrdma.cm.HandshakeRejectedException;
import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerTest {

  @Test
  void aServerWithNobodyToAnswerRefusesToListen() {
    try (Bench bench = new Bench()) {
      RdmaServer server = bench.server();

      assertThatIllegalStateException()
          .isThrownBy(server::listen)
          .withMessageContaining("nobody answers requests")
          .withMessageContaining("connectRequestHandler");
      assertThat(bench.fake.calls("rdma_create_id")).isEmpty();

      server.connectRequestHandler(ConnectRequest::reject);
      assertThat(Bench.get(server.listen()).actualPort()).isEqualTo(Bench.PORT);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void askingOnlyForConnectionsAcceptsEverybody(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaServer server = bench.server();
      TestSubscriber<RdmaConnection> connections = server.connections().test();
      Bench.get(server.listen());
      RdmaClient client = bench.client();
      for (int i = 0; i < 5; i++) {
        assertThat(Bench.get(client.connect(Bench.PORT, Bench.HOST)).isOpen()).isTrue();
      }

      connections.awaitCount(5).assertValueCount(5);
      assertThat(connections.values()).allMatch(RdmaConnection::isOpen);
      assertThat(bench.fake.calls("rdma_accept")).hasSize(5);
    }
  }

  @Test
  void connectionsThatTheApplicationAcceptedAreEmittedToo() {
    try (Bench bench = new Bench()) {
      RdmaServer server = bench.server();
      TestSubscriber<RdmaConnection> connections = server.connections().test();
      server.connectRequestHandler(ConnectRequest::accept);
      Bench.get(server.listen());

      Bench.get(bench.client().connect(Bench.PORT, Bench.HOST));

      connections.awaitCount(1).assertValueCount(1);
      assertThat(bench.fake.calls("rdma_accept")).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void requestsBeyondThoseThatMayWaitAreRejected(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaServer server = bench.server(new RdmaServerOptions().setMaxPendingRequests(2));
      TestSubscriber<ConnectRequest> requests = server.connectRequests().test(0);
      Bench.get(server.listen());
      RdmaClient client = bench.elsewhere(bench::client);
      List<Future<RdmaConnection>> connects = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        connects.add(client.connect(Bench.PORT, Bench.HOST));
      }

      Bench.until("three to be rejected", () -> completed(connects) == 3);
      bench.settle();

      assertThat(completed(connects)).isEqualTo(3);
      assertThat(connects.stream().filter(Future::failed))
          .allSatisfy(
              connect ->
                  assertThat(connect.cause())
                      .isInstanceOf(HandshakeRejectedException.class)
                      .hasMessageContaining("BUSY")
                      .hasMessageContaining("2 requests wait for an answer already")
                      .matches(ReconnectPolicy::isTransient));
      assertThat(bench.log.warnings()).hasSize(3).allMatch(line -> line.contains("2 requests"));

      requests.request(10);
      requests.awaitCount(2).assertValueCount(2);
      requests.values().forEach(ConnectRequest::accept);
      Bench.until("all five", () -> completed(connects) == 5);
      assertThat(connects.stream().filter(Future::succeeded)).hasSize(2);
    }
  }

  private static long completed(List<Future<RdmaConnection>> connects) {
    return connects.stream().filter(Future::isComplete).count();
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aBurstOfRequestsBeforeTheDeviceIsOpenIsHeldToTheSameNumber(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaServer server = bench.server(new RdmaServerOptions().setMaxPendingRequests(2));
      TestSubscriber<ConnectRequest> requests = server.connectRequests().test();
      Bench.get(server.listen());
      long listener = bench.fake.listenerOn(Bench.PORT);
      bench.fake.before(
          "rdma_get_cm_event",
          call -> {
            bench.fake.asUsual("rdma_get_cm_event");
            for (int i = 1; i < 5; i++) {
              bench.fake.incomingRequest(listener).enqueue();
            }
          });
      bench.fake.incomingRequest(listener).enqueue();

      Bench.until("three to be rejected", () -> bench.fake.calls("rdma_reject").size() == 3);
      requests.awaitCount(2);
      bench.settle();
      requests.assertValueCount(2);
      assertThat(bench.fake.calls("rdma_reject")).hasSize(3);
    }
  }

  @Test
  void anAnsweredRequestMakesRoomForAnother() {
    try (Bench bench = new Bench()) {
      RdmaServer server = bench.server(new RdmaServerOptions().setMaxPendingRequests(1));
      TestSubscriber<ConnectRequest> requests = server.connectRequests().test();
      Bench.get(server.listen());
      long listener = bench.fake.listenerOn(Bench.PORT);
      for (int i = 1; i <= 4; i++) {
        bench.fake.incomingRequest(listener).enqueue();
        requests.awaitCount(i);
        ConnectRequest request = requests.values().get(i - 1);
        Bench.settled(i % 2 == 0 ? request.accept() : request.reject());
      }
      requests.assertValueCount(4);
      assertThat(bench.log.warnings()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "98,Address already in use",
    "99,Cannot assign requested address",
    "19,No such device"
  })
  void aRefusedBindIsATypedAddressError(int errno, String text) {
    try (Bench bench = new Bench()) {
      RdmaServer server = bench.server();
      server.connectRequestHandler(ConnectRequest::reject);
      bench.fake.failNext("rdma_bind_addr", errno);

      Throwable failure = Bench.failure(server.listen());

      assertThat(failure)
          .isInstanceOf(errno == 98 ? AddressInUseException.class : AddressException.class)
          .hasMessageContaining("10.0.0.1:18515")
          .hasMessageContaining(text);
      assertThat(bench.fake.ids()).isEmpty();
      // It may try again.
      assertThat(Bench.get(server.listen()).actualPort()).isEqualTo(Bench.PORT);
    }
  }

  @Test
  void twoListenersOnOnePortDoNotGoTogether() {
    try (Bench bench = new Bench()) {
      for (RdmaServer server : new RdmaServer[] {bench.server(), bench.server()}) {
        server.connectRequestHandler(ConnectRequest::reject);
        Future<?> listening = Bench.settled(server.listen());
        assertThat(listening.succeeded()).isEqualTo(bench.fake.calls("rdma_bind_addr").size() == 1);
        if (listening.failed()) {
          assertThat(listening.cause()).isInstanceOf(AddressInUseException.class);
        }
      }
    }
  }

  @Test
  void aWildcardListenerReportsItsPortAndUsesTheRequestsDevice() {
    try (Bench bench = new Bench()) {
      RdmaServer server = RdmaServer.create(bench.vertx, new RdmaServerOptions(), bench.provider);
      TestSubscriber<ConnectRequest> requests = server.connectRequests().test();
      assertThat(server.actualPort()).isZero();
      Bench.get(server.listen(0, "0.0.0.0"));
      assertThat(server.actualPort()).isPositive();
      assertThat(bench.fake.calls("ibv_alloc_pd")).isEmpty();

      bench.fake.incomingRequest(bench.fake.listenerOn(server.actualPort())).enqueue();
      requests.awaitCount(1);

      assertThat(requests.values().get(0).device().name()).isEqualTo("fake0");
      assertThat(requests.values().get(0).localAddress().hostAddress()).isEqualTo(Bench.HOST);
      assertThat(Bench.get(requests.values().get(0).accept()).isOpen()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({"0,0", "-1,0", "5000,1024", "128,128", "1024,1024"})
  void theBacklogIsDefaultedOrCapped(int wanted, int used) {
    try (Bench bench = new Bench()) {
      RdmaServer server = bench.server(new RdmaServerOptions().setBacklog(wanted));
      server.connectRequestHandler(ConnectRequest::reject);
      Bench.get(server.listen());

      assertThat(bench.fake.lastCall("rdma_listen").argument(1)).isEqualTo(used);
      assertThat(bench.log.warnings()).hasSize(wanted > 1024 ? 1 : 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-2, 65_536, Integer.MAX_VALUE})
  void aPortOutOfRangeIsRefused(int port) {
    try (Bench bench = new Bench()) {
      RdmaServer server = bench.server();
      server.connectRequestHandler(ConnectRequest::reject);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> server.listen(port))
          .withMessageContaining("0..65535")
          .withMessageContaining(String.valueOf(port));
      Stream.of(0, port)
          .forEach(
              bad ->
                  assertThatIllegalArgumentException()
                      .isThrownBy(() -> bench.client().connect(bad, Bench.HOST))
                      .withMessageContaining("1..65535"));
    }
  }

  @Test
  void aSecondSubscriberIsRefusedAndTheFirstGoesOn() {
    try (Bench bench = new Bench()) {
      RdmaServer server = bench.server();
      TestSubscriber<RdmaConnection> first = server.connections().test();
      server.connections().test().assertError(IllegalStateException.class);
      Bench.get(server.listen());

      Bench.get(bench.client().connect(Bench.PORT, Bench.HOST));

      first.awaitCount(1).assertValueCount(1);
    }
  }
}
