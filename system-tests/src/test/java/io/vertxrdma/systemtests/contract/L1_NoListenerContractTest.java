package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.RejectReason;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case L1: nobody listens. */
class L1_NoListenerContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void connecting_fails_with_the_rejection_and_its_reason_and_leaves_no_id() {
    RdmaServer server = rig.acceptingServer(new RdmaServerOptions());
    int port = server.actualPort();
    rig.await(server.close());
    RdmaClient client = rig.client();

    Throwable failure = rig.awaitFailure(client.connect(port, rig.address()));

    assertThat(failure)
        .isInstanceOf(ConnectionRejectedException.class)
        .hasMessageContaining("RDMA_CM_EVENT_REJECTED (8), status 8")
        .hasMessageContaining("no listener");
    assertThat(((ConnectionRejectedException) failure).reason())
        .isEqualTo(RejectReason.INVALID_SERVICE_ID);
    rig.until("no id is left", () -> rig.liveIds() == 0);
  }

  @Test
  void the_same_client_connects_once_somebody_listens() {
    RdmaServer first = rig.acceptingServer(new RdmaServerOptions());
    int port = first.actualPort();
    rig.await(first.close());
    RdmaClient client = rig.client();
    rig.awaitFailure(client.connect(port, rig.address()));

    RdmaServer second = rig.server();
    second.connectRequestHandler(request -> request.accept());
    rig.await(second.listen(port, rig.address()));

    assertThat(rig.await(client.connect(port, rig.address())).isOpen()).isTrue();
  }
}
