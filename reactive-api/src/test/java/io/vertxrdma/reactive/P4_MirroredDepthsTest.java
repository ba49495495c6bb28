package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.cm.ConnectionParameters;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** P4: a request shows the depths as the one who answers it uses them. */
class P4_MirroredDepthsTest {

  @Test
  void fiveAndThreeAreSeenAsThreeAndFiveAndGrantedTheRightWayRound() throws Exception {
    try (Bench bench = new Bench()) {
      BlockingQueue<ConnectRequest> requests = new LinkedBlockingQueue<>();
      RdmaServer server =
          bench.server(new RdmaServerOptions().setParameters(ConnectionParameters.READ_HEAVY));
      server.connectRequestHandler(requests::add);
      Bench.get(server.listen());
      var connecting =
          bench
              .client()
              .connect(
                  Bench.PORT,
                  Bench.HOST,
                  null,
                  ConnectionParameters.DEFAULT.withResponderResources(5).withInitiatorDepth(3));

      ConnectRequest request = requests.take();
      assertThat(request.offered().responderResources()).isEqualTo(3);
      assertThat(request.offered().initiatorDepth()).isEqualTo(5);
      assertThat(request.announced().peerResponderResources()).isEqualTo(5);
      assertThat(request.announced().peerInitiatorDepth()).isEqualTo(3);

      RdmaConnection accepted = Bench.get(request.accept());
      assertThat(accepted.negotiated().responderResources()).isEqualTo(3);
      assertThat(accepted.negotiated().initiatorDepth()).isEqualTo(5);
      RdmaConnection connected = Bench.get(connecting);
      assertThat(connected.negotiated().responderResources()).isEqualTo(5);
      assertThat(connected.negotiated().initiatorDepth()).isEqualTo(3);
    }
  }
}
