package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Case A7: ports that are taken, and fixed source addresses. */
class A7_PortTakenContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  private RdmaServer second() {
    RdmaServer second = rig.server();
    second.connectRequestHandler(request -> request.accept());
    return second;
  }

  private static void isInUse(Throwable failure, int port) {
    assertThat(failure)
        .isInstanceOf(AddressInUseException.class)
        .hasMessageContaining("Address already in use")
        .hasMessageContaining(String.valueOf(port));
  }

  @ParameterizedTest(name = "wildcard first {0}, wildcard second {1}")
  @CsvSource({"false,false", "true,true", "true,false", "false,true"})
  void a_second_listener_on_a_port_fails_and_gets_it_once_the_first_has_closed(
      boolean wildcardFirst, boolean wildcardSecond) {
    RdmaServer first = second();
    rig.await(first.listen(0, wildcardFirst ? "0.0.0.0" : rig.address()));
    int port = first.actualPort();
    RdmaServer second = second();
    String where = wildcardSecond ? "0.0.0.0" : rig.address();

    isInUse(rig.awaitFailure(second.listen(port, where)), port);
    assertThat(rig.await(rig.client().connect(port, rig.address())).isOpen())
        .as("the first is unharmed")
        .isTrue();

    rig.await(first.close());
    assertThat(rig.await(second.listen(port, where)).actualPort()).isEqualTo(port);
    assertThat(rig.await(rig.client().connect(port, rig.address())).isOpen()).isTrue();
  }

  @Test
  void a_fixed_source_port_serves_one_connection_at_a_time() {
    RdmaServer server = rig.acceptingServer(new RdmaServerOptions());
    RdmaServer other = rig.acceptingServer(new RdmaServerOptions());
    int source = other.actualPort();
    rig.await(other.close());
    RdmaClient fixed =
        rig.client(new RdmaClientOptions().setLocalHost(rig.address()).setLocalPort(source));

    RdmaConnection first = rig.await(fixed.connect(server.actualPort(), rig.address()));

    assertThat(first.localAddress().port()).isEqualTo(source);
    isInUse(rig.awaitFailure(fixed.connect(server.actualPort(), rig.address())), source);
    assertThat(first.isOpen()).isTrue();
    rig.await(first.close());
    RdmaConnection again = rig.await(fixed.connect(server.actualPort(), rig.address()));
    assertThat(again.localAddress().port()).isEqualTo(source);
  }

  @Test
  void a_fixed_source_address_with_port_zero_serves_many() {
    RdmaServer server = rig.acceptingServer(new RdmaServerOptions());
    RdmaClient client =
        rig.client(new RdmaClientOptions().setLocalHost(rig.address()).setLocalPort(0));

    RdmaConnection first = rig.await(client.connect(server.actualPort(), rig.address()));
    RdmaConnection second = rig.await(client.connect(server.actualPort(), rig.address()));

    assertThat(first.localAddress().hostAddress()).isEqualTo(rig.address());
    assertThat(first.localAddress().port()).isPositive();
    assertThat(second.localAddress().port()).isPositive().isNotEqualTo(first.localAddress().port());
  }

  @Test
  void a_source_port_needs_a_source_address() {
    RdmaClient client = rig.client(new RdmaClientOptions().setLocalPort(4712));

    assertThat(rig.awaitFailure(client.connect(4711, rig.address())))
        .hasMessageContaining("localPort 4712 needs a localHost");
  }
}
