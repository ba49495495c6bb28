package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case A6: listening on all devices, on a port the system chooses. */
class A6_WildcardListenContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void the_port_is_told_and_the_device_is_known_with_the_request() {
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    assertThat(server.actualPort()).isZero();

    int port = rig.await(server.listen(0, "0.0.0.0")).actualPort();

    assertThat(port).isBetween(1, 65_535);
    assertThat(server.actualAddress().host()).isEqualTo("0.0.0.0");
    var connecting = rig.client().connect(port, rig.address());
    ConnectRequest request = requests.next();
    assertThat(request.device().name()).isEqualTo(rig.device().name());
    assertThat(request.localAddress().hostAddress()).isEqualTo(rig.address());
    assertThat(request.localAddress().port()).isEqualTo(port);
    var inbox = rig.await(request.memory().allocateInbox(64));
    assertThat(inbox.remote().length()).isEqualTo(64);
    var accepted = rig.await(request.accept(inbox.remote().encode()));
    var arrived = rig.immediates(accepted, 1);
    rig.await(rig.await(connecting).writeImmediate(3));
    assertThat(rig.await(arrived)).containsExactly(3L);
  }

  @Test
  void the_wildcard_and_port_zero_are_the_defaults() {
    RdmaServer server = rig.server(new RdmaServerOptions());
    server.connectRequestHandler(request -> request.accept());

    rig.await(server.listen());

    assertThat(server.actualAddress().host()).isEqualTo("0.0.0.0");
    assertThat(rig.await(rig.client().connect(server.actualPort(), rig.address())).isOpen())
        .isTrue();
  }

  @Test
  void each_server_gets_a_port_of_its_own() {
    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      ports.add(rig.acceptingServer(new RdmaServerOptions()).actualPort());
    }
    assertThat(ports).hasSize(5).doesNotContain(0);
  }
}
