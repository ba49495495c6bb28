package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case A2: addresses no RDMA device has. */
class A2_ForeignAddressContractTest {

  /** Reserved for documentation (RFC 5737): nobody has it. */
  private static final String FOREIGN = "192.0.2.77";

  @RegisterExtension final ContractRig rig = new ContractRig();

  private void isTyped(Throwable failure) {
    assertThat(failure)
        .isInstanceOf(AddressException.class)
        .isNotInstanceOf(AddressInUseException.class)
        .hasMessageContaining(FOREIGN)
        .hasMessageContaining("Cannot assign requested address");
    assertThat(((AddressException) failure).symbol()).isEqualTo("EADDRNOTAVAIL");
    rig.until("no id is left", () -> rig.liveIds() == 0);
  }

  @Test
  void listening_on_one_fails_with_the_address_and_the_errno() {
    RdmaServer server = rig.server();
    server.connectRequestHandler(request -> request.accept());

    isTyped(rig.awaitFailure(server.listen(0, FOREIGN)));
    isTyped(rig.awaitFailure(server.listen(18515, FOREIGN)));
    assertThat(server.actualPort()).isZero();
    assertThat(server.actualAddress()).isNull();
  }

  @Test
  void connecting_from_one_fails_with_the_same_type() {
    var client = rig.client(new RdmaClientOptions().setLocalHost(FOREIGN));

    isTyped(rig.awaitFailure(client.connect(4711, rig.address())));
  }

  @Test
  void connecting_from_a_host_that_is_no_address_fails_and_connecting_from_ones_own_works() {
    RdmaServer server = rig.acceptingServer(new RdmaServerOptions());
    assertThatThrownBy(() -> new RdmaClientOptions().setLocalHost("some-name"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("localHost must be an IP address, was some-name");

    var own = rig.client(new RdmaClientOptions().setLocalHost(rig.address()));

    var connection = rig.await(own.connect(server.actualPort(), rig.address()));
    assertThat(connection.localAddress().hostAddress()).isEqualTo(rig.address());
  }
}
