package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.cm.ConnectionParameters;
import org.junit.jupiter.api.Test;

/** P2: 255 for both depths, over a device that can 16. */
class P2_DeviceMaximumOnTheWireTest {

  private static final int RESPONDER = 9;
  private static final int INITIATOR = 10;
  private static final ConnectionParameters MAXIMUM =
      ConnectionParameters.DEFAULT.withResponderResources(255).withInitiatorDepth((byte) -1);

  @Test
  void bothSidesGetSixteenWithoutAWarningAndNothingElseReachesTheLibrary() {
    try (Bench bench =
        new Bench(fake -> fake.device("fake0").maxQpRdAtom(16).maxQpInitRdAtom(16))) {
      Bench.Pair pair =
          bench.pair(
              new RdmaServerOptions().setParameters(MAXIMUM),
              new RdmaClientOptions().setParameters(MAXIMUM));

      for (RdmaConnection end : new RdmaConnection[] {pair.server(), pair.client()}) {
        assertThat(end.negotiated().responderResources()).isEqualTo(16);
        assertThat(end.negotiated().initiatorDepth()).isEqualTo(16);
        assertThat(end.negotiated().adjustments()).isEmpty();
        assertThat(end.negotiated().wanted().responderResources()).isEqualTo(255);
        assertThat(end.negotiated().wanted().initiatorDepth()).isEqualTo(255);
      }
      for (String call : new String[] {"rdma_connect", "rdma_accept"}) {
        assertThat(bench.connParam(call, RESPONDER)).isEqualTo(16);
        assertThat(bench.connParam(call, INITIATOR)).isEqualTo(16);
      }
      assertThat(bench.log.alarms()).isEmpty();
    }
  }
}
