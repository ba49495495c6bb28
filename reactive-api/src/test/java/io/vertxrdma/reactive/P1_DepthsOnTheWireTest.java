package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.NegotiationException;
import io.vertxrdma.cm.NegotiationMode;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** P1 and P3: what reaches the bytes of {@code rdma_conn_param}. */
class P1_DepthsOnTheWireTest {

  private static final int RESPONDER = 9;
  private static final int INITIATOR = 10;
  private static final int FLOW_CONTROL = 11;
  private static final int RETRY = 12;
  private static final int RNR_RETRY = 13;

  private static Bench device(int responder, int initiator) {
    return new Bench(
        fake -> fake.device("fake0").maxQpRdAtom(responder).maxQpInitRdAtom(initiator));
  }

  private static ConnectionParameters depths(int responder, int initiator) {
    return ConnectionParameters.DEFAULT
        .withResponderResources(responder)
        .withInitiatorDepth(initiator);
  }

  private static ConnectRequest request(Bench bench) throws InterruptedException {
    RdmaServer server = bench.server();
    BlockingQueue<ConnectRequest> requests = new LinkedBlockingQueue<>();
    server.connectRequestHandler(requests::add);
    Bench.get(server.listen());
    bench
        .fake
        .incomingRequest(bench.fake.listenerOn(Bench.PORT))
        .responderResources(200)
        .initiatorDepth(200)
        .enqueue();
    return requests.take();
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 0})
  void connectIsClampedToTheDeviceAndWarnsOncePerField(int most) {
    try (Bench bench = device(most, most)) {
      RdmaConnection connection =
          Bench.get(bench.client().connect(Bench.PORT, Bench.HOST, null, depths(32, 32)));

      assertThat(bench.connParam("rdma_connect", RESPONDER)).isEqualTo(most);
      assertThat(bench.connParam("rdma_connect", INITIATOR)).isEqualTo(most);
      assertThat(connection.negotiated().responderResources()).isEqualTo(most);
      assertThat(bench.log.warnings())
          .hasSize(2)
          .anySatisfy(
              line -> assertThat(line).contains("responderResources", "32", String.valueOf(most)))
          .anySatisfy(
              line -> assertThat(line).contains("initiatorDepth", "32", String.valueOf(most)));
      Bench.get(connection.writeImmediate(1));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 0})
  void acceptIsClampedToTheDeviceAndWarnsOncePerField(int most) throws Exception {
    try (Bench bench = device(most, most)) {
      Bench.get(request(bench).accept(null, depths(32, 32)));

      assertThat(bench.connParam("rdma_accept", RESPONDER)).isEqualTo(most);
      assertThat(bench.connParam("rdma_accept", INITIATOR)).isEqualTo(most);
      assertThat(bench.log.warnings())
          .filteredOn(line -> line.contains("wanted 32"))
          .hasSize(2)
          .anySatisfy(line -> assertThat(line).contains("responderResources"))
          .anySatisfy(line -> assertThat(line).contains("initiatorDepth"));
    }
  }

  @Test
  void eachDepthHasItsOwnLimit() {
    try (Bench bench = device(8, 4)) {
      Bench.get(bench.client().connect(Bench.PORT, Bench.HOST, null, depths(32, 32)));

      assertThat(bench.connParam("rdma_connect", RESPONDER)).isEqualTo(8);
      assertThat(bench.connParam("rdma_connect", INITIATOR)).isEqualTo(4);
    }
  }

  @Test
  void strictParametersRefuseBeforeTheConnectAndNameTheField() throws Exception {
    try (Bench bench = device(16, 16)) {
      ConnectionParameters strict = depths(32, 1).withNegotiation(NegotiationMode.STRICT);

      assertThat(Bench.failure(bench.client().connect(Bench.PORT, Bench.HOST, null, strict)))
          .isInstanceOf(NegotiationException.class)
          .hasMessageContaining("responderResources")
          .hasMessageContaining("32")
          .hasMessageContaining("16");
      assertThat(bench.fake.calls("rdma_connect")).isEmpty();
      Bench.until("the id to go", () -> bench.fake.ids().isEmpty());

      ConnectRequest request = request(bench);
      Future<RdmaConnection> refused = request.accept(null, strict);
      assertThat(Bench.failure(refused)).isInstanceOf(NegotiationException.class);
      assertThat(bench.fake.calls("rdma_accept")).isEmpty();
      assertThat(Bench.get(request.accept()).isOpen()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {255, 256, 65_535, 0x8000_0000, -1})
  void deviceMaximumOfAWideDeviceReachesTheKernelAs255(int capability) throws Exception {
    try (Bench bench = device(capability, capability)) {
      Bench.get(bench.client().connect(Bench.PORT, Bench.HOST, null, depths(255, 255)));
      assertThat(bench.connParam("rdma_connect", RESPONDER)).isEqualTo(255);
      assertThat(bench.connParam("rdma_connect", INITIATOR)).isEqualTo(255);

      ConnectRequest request = request(bench);
      assertThat(request.device().attributes().maxResponderResources())
          .isEqualTo(Integer.toUnsignedLong(capability));
      assertThat(bench.log.alarms()).noneMatch(line -> line.contains("wanted"));
    }
  }

  @Test
  void anExplicitDepthThatLibrdmacmBelievesTooHighFailsWithTheReason() {
    try (Bench bench = device(256, 256)) {
      assertThat(Bench.failure(bench.client().connect(Bench.PORT, Bench.HOST, null, depths(16, 0))))
          .hasMessageContaining("EINVAL")
          .hasMessageContaining("responderResources 16")
          .hasMessageContaining("256")
          .hasMessageContaining("255 (device maximum)");
      bench.assertNoConnectionLeft();
      assertThat(bench.fake.calls("rdma_connect")).hasSize(1);
    }
  }

  @Test
  void everyOtherFieldIsWrittenToo() {
    try (Bench bench = new Bench()) {
      ConnectionParameters all =
          depths(3, 5).withFlowControl(1).withRetryCount(4).withRnrRetryCount(2);

      Bench.get(bench.client().connect(Bench.PORT, Bench.HOST, null, all));

      assertThat(bench.connParam("rdma_connect", RESPONDER)).isEqualTo(3);
      assertThat(bench.connParam("rdma_connect", INITIATOR)).isEqualTo(5);
      assertThat(bench.connParam("rdma_connect", FLOW_CONTROL)).isEqualTo(1);
      assertThat(bench.connParam("rdma_connect", RETRY)).isEqualTo(4);
      assertThat(bench.connParam("rdma_connect", RNR_RETRY)).isEqualTo(2);
    }
  }

  @Test
  void theRnrTimerIsSetOnBothSides() {
    try (Bench bench = new Bench()) {
      Bench.Pair pair = bench.pair();

      assertThat(bench.fake.calls("ibv_modify_qp")).hasSize(2);
      assertThat(pair.client().queuePairAttributes().minRnrTimer()).isEqualTo(12);
      assertThat(pair.server().queuePairAttributes().minRnrTimer()).isEqualTo(12);
    }
  }
}
