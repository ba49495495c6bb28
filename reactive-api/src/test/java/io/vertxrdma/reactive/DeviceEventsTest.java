package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertxrdma.core.AsyncEventException;
import io.vertxrdma.core.AsyncEventType;
import io.vertxrdma.core.DeviceRemovedException;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.nativeverbs.FakeCall;
import io.vertxrdma.reactive.Bench.Transport;
import io.vertxrdma.reactive.DeviceEvent.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Asynchronous events of a device: in the stream, in the log, and at the connections they hit. */
class DeviceEventsTest {

  private static final int CQ_ERR = 0;
  private static final int DEVICE_FATAL = 8;
  private static final int PORT_ACTIVE = 9;
  private static final int PORT_ERR = 10;

  @ParameterizedTest
  @EnumSource(Transport.class)
  void everyEndpointHearsOfAPortThatGoesDownAndComesBackAndTheLogTellsOnce(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaServer server = bench.elsewhere(bench::server);
      server.connections().subscribe();
      TestSubscriber<DeviceEvent> atServer = server.deviceEvents().test();
      Bench.get(server.listen());
      RdmaClient client = bench.elsewhere(bench::client);
      TestSubscriber<DeviceEvent> atClient = client.deviceEvents().test();
      RdmaConnection connection = Bench.get(client.connect(Bench.PORT, Bench.HOST));

      bench.fake.asyncEvent("fake0", PORT_ERR, 1).asyncEvent("fake0", PORT_ACTIVE, 1);

      atServer.awaitCount(2);
      atClient.awaitCount(2);
      for (TestSubscriber<DeviceEvent> events : List.of(atServer, atClient)) {
        assertThat(events.values())
            .extracting(DeviceEvent::kind)
            .containsExactly(Kind.PORT_ERR, Kind.PORT_ACTIVE);
        assertThat(events.values()).extracting(DeviceEvent::port).containsExactly(1, 1);
        assertThat(events.values().get(0).device().name()).isEqualTo("fake0");
        assertThat(events.values().get(0).asyncEvent().type()).isEqualTo(AsyncEventType.PORT_ERR);
      }
      assertThat(connection.isOpen()).isTrue();
      assertThat(bench.log.containing("the port is down")).hasSize(1);
      assertThat(bench.log.containing("the port is up")).hasSize(1);
    }
  }

  @Test
  void aHandlerIsCalledInTheContextOfItsServer() {
    try (Bench bench = new Bench()) {
      List<Context> contexts = new CopyOnWriteArrayList<>();
      Context[] home = new Context[1];
      RdmaServer server =
          bench.elsewhere(
              () -> {
                home[0] = Vertx.currentContext();
                return bench.server();
              });
      server
          .connectRequestHandler(ConnectRequest::accept)
          .deviceEventHandler(event -> contexts.add(Vertx.currentContext()));
      Bench.get(server.listen());

      bench.fake.asyncEvent("fake0", PORT_ERR, 1);

      Bench.until("the handler to be called", () -> contexts.size() == 1);
      assertThat(contexts).containsExactly(home[0]);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aQueuePairThatFailsEndsItsConnectionOnlyAndTheReasonIsTyped(int type) {
    try (Bench bench = new Bench()) {
      RdmaClient client = bench.client();
      RdmaConnection hit = Bench.get(client.connect(Bench.PORT, Bench.HOST));
      RdmaConnection other = Bench.get(client.connect(Bench.PORT, Bench.HOST));
      List<Throwable> reasons = new CopyOnWriteArrayList<>();
      hit.exceptionHandler(reasons::add);
      TestSubscriber<DeviceEvent> events = client.deviceEvents().test();
      bench.settle();

      bench.fake.asyncEvent("fake0", type, bench.fake.pointerOfQueuePair(hit.queuePairNumber()));

      Bench.get(hit.closed());
      bench.settle();
      assertThat(reasons)
          .singleElement()
          .isInstanceOfSatisfying(
              AsyncEventException.class,
              reason -> {
                assertThat(reason.type()).isEqualTo(AsyncEventType.of(type));
                assertThat(reason.code()).isEqualTo(type);
              })
          .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
          .hasMessageContaining("0x" + Integer.toHexString(hit.queuePairNumber()))
          .hasMessageContaining("fake0");
      assertThat(other.isOpen()).isTrue();
      events.awaitCount(1);
      assertThat(events.values()).extracting(DeviceEvent::kind).containsExactly(Kind.QP_FATAL);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aDeviceThatFailsEndsEveryConnectionOnItOnce(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaClient here = bench.elsewhere(bench::client);
      RdmaClient there = bench.elsewhere(bench::client);
      List<RdmaConnection> connections =
          List.of(
              Bench.get(here.connect(Bench.PORT, Bench.HOST)),
              Bench.get(here.connect(Bench.PORT, Bench.HOST)),
              Bench.get(there.connect(Bench.PORT, Bench.HOST)));
      List<Throwable> reasons = new CopyOnWriteArrayList<>();
      connections.forEach(connection -> connection.exceptionHandler(reasons::add));
      bench.settle();

      bench.fake.asyncEvent("fake0", DEVICE_FATAL, 0);
      bench.fake.removeDevice("fake0");

      connections.forEach(connection -> Bench.get(connection.closed()));
      bench.settle();
      assertThat(reasons).hasSize(3).hasOnlyElementsOfType(DeviceRemovedException.class);
      assertThat(reasons)
          .extracting(Throwable::getMessage)
          .allMatch(text -> text.contains("DEVICE_FATAL") || text.contains("DEVICE_REMOVAL"));
    }
  }

  @Test
  void anOverrunCompletionQueueEndsTheConnectionsThatShareIt() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection();
      List<Throwable> reasons = new CopyOnWriteArrayList<>();
      connection.exceptionHandler(reasons::add);
      FakeCall create = bench.fake.lastCall("rdma_create_qp");
      // send_cq of struct ibv_qp_init_attr.
      long queue = ByteBuffer.wrap(create.struct()).order(ByteOrder.nativeOrder()).getLong(8);
      bench.settle();

      bench.fake.asyncEvent("fake0", CQ_ERR, queue);

      Bench.get(connection.closed());
      bench.settle();
      assertThat(reasons)
          .singleElement()
          .isInstanceOfSatisfying(
              AsyncEventException.class,
              reason -> assertThat(reason.type()).isEqualTo(AsyncEventType.CQ_ERR));
    }
  }

  @Test
  void anEventAboutAQueuePairThatIsGoneHitsNobody() {
    try (Bench bench = new Bench()) {
      RdmaClient client = bench.client();
      RdmaConnection connection = Bench.get(client.connect(Bench.PORT, Bench.HOST));
      TestSubscriber<DeviceEvent> events = client.deviceEvents().test();

      bench.fake.asyncEvent("fake0", 1, 0xDEAD0L);

      events.awaitCount(1);
      bench.settle();
      assertThat(connection.isOpen()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void whenTheReadingEndpointClosesAnotherOneGoesOn(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaServer reader = bench.elsewhere(bench::server);
      reader.connections().subscribe();
      Bench.get(reader.listen());
      RdmaClient client = bench.elsewhere(bench::client);
      Bench.get(client.connect(Bench.PORT, Bench.HOST));
      TestSubscriber<DeviceEvent> events = client.deviceEvents().test();
      TestSubscriber<DeviceEvent> atReader = reader.deviceEvents().test();
      bench.fake.asyncEvent("fake0", PORT_ERR, 1);
      events.awaitCount(1);
      atReader.awaitCount(1);

      Bench.get(reader.close());
      bench.fake.asyncEvent("fake0", PORT_ACTIVE, 1);

      events.awaitCount(2);
      assertThat(events.values())
          .extracting(DeviceEvent::kind)
          .containsExactly(Kind.PORT_ERR, Kind.PORT_ACTIVE);
      atReader.assertComplete();
      assertThat(atReader.values()).hasSize(1);
    }
  }

  @Test
  void aDeviceWhoseEventsCannotBeReadIsToldOnceAndStaysUsable() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection();
      // What the kernel answers once the device is taken away from under the process.
      bench.fake.onCall("ibv_get_async_event", call -> -1, 5);

      bench.fake.asyncEvent("fake0", PORT_ERR, 1);

      Bench.until(
          "the log to tell", () -> !bench.log.containing("tells of no more events").isEmpty());
      bench.settle();
      assertThat(bench.log.containing("tells of no more events"))
          .singleElement()
          .asString()
          .contains("EIO");
      assertThat(Bench.settled(connection.writeImmediate(7)).succeeded()).isTrue();
      bench.fake.asUsual("ibv_get_async_event");
    }
  }

  @Test
  void aWildcardListenerHearsOfEveryDevice() {
    try (Bench bench =
        new Bench(
            fake -> {
              fake.device("fake0").address(Bench.HOST);
              fake.device("fake1").address("10.0.1.1");
            })) {
      RdmaServer server = RdmaServer.create(bench.vertx, new RdmaServerOptions(), bench.provider);
      server.connections().subscribe();
      TestSubscriber<DeviceEvent> events = server.deviceEvents().test();
      Bench.get(server.listen(Bench.PORT, "0.0.0.0"));

      bench.fake.asyncEvent("fake1", PORT_ERR, 1);

      events.awaitCount(1);
      assertThat(events.values().get(0).device().name()).isEqualTo("fake1");
    }
  }

  @Test
  void anAttemptEndsToo() {
    try (Bench bench = new Bench()) {
      bench.fake.silence("rdma_connect");
      var connecting = bench.client().connect(Bench.PORT, Bench.HOST);
      Bench.until("the request to be sent", () -> !bench.fake.calls("rdma_connect").isEmpty());
      bench.settle();

      bench.fake.asyncEvent("fake0", DEVICE_FATAL, 0);

      assertThat(Bench.failure(connecting))
          .isInstanceOf(DeviceRemovedException.class)
          .isInstanceOf(RdmaException.class);
    }
  }
}
