package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.Availability.Cause;
import io.vertxrdma.core.ProviderUnavailableException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class R6_ProviderSelectionTest {

  private static void assertUnavailable(Throwable failure, Cause cause, String text) {
    assertThat(failure).isInstanceOf(ProviderUnavailableException.class).hasMessageContaining(text);
    assertThat(((ProviderUnavailableException) failure).availability().cause()).isEqualTo(cause);
  }

  @ParameterizedTest
  @CsvSource({
    "19,NO_DEVICE,rdma_create_event_channel: No such device",
    "13,NO_RIGHTS,may not use /dev/infiniband/rdma_cm",
    "2,KERNEL_SUPPORT_MISSING,are the kernel modules"
  })
  void aMachineWithoutRdmaSaysWhyAndSaysItAgain(int errno, Cause cause, String text) {
    try (Bench bench = new Bench();
        FakeNativeCalls broken = new FakeNativeCalls()) {
      broken.onCall("rdma_create_event_channel", call -> 0, errno);
      RdmaProvider provider = FakeProvider.over(broken);
      RdmaClient client = RdmaClient.create(bench.vertx, new RdmaClientOptions(), provider);
      RdmaServer server = RdmaServer.create(bench.vertx, new RdmaServerOptions(), provider);
      server.connectRequestHandler(ConnectRequest::reject);

      for (int i = 0; i < 2; i++) {
        assertUnavailable(Bench.failure(client.connect(Bench.PORT, Bench.HOST)), cause, text);
        assertUnavailable(Bench.failure(server.listen(Bench.PORT, Bench.HOST)), cause, text);
      }
      // Asked of the library once, not at every use.
      assertThat(broken.calls("rdma_create_event_channel")).hasSize(1);
      Bench.get(client.close());
      Bench.get(server.close());
    }
  }

  @Test
  void aMissingSymbolOrAnotherLayoutIsSaidByName() {
    try (Bench bench = new Bench();
        FakeNativeCalls old = new FakeNativeCalls().misplace("rdma_cm_id.context", 24)) {
      RdmaClient client =
          RdmaClient.create(bench.vertx, new RdmaClientOptions(), FakeProvider.over(old));

      assertUnavailable(
          Bench.failure(client.connect(Bench.PORT, Bench.HOST)),
          Cause.LAYOUT_MISMATCH,
          "rdma_cm_id");
      Bench.get(client.close());
    }
  }

  @Test
  void anUnknownNameListsThoseFound() {
    try (Bench bench = new Bench()) {
      RdmaClient client =
          RdmaClient.create(bench.vertx, new RdmaClientOptions().setProvider("infinity"));
      for (int i = 0; i < 2; i++) {
        assertThat(Bench.failure(client.connect(Bench.PORT, Bench.HOST)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("infinity")
            .hasMessageContaining(
                RdmaProviders.all().stream().map(RdmaProvider::name).toList().toString());
      }
    }
  }
}
