package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UnknownEventsTest {

  /** Multicast, timewait, address information, private ones of newer libraries, nonsense. */
  private static final List<Integer> FOREIGN = List.of(12, 13, 15, 16, 17, 18, 19, 20, 77, 4096);

  @ParameterizedTest
  @EnumSource(Transport.class)
  void eventsThatMeanNothingHereAreAcknowledgedAndIgnored(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaServer server = bench.server();
      server.connectRequestHandler(ConnectRequest::reject);
      Bench.get(server.listen());
      RdmaClient client = bench.client();
      bench.fake.silence("rdma_connect");
      var connecting = client.connect(Bench.PORT, Bench.HOST);
      Bench.until("the connect", () -> !bench.fake.calls("rdma_connect").isEmpty());
      long attempt = bench.idOf("rdma_connect");
      bench.fake.asUsual("rdma_connect");
      List<CmEvent> seen = new CopyOnWriteArrayList<>();
      client.events().subscribe(seen::add);

      for (int type : FOREIGN) {
        bench.fake.event(attempt).type(type).status(type).enqueue();
        bench.fake.event(bench.fake.listenerOn(Bench.PORT)).type(type).enqueue();
      }
      bench.settle();
      assertThat(connecting.isComplete()).isFalse();
      bench.fake.event(attempt).type(9).rnrRetryCount(7).enqueue();
      RdmaConnection connection = Bench.get(connecting);
      for (int type : FOREIGN) {
        bench.fake.event(attempt).type(type).enqueue();
      }
      bench.settle();

      assertThat(connection.isOpen()).isTrue();
      assertThat(bench.fake.eventsAcknowledged()).isEqualTo(bench.fake.eventsFetched());
      assertThat(seen).extracting(CmEvent::rawType).containsAll(FOREIGN);
      assertThat(bench.log.alarms()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void duplicatesOfEachStepChangeNothing(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      for (int type : List.of(0, 2, 9)) {
        String step =
            switch (type) {
              case 0 -> "rdma_resolve_addr";
              case 2 -> "rdma_resolve_route";
              default -> "rdma_connect";
            };
        bench.fake.after(step, call -> bench.fake.event(call.argument(0)).type(type).enqueue());
      }

      RdmaConnection connection = bench.connection();
      bench.settle();

      assertThat(connection.isOpen()).isTrue();
      assertThat(bench.fake.calls("rdma_resolve_route")).hasSize(1);
      assertThat(bench.fake.calls("rdma_connect")).hasSize(1);
      assertThat(bench.fake.calls("rdma_create_qp")).hasSize(1);
    }
  }
}
