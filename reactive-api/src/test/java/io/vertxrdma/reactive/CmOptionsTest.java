package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.CmOption;
import io.vertxrdma.core.nativeverbs.FakeCall;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which options reach the library, and when. */
class CmOptionsTest {

  /** The calls about options and those whose order with them matters. */
  private static List<String> calls(Bench bench) {
    return bench.fake.calls().stream().map(CmOptionsTest::text).filter(t -> t != null).toList();
  }

  private static String text(FakeCall call) {
    return switch (call.name()) {
      case "rdma_set_option" -> {
        CmOption option = CmOption.values()[(int) call.argument(2)];
        yield option + "=" + (option.length() == 1 ? call.u8(0) : call.i32(0));
      }
      case "rdma_bind_addr", "rdma_listen", "rdma_resolve_addr", "rdma_connect", "rdma_accept" ->
          call.name();
      default -> null;
    };
  }

  @Test
  void aListenersOptionsAreSetBeforeItIsBound() {
    try (Bench bench = new Bench()) {
      RdmaServer server =
          bench.server(
              new RdmaServerOptions()
                  .setAddressFamilyOnly(true)
                  .setReuseAddress(true)
                  .setTypeOfService(104)
                  .setAckTimeout(14));
      server.connectRequestHandler(ConnectRequest::reject);

      Bench.get(server.listen());

      assertThat(calls(bench))
          .containsExactly(
              "REUSE_ADDRESS=1",
              "TOS=104",
              "ADDRESS_FAMILY_ONLY=1",
              "rdma_bind_addr",
              "rdma_listen");
    }
  }

  @Test
  void withoutThemNoneIsSet() {
    try (Bench bench = new Bench()) {
      bench.pair();

      assertThat(bench.fake.calls("rdma_set_option")).isEmpty();
    }
  }

  @Test
  void aClientsOptionsAreSetBeforeItResolvesAndTheAckTimeoutBeforeItConnects() {
    try (Bench bench = new Bench()) {
      bench.connection(
          new RdmaClientOptions()
              .setLocalHost("10.0.0.1")
              .setLocalPort(4000)
              .setReuseAddress(true)
              .setTypeOfService(255)
              .setAckTimeout(0));

      assertThat(calls(bench))
          .containsExactly(
              "REUSE_ADDRESS=1", "TOS=255", "rdma_resolve_addr", "ACK_TIMEOUT=0", "rdma_connect");
    }
  }

  @Test
  void theAckTimeoutOfAServerIsSetBeforeItAccepts() {
    try (Bench bench = new Bench()) {
      bench.pair(new RdmaServerOptions().setAckTimeout(16), new RdmaClientOptions());

      List<String> calls = calls(bench);
      assertThat(calls).containsOnlyOnce("ACK_TIMEOUT=16");
      assertThat(calls.indexOf("ACK_TIMEOUT=16")).isLessThan(calls.indexOf("rdma_accept"));
    }
  }

  @Test
  void aFixedSourceAddressAndPortAreWhatItConnectsFrom() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection =
          bench.connection(new RdmaClientOptions().setLocalHost("10.0.0.1").setLocalPort(4000));

      assertThat(connection.localAddress().hostAddress()).isEqualTo("10.0.0.1");
      assertThat(connection.localAddress().port()).isEqualTo(4000);
    }
  }

  @Test
  void aFixedPortWithoutAnAddressIsRefusedNamingBoth() {
    try (Bench bench = new Bench()) {
      assertThat(
              Bench.failure(
                  bench
                      .client(new RdmaClientOptions().setLocalPort(4000))
                      .connect(Bench.PORT, Bench.HOST)))
          .hasMessageContaining("localPort 4000 needs a localHost");
    }
  }

  @Test
  void anOptionThatTheLibraryRefusesFailsTheListenAndLeavesNothing() {
    try (Bench bench = new Bench()) {
      // ENOSYS: the kernel does not know it.
      bench.fake.failNext("rdma_set_option", 38);
      RdmaServer server = bench.server(new RdmaServerOptions().setAddressFamilyOnly(true));
      server.connectRequestHandler(ConnectRequest::reject);

      assertThat(Bench.failure(server.listen())).hasMessageContaining("rdma_set_option");
      assertThat(bench.fake.ids()).isEmpty();
      assertThat(new InetSocketAddress(server.actualPort()).getPort()).isZero();
    }
  }
}
