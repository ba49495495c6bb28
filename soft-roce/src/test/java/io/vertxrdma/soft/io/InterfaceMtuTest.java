package io.vertxrdma.soft.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InterfaceMtuTest {

  @ParameterizedTest
  @CsvSource({
    "65536, 4096",
    "9000, 4096",
    "4200, 4096",
    "4192, 4096",
    "4191, 2048",
    "1500, 1024",
    "1119, 512",
    "576, 256",
    "352, 256",
    "351, 0"
  })
  void the_path_mtu_is_the_kernels_for_that_interface_mtu(int interfaceMtu, int pathMtu) {
    assertThat(InterfaceMtu.fitting(interfaceMtu)).isEqualTo(pathMtu);
  }

  @Test
  void any_loopback_address_has_the_largest() throws Exception {
    assertThat(InterfaceMtu.pathMtu(InetAddress.getByName("127.9.8.7"))).isEqualTo(4096);
    assertThat(InterfaceMtu.pathMtu(InetAddress.getByName("::1"))).isEqualTo(4096);
  }

  @Test
  void an_address_of_no_interface_can_not_be_used() {
    assertThatExceptionOfType(AddressException.class)
        .isThrownBy(() -> InterfaceMtu.pathMtu(InetAddress.getByName("192.0.2.1")))
        .withMessageContaining("EADDRNOTAVAIL");
  }

  @Test
  void a_free_loopback_address_can_be_bound_and_is_not_the_servers() throws Exception {
    SplittableRandom random = new SplittableRandom();
    for (int i = 0; i < 100; i++) {
      InetAddress address = LoopbackAddresses.free(47_911, random);
      assertThat(address.isLoopbackAddress()).isTrue();
      assertThat(address.getHostAddress()).isNotEqualTo("127.0.0.1");
      try (DatagramSocket socket = new DatagramSocket(null)) {
        socket.bind(new InetSocketAddress(address, 47_911));
      }
    }
  }

  @Test
  void where_somebody_has_the_port_on_all_addresses_the_answer_says_so() throws Exception {
    try (DatagramSocket kernel = new DatagramSocket(null)) {
      kernel.setReuseAddress(false);
      kernel.bind(new InetSocketAddress("0.0.0.0", 0));
      int port = kernel.getLocalPort();
      assertThatExceptionOfType(AddressInUseException.class)
          .isThrownBy(() -> LoopbackAddresses.free(port, new SplittableRandom()))
          .withMessageContaining("rdma_rxe");
    }
  }
}
