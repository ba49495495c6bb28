package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No driver of the kernel serves loopback addresses. */
class A1_LoopbackTest {

  private static void isExplained(Bench bench, Throwable failure, String symbol) {
    assertThat(failure)
        .isInstanceOf(AddressException.class)
        .isNotInstanceOf(AddressInUseException.class)
        .hasMessageContaining("no RDMA device for address")
        .hasMessageContaining("use the ");
    assertThat(((AddressException) failure).symbol()).isEqualTo(symbol);
    Bench.until("all ids to go", () -> bench.fake.ids().isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1,99,EADDRNOTAVAIL", "127.0.0.1,19,ENODEV", "::1,99,EADDRNOTAVAIL"})
  void listeningThereIsRefusedWithAHint(String address, int errno, String symbol) {
    try (Bench bench = new Bench()) {
      bench.fake.failNext("rdma_bind_addr", errno);
      RdmaServer server = bench.server();
      server.connectRequestHandler(ConnectRequest::reject);

      isExplained(bench, Bench.failure(server.listen(Bench.PORT, address)), symbol);
    }
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1,99,EADDRNOTAVAIL", "127.0.0.1,19,ENODEV", "::1,19,ENODEV"})
  void connectingThereIsRefusedWithAHint(String address, int errno, String symbol) {
    try (Bench bench = new Bench()) {
      bench.fake.failNext("rdma_resolve_addr", errno);

      isExplained(bench, Bench.failure(bench.client().connect(Bench.PORT, address)), symbol);
    }
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1", "::1"})
  void soItIsWhenOnlyTheRouteIsRefusedAsTheKernelDoesForItsOwnAddresses(String address) {
    try (Bench bench = new Bench()) {
      bench.fake.failNext("rdma_resolve_route", 19);

      isExplained(bench, Bench.failure(bench.client().connect(Bench.PORT, address)), "ENODEV");
    }
  }
}
