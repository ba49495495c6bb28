package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertxrdma.core.DeviceRemovedException;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class H1_DeviceRemovalTest {

  @ParameterizedTest
  @EnumSource(Transport.class)
  void everythingOnTheDeviceEndsOnceAndANewServerWorksAfterItsReturn(Transport transport)
      throws Exception {
    try (Bench bench = new Bench(transport)) {
      RdmaServer server = bench.server();
      TestSubscriber<RdmaConnection> accepted = server.connections().test();
      Bench.get(server.listen());
      RdmaClient client = bench.elsewhere(bench::client);
      List<RdmaConnection> connections = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        connections.add(Bench.get(client.connect(Bench.PORT, Bench.HOST)));
      }
      accepted.awaitCount(3);
      connections.addAll(accepted.values());
      bench.fake.holdSends(true);
      List<Throwable> failures = new CopyOnWriteArrayList<>();
      List<Throwable> operations = new CopyOnWriteArrayList<>();
      List<Future<Void>> closed = new ArrayList<>();
      for (RdmaConnection connection : connections) {
        connection.exceptionHandler(failures::add);
        connection.writeImmediate(1).onFailure(operations::add);
        closed.add(connection.closed());
      }
      Bench.until(
          "the writes to be posted",
          () ->
              bench.fake.queuePairs().stream()
                  .allMatch(number -> bench.fake.pendingSends(number) == 1));

      bench.fake.removeDevice("fake0");

      Bench.get(Future.join(closed));
      assertThat(accepted.await(20, TimeUnit.SECONDS)).isTrue();
      accepted.assertError(DeviceRemovedException.class);
      Bench.until("the failures to be told", () -> failures.size() >= 6);
      Bench.until("the operations to end", () -> operations.size() >= 6);
      bench.settle();
      assertThat(failures).hasSize(6).hasOnlyElementsOfType(DeviceRemovedException.class);
      assertThat(operations).hasSize(6);
      // The driver can unload: no id is left on the device.
      Bench.until("every id to go", () -> bench.fake.ids().isEmpty());
      Bench.get(client.close());

      bench.fake.device("fake1").address(Bench.HOST);
      bench.fake.holdSends(false);
      assertThat(bench.pair().client().isOpen()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aClientConnectsAgainOnTheDeviceThatReturned(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaClient client = bench.client();
      RdmaConnection connection = Bench.get(client.connect(Bench.PORT, Bench.HOST));
      bench.fake.removeDevice("fake0");
      Bench.get(connection.closed());

      bench.fake.device("fake1").address(Bench.HOST);

      RdmaConnection next = Bench.get(client.connect(Bench.PORT, Bench.HOST));
      assertThat(next.device().name()).isEqualTo("fake1");
      assertThat(Bench.settled(next.writeImmediate(7)).succeeded()).isTrue();
    }
  }
}
