package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.reactive.ConnectRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case P4: depths arrive mirrored. */
class P4_MirroredDepthsContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void what_the_client_serves_is_what_the_server_may_ask_and_the_other_way_round() {
    var server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    ConnectionParameters wanted =
        ConnectionParameters.DEFAULT
            .withResponderResources(5)
            .withInitiatorDepth(3)
            .withRetryCount(2)
            .withRnrRetryCount(1)
            .withFlowControl(1);

    var connecting = rig.client().connect(port, rig.address(), null, wanted);
    ConnectRequest request = requests.next();

    assertThat(request.offered().responderResources()).isEqualTo(3);
    assertThat(request.offered().initiatorDepth()).isEqualTo(5);
    assertThat(request.offered().retryCount()).isEqualTo(2);
    assertThat(request.offered().rnrRetryCount()).isEqualTo(1);
    assertThat(request.offered().flowControl()).isEqualTo(1);

    var accepted =
        rig.await(
            request.accept(
                null,
                ConnectionParameters.DEFAULT.withResponderResources(2).withInitiatorDepth(4)));
    assertThat(accepted.negotiated().responderResources()).isEqualTo(2);
    assertThat(accepted.negotiated().initiatorDepth()).isEqualTo(4);
    var connected = rig.await(connecting);
    assertThat(connected.negotiated().initiatorDepth()).as("what the server serves").isEqualTo(2);
    assertThat(connected.negotiated().responderResources())
        .as("what the server may ask")
        .isEqualTo(4);
  }
}
