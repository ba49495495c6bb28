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
      RdmaServer server = bench.server(new RdmaServerOptions().setRearmDelay(0));
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
  void aListenerIsBoundAgainOnceItsAddressHasADeviceAndTheStreamTells(Transport transport) {
    try (Bench bench = new Bench(transport, fake -> fake.device("fake0").address(Bench.HOST))) {
      bench.fake.strictAddresses();
      RdmaServer server = bench.server(new RdmaServerOptions().setRearmDelay(1));
      TestSubscriber<RdmaConnection> accepted = server.connections().test();
      TestSubscriber<DeviceEvent> events = server.deviceEvents().test();
      Bench.get(server.listen());
      RdmaClient client = bench.elsewhere(bench::client);
      RdmaConnection before = Bench.get(client.connect(Bench.PORT, Bench.HOST));
      accepted.awaitCount(1);

      bench.fake.removeDevice("fake0");

      Bench.get(Future.join(before.closed(), accepted.values().get(0).closed()));
      Bench.until("some tries to bind", () -> bench.fake.calls("rdma_bind_addr").size() >= 4);
      assertThat(bench.fake.ids())
          .as("ids on the device that went away")
          .hasSizeLessThanOrEqualTo(1);
      bench.fake.device("fake1").address(Bench.HOST);
      events.awaitCount(3);

      assertThat(events.values())
          .extracting(DeviceEvent::kind)
          .containsExactlyInAnyOrder(
              DeviceEvent.Kind.DEVICE_REMOVAL,
              DeviceEvent.Kind.LISTENER_DOWN,
              DeviceEvent.Kind.LISTENER_UP);
      DeviceEvent down = of(events, DeviceEvent.Kind.LISTENER_DOWN);
      assertThat(down.cause()).isInstanceOf(DeviceRemovedException.class);
      assertThat(down.device().name()).isEqualTo("fake0");
      assertThat(of(events, DeviceEvent.Kind.LISTENER_UP).device().name()).isEqualTo("fake1");
      RdmaConnection after = Bench.get(client.connect(Bench.PORT, Bench.HOST));
      assertThat(after.device().name()).isEqualTo("fake1");
      accepted.awaitCount(2);
      accepted.assertNotComplete().assertNoErrors();
      assertThat(accepted.values().get(1).device().name()).isEqualTo("fake1");
    }
  }

  private static DeviceEvent of(TestSubscriber<DeviceEvent> events, DeviceEvent.Kind kind) {
    return events.values().stream().filter(event -> event.kind() == kind).findFirst().orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aServerThatWaitsForItsDeviceCanBeClosed(Transport transport) {
    try (Bench bench = new Bench(transport, fake -> fake.device("fake0").address(Bench.HOST))) {
      bench.fake.strictAddresses();
      RdmaServer server = bench.server(new RdmaServerOptions().setRearmDelay(1));
      TestSubscriber<RdmaConnection> accepted = server.connections().test();
      TestSubscriber<DeviceEvent> events = server.deviceEvents().test();
      Bench.get(server.listen());
      bench.fake.removeDevice("fake0");
      Bench.until("a try to bind", () -> bench.fake.calls("rdma_bind_addr").size() >= 2);

      Bench.get(server.close());

      int tries = bench.fake.calls("rdma_bind_addr").size();
      accepted.assertComplete();
      events.assertComplete();
      bench.fake.device("fake1").address(Bench.HOST);
      bench.settle();
      assertThat(bench.fake.calls("rdma_bind_addr")).hasSize(tries);
      assertThat(bench.fake.ids()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aListenerWhoseAddressMovedToAnotherDeviceIsBoundAgain(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaServer server = bench.server(new RdmaServerOptions().setRearmDelay(1));
      server.connections().subscribe();
      TestSubscriber<DeviceEvent> events = server.deviceEvents().test();
      Bench.get(server.listen());
      long before = bench.fake.listenerOn(Bench.PORT);

      bench.fake.event(before).type(14).enqueue();

      events.awaitCount(3);
      assertThat(events.values())
          .extracting(DeviceEvent::kind)
          .containsExactly(
              DeviceEvent.Kind.ADDR_CHANGE,
              DeviceEvent.Kind.LISTENER_DOWN,
              DeviceEvent.Kind.LISTENER_UP);
      assertThat(Bench.get(bench.client().connect(Bench.PORT, Bench.HOST)).isOpen()).isTrue();
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
