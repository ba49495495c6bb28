package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case P2: 255 means the device's maximum. */
class P2_DeviceMaximumSentinelContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void two_five_five_on_both_sides_gives_the_device_maximum_without_a_warning() {
    ConnectionParameters most =
        ConnectionParameters.DEFAULT
            .withResponderResources(ConnectionParameters.DEVICE_MAXIMUM)
            .withInitiatorDepth(ConnectionParameters.DEVICE_MAXIMUM);

    connectsWithTheDeviceMaximum(most);
  }

  @Test
  void the_java_byte_minus_one_is_the_same_as_two_five_five() {
    ConnectionParameters most =
        ConnectionParameters.DEFAULT
            .withResponderResources((byte) -1)
            .withInitiatorDepth((byte) -1);
    assertThat(most.responderResources()).isEqualTo(255);
    assertThat(most.initiatorDepth()).isEqualTo(255);

    connectsWithTheDeviceMaximum(most);
  }

  private void connectsWithTheDeviceMaximum(ConnectionParameters most) {
    int effective =
        (int)
            Math.min(
                255,
                Math.min(
                    rig.device().attributes().maxResponderResources(),
                    rig.device().attributes().maxInitiatorDepth()));
    try (LogCapture log = new LogCapture()) {
      ContractRig.Pair pair =
          rig.pair(
              new RdmaServerOptions().setParameters(most),
              new RdmaClientOptions().setParameters(most));

      assertThat(pair.client().negotiated().responderResources()).isEqualTo(effective);
      assertThat(pair.client().negotiated().initiatorDepth()).isEqualTo(effective);
      assertThat(pair.server().negotiated().responderResources()).isEqualTo(effective);
      assertThat(pair.server().negotiated().initiatorDepth()).isEqualTo(effective);
      assertThat(pair.client().queuePairAttributes().maxReadAtomic()).isEqualTo(effective);
      assertThat(pair.client().queuePairAttributes().maxDestinationReadAtomic())
          .isEqualTo(effective);
      assertThat(log.warnings()).isEmpty();
    }
  }
}
