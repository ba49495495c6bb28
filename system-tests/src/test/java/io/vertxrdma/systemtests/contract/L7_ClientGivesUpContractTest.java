package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case L7: the client gives up before the server answers. */
class L7_ClientGivesUpContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  private HeldRequests requests;
  private int port;

  @BeforeEach
  void a_server_holds_requests() {
    RdmaServer server = rig.server();
    requests = new HeldRequests(server);
    port = rig.listen(server);
  }

  @Test
  void accepting_after_the_client_timed_out_fails_and_the_listener_goes_on() {
    RdmaClient client = rig.client(new RdmaClientOptions().setConnectTimeout(3_000));
    var connecting = client.connect(port, rig.address());
    ConnectRequest request = requests.next();
    assertThat(rig.awaitFailure(connecting)).isInstanceOf(ConnectTimeoutException.class);

    acceptFailsAndTheListenerGoesOn(request);
  }

  @Test
  void accepting_after_the_client_closed_fails_and_the_listener_goes_on() {
    RdmaClient client = rig.client();
    var connecting = client.connect(port, rig.address());
    ConnectRequest request = requests.next();
    rig.await(client.close());
    assertThat(rig.awaitFailure(connecting)).isInstanceOf(ConnectionClosedException.class);

    acceptFailsAndTheListenerGoesOn(request);
  }

  @Test
  void rejecting_after_the_client_closed_is_harmless() {
    RdmaClient client = rig.client();
    client.connect(port, rig.address());
    ConnectRequest request = requests.next();
    rig.await(client.close());

    rig.await(request.reject());

    rig.until("only the listener's id is left", () -> rig.liveIds() == 1);
  }

  private void acceptFailsAndTheListenerGoesOn(ConnectRequest request) {
    rig.pause(500);
    assertThat(rig.awaitFailure(request.accept())).isInstanceOf(ConnectionClosedException.class);
    rig.until("only the listener's id is left", () -> rig.liveIds() == 1);

    var connecting = rig.client().connect(port, rig.address());
    var accepted = rig.await(requests.next().accept());
    var arrived = rig.immediates(accepted, 1);
    rig.await(rig.await(connecting).writeImmediate(9));
    assertThat(rig.await(arrived)).containsExactly(9L);
  }
}
