package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.NetUtil;
import io.vertx.core.net.SocketAddress;
import io.vertxrdma.reactive.ConnectRequest;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import java.net.InetAddress;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case A8: both ends tell the same addresses, crosswise; over IPv4 and IPv6. */
class A8_AddressesContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  private String address(String family) {
    return family.equals("IPv4")
        ? rig.address()
        : System.getProperty("vertx.rdma.test.address6", "fd77::1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"IPv4", "IPv6"})
  void the_local_address_of_one_end_is_the_remote_address_of_the_other(String family) {
    String address = address(family);
    RdmaServer server = rig.server();
    HeldRequests requests = new HeldRequests(server);
    int port = rig.await(server.listen(0, address)).actualPort();

    var connecting = rig.client().connect(port, address);
    ConnectRequest request = requests.next();
    RdmaConnection accepted = rig.await(request.accept());
    RdmaConnection connected = rig.await(connecting);

    SocketAddress there = SocketAddress.inetSocketAddress(port, address);
    assertThat(text(server.actualAddress())).isEqualTo(text(there));
    assertThat(text(connected.remoteAddress())).isEqualTo(text(there));
    assertThat(text(accepted.localAddress())).isEqualTo(text(there));
    assertThat(text(request.localAddress())).isEqualTo(text(there));
    assertThat(connected.localAddress().port()).isPositive().isNotEqualTo(port);
    assertThat(text(accepted.remoteAddress())).isEqualTo(text(connected.localAddress()));
    assertThat(text(request.remoteAddress())).isEqualTo(text(connected.localAddress()));
    var arrived = rig.immediates(connected, 1);
    rig.await(accepted.writeImmediate(0xFFFF_FFFFL));
    assertThat(rig.await(arrived)).containsExactly(0xFFFF_FFFFL);
  }

  /** Address and port; IPv6 has several spellings, of which this picks one. */
  private static String text(SocketAddress address) {
    InetAddress bytes = NetUtil.createInetAddressFromIpAddressString(address.hostAddress());
    return NetUtil.toAddressString(bytes) + ' ' + address.port();
  }
}
