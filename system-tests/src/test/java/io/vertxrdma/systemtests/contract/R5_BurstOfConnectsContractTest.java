package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Case R5: many connects at once. A full backlog drops requests in silence and their senders ask
 * again seconds later; nobody is ever rejected for it.
 */
class R5_BurstOfConnectsContractTest {

  private static final int BURST = 30;

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  @Timeout(120)
  void with_a_backlog_of_one_all_connect_in_the_end_or_time_out_and_none_is_rejected() {
    RdmaServer server =
        rig.acceptingServer(
            new RdmaServerOptions().setBacklog(1).setReceiveDepth(4).setSendDepth(4));
    RdmaClient client =
        rig.client(
            new RdmaClientOptions().setConnectTimeout(15_000).setReceiveDepth(4).setSendDepth(4));

    List<Future<RdmaConnection>> connecting = new ArrayList<>();
    for (int i = 0; i < BURST; i++) {
      connecting.add(client.connect(server.actualPort(), rig.address()));
    }

    int connected = 0;
    for (Future<RdmaConnection> each : connecting) {
      if (rig.await(each.transform(done -> Future.succeededFuture(done.succeeded())))) {
        connected++;
      } else {
        assertThat(each.cause()).isInstanceOf(ConnectTimeoutException.class);
      }
    }
    assertThat(connected).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 5000})
  void a_backlog_out_of_range_means_the_kernels_maximum(int backlog) {
    try (LogCapture log = new LogCapture()) {
      RdmaServer server = rig.acceptingServer(new RdmaServerOptions().setBacklog(backlog));

      assertThat(rig.await(rig.client().connect(server.actualPort(), rig.address())).isOpen())
          .isTrue();
      if (backlog > 0) {
        assertThat(log.warnings()).containsExactly("backlog: wanted 5000, used 1024");
      } else {
        assertThat(log.warnings()).isEmpty();
      }
    }
  }

  @Test
  void requests_above_the_limit_of_pending_ones_are_rejected_and_the_others_are_not() {
    RdmaServer server = rig.server(new RdmaServerOptions().setMaxPendingRequests(2));
    HeldRequests requests = new HeldRequests(server);
    int port = rig.listen(server);
    RdmaClient client = rig.client();
    var first = client.connect(port, rig.address());
    var held = requests.next();
    var second = client.connect(port, rig.address());
    var heldToo = requests.next();

    Throwable third = rig.awaitFailure(client.connect(port, rig.address()));

    assertThat(third).isInstanceOf(ConnectionRejectedException.class);
    rig.await(held.accept());
    rig.await(first);
    var fourth = client.connect(port, rig.address());
    rig.await(requests.next().accept());
    rig.await(fourth);
    rig.await(heldToo.accept());
    rig.await(second);
  }
}
