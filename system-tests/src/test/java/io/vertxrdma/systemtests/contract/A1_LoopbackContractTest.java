package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.reactive.RdmaServer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Case A1: loopback addresses. No kernel driver serves them, so on the native provider they fail
 * with a hint; on one in software they work.
 */
class A1_LoopbackContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  private void isExplained(Throwable failure, String address) {
    String shown = address.equals("::1") ? "0:0:0:0:0:0:0:1" : address;
    assertThat(failure)
        .isInstanceOf(AddressException.class)
        .isNotInstanceOf(AddressInUseException.class)
        .hasMessageContaining("no RDMA device for address " + shown)
        .hasMessageContaining("use the ");
    assertThat(((AddressException) failure).symbol()).isIn("ENODEV", "EADDRNOTAVAIL");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void listening_there_is_refused_with_a_hint_or_works_in_software(String address) {
    RdmaServer server = rig.server();
    server.connectRequestHandler(request -> request.accept());

    if (rig.isNative()) {
      isExplained(rig.awaitFailure(server.listen(0, address)), address);
      rig.until("no id is left", () -> rig.liveIds() == 0);
      assertThat(rig.await(server.listen(0, rig.address())).actualPort())
          .as("the server can listen elsewhere")
          .isPositive();
    } else {
      int port = rig.await(server.listen(0, address)).actualPort();
      assertThat(rig.await(rig.client().connect(port, address)).isOpen()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void connecting_there_is_refused_with_a_hint_by_a_provider_with_devices(String address) {
    if (rig.isNative()) {
      isExplained(rig.awaitFailure(rig.client().connect(4711, address)), address);
      rig.until("no id is left", () -> rig.liveIds() == 0);
    } else {
      assertThat(rig.awaitFailure(rig.client().connect(4711, address)))
          .as("nobody listens there, which software can find out")
          .isInstanceOf(ConnectionRejectedException.class);
    }
  }
}
