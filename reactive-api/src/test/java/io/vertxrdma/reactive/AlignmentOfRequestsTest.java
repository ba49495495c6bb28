package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.cm.AlignmentFinding;
import io.vertxrdma.cm.AlignmentFinding.Kind;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.NegotiationException;
import io.vertxrdma.cm.NegotiationMode;
import io.vertxrdma.cm.PeerOffer;
import io.vertxrdma.core.nativeverbs.FakeEvent;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a connection leaves in the log and as objects about the values of both ends. */
class AlignmentOfRequestsTest {

  private final Bench bench = new Bench();
  private final BlockingQueue<ConnectRequest> requests = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    bench.close();
  }

  private ConnectRequest request(UnaryOperator<FakeEvent> announced) throws InterruptedException {
    RdmaServer server =
        bench.server(
            new RdmaServerOptions()
                .setParameters(ConnectionParameters.DEFAULT.withResponderResources(4)));
    server.connectRequestHandler(requests::add);
    Bench.get(server.listen());
    announced.apply(bench.fake.incomingRequest(bench.fake.listenerOn(Bench.PORT))).enqueue();
    return requests.take();
  }

  private List<String> warningsWith(String text) {
    return bench.log.warnings().stream().filter(line -> line.contains(text)).toList();
  }

  private List<String> infosWith(String text) {
    return bench.log.at(Level.INFO).stream().filter(line -> line.contains(text)).toList();
  }

  @Test
  void aRequestIsToldInOneLineAndAsAnObject() throws Exception {
    ConnectRequest request =
        request(
            event ->
                event
                    .responderResources(3)
                    .initiatorDepth(5)
                    .flowControl(1)
                    .retryCount(7)
                    .rnrRetryCount(6)
                    .sharedReceiveQueue(true)
                    .queuePairNumber(0x11)
                    .privateData(new byte[] {1, 2, 3}));

    assertThat(request.announced()).isEqualTo(new PeerOffer(3, 5, 1, 7, 6, true, 0x11, 3));
    assertThat(infosWith("connect request on fake0"))
        .singleElement()
        .asString()
        .contains("initiatorDepth=3 responderResources=5 flowControl=1 retryCount=7")
        .contains("rnrRetryCount=6 srq=true qpNum=0x11 privateData=3B")
        .contains("retry count 7, the highest");
    assertThat(request.alignment())
        .extracting(AlignmentFinding::kind)
        .containsExactly(Kind.RETRY_COUNT_HIGHEST);
    assertThat(bench.log.alarms()).isEmpty();
    Bench.get(request.reject());
  }

  @Test
  void eachMisalignmentIsOneWarningAtTheRequestAndNotOneMoreAtTheAccept() throws Exception {
    ConnectRequest request =
        request(event -> event.responderResources(16).retryCount(0).rnrRetryCount(0));

    assertThat(request.alignment())
        .extracting(AlignmentFinding::kind)
        .containsExactly(
            Kind.INITIATOR_DEPTH_EXCEEDS_RESPONDER_RESOURCES,
            Kind.RETRY_COUNT_ZERO,
            Kind.RNR_RETRY_COUNT_ZERO);
    assertThat(request.alignment().get(0).theirs()).isEqualTo(16);
    assertThat(request.alignment().get(0).ours()).isEqualTo(4);
    RdmaConnection connection = Bench.get(request.accept());

    assertThat(warningsWith("initiator depth 16 exceeds our responder resources 4")).hasSize(1);
    assertThat(warningsWith("retry count 0 for both ends")).hasSize(1);
    assertThat(warningsWith("RNR retry count 0")).hasSize(1);
    assertThat(bench.log.warnings()).hasSize(3);
    assertThat(connection.negotiated().findings()).isEqualTo(request.alignment());
  }

  @Test
  void acceptingWithLessThanTheServersParametersIsWarnedOfToo() throws Exception {
    ConnectRequest request = request(event -> event.responderResources(4));
    assertThat(bench.log.warnings()).isEmpty();

    RdmaConnection connection =
        Bench.get(request.accept(null, ConnectionParameters.DEFAULT.withResponderResources(2)));

    assertThat(connection.negotiated().warnings())
        .extracting(AlignmentFinding::kind)
        .containsExactly(Kind.INITIATOR_DEPTH_EXCEEDS_RESPONDER_RESOURCES);
    assertThat(bench.log.warnings())
        .singleElement()
        .asString()
        .contains("initiator depth 4 exceeds our responder resources 2");
  }

  @Test
  void theEstablishedLineHasTheEffectiveAttributesAndWhatWasClamped() throws Exception {
    ConnectRequest request = request(event -> event.responderResources(1).initiatorDepth(0));

    RdmaConnection connection =
        Bench.get(request.accept(null, ConnectionParameters.DEFAULT.withInitiatorDepth(16)));

    assertThat(infosWith("accepted on fake0"))
        .singleElement()
        .asString()
        .contains(connection.queuePairAttributes().toString())
        .contains("initiatorDepth: wanted 16, used 0 (the peer's responder resources are 0)");
    assertThat(warningsWith("initiatorDepth: wanted 16, used 0")).hasSize(1);
  }

  @Test
  void aReplyThatServesLessThanWantedIsOneWarningAtTheClient() {
    bench.fake.replyTo("rdma_connect").type(9).initiatorDepth(2).rnrRetryCount(7);

    RdmaConnection connection =
        Bench.get(
            bench.client().connect(Bench.PORT, Bench.HOST, null, ConnectionParameters.READ_HEAVY));

    assertThat(connection.negotiated().initiatorDepth()).isEqualTo(2);
    assertThat(bench.log.warnings())
        .singleElement()
        .asString()
        .contains("initiatorDepth: wanted 16, used 2 (the peer's responder resources are 2)");
  }

  @Test
  void aReplyBelowTheMinimumEndsTheAttemptAndLeavesNothing() {
    for (ConnectionParameters demanding :
        List.of(
            ConnectionParameters.READ_HEAVY.withMinInitiatorDepth(4),
            ConnectionParameters.READ_HEAVY.withNegotiation(NegotiationMode.STRICT))) {
      bench.fake.replyTo("rdma_connect").type(9).initiatorDepth(3).rnrRetryCount(7);

      assertThat(Bench.failure(bench.client().connect(Bench.PORT, Bench.HOST, null, demanding)))
          .isInstanceOf(NegotiationException.class)
          .hasMessageContaining("the peer's responder resources are 3");

      Bench.until("the id to go", () -> bench.fake.ids().isEmpty());
      assertThat(bench.fake.calls("rdma_disconnect")).isNotEmpty();
    }
  }

  @Test
  void longPrivateDataOfAPeerIsOneWarningAndOursAtMostARemark() throws Exception {
    byte[] large = new byte[70];
    large[69] = 1;
    try (Bench iwarp = new Bench(fake -> fake.device("fake0").iwarp())) {
      RdmaServer server = iwarp.server();
      server.connectRequestHandler(requests::add);
      Bench.get(server.listen());
      iwarp
          .fake
          .incomingRequest(iwarp.fake.listenerOn(Bench.PORT))
          .exactPrivateData(large)
          .enqueue();
      ConnectRequest request = requests.take();

      assertThat(request.alignment())
          .extracting(AlignmentFinding::kind)
          .contains(Kind.PRIVATE_DATA_LARGE);
      assertThat(iwarp.log.warnings()).singleElement().asString().contains("70 bytes");
      Bench.get(request.accept(Buffer.buffer(large)));
      assertThat(iwarp.log.warnings()).hasSize(1);
      assertThat(iwarp.log.at(Level.INFO)).anyMatch(line -> line.contains("70 bytes"));
    }
  }
}
