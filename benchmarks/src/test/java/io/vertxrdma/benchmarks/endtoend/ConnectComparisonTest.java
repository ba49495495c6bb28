package io.vertxrdma.benchmarks.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertxrdma.reactive.metrics.ConnectStep;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import java.io.IOException;
import java.net.DatagramSocket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Both sides of the comparison for a moment. How fast they are says nothing here. */
@Timeout(120)
class ConnectComparisonTest {

  private static final String ADDRESS = "127.0.0.1";

  @Test
  void ourConnectionsAllComeAndGoAndTheirStepsAreTimed() throws Exception {
    int port;
    try (DatagramSocket probe = new DatagramSocket()) {
      port = probe.getLocalPort();
    }
    SoftProvider provider = new SoftProvider(new SoftProviderOptions().setUdpPort(port));
    Queue<Future<Void>> ends = new ConcurrentLinkedQueue<>();
    Vertx vertx = FarProcess.vertx();
    try {
      int listening =
          ConnectFarSide.listen(vertx, provider, ADDRESS, ends)
              .await(60, TimeUnit.SECONDS)
              .actualPort();
      try (Connects connects = new Connects(provider, ADDRESS, listening)) {
        for (Connects.Times times :
            new Connects.Times[] {connects.atOnce(5), connects.oneByOne(5)}) {
          assertThat(times.connect()).isPositive();
          assertThat(times.disconnect()).isPositive();
          assertThat(times.steps())
              .containsOnlyKeys(
                  ConnectStep.RESOLVE_ADDRESS, ConnectStep.RESOLVE_ROUTE, ConnectStep.CONNECT);
        }
        assertThat(ends).hasSize(10);
        Future.all(ends.stream().toList()).await(60, TimeUnit.SECONDS);
      }
    } finally {
      vertx.close().await(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void theTotalsOfItsStepsAreTakenFromWhatCmtimePrints() throws Exception {
    String printed =
        """
        creating id
        destroying id
        step              total ms     max ms     min us  us / conn
        create id    :       37.51      12.94      11.00     375.14
        resolve route:       45.01      18.17    4177.00     450.05
        connect      :     1445.92    1350.75  170366.00   14459.23
        disconnect   :      795.35     244.78   19876.00    7953.51
        destroy      :       11.93       8.32      16.00     119.32
        """;

    assertThat(CmTime.steps(printed))
        .containsExactly(
            entry("create id", 37.51),
            entry("resolve route", 45.01),
            entry("connect", 1445.92),
            entry("disconnect", 795.35),
            entry("destroy", 11.93));
  }

  @Test
  void whatCmtimeOfAnotherReleasePrintsIsRefused() {
    assertThatThrownBy(() -> CmTime.steps("step             avg/conn  total(us)\n"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rdmacm-utils 44");
  }
}
