package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A second connection starts with all its receives, whatever became of the first. */
class I8_ReceivesAfterReconnectContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void a_reconnect_with_the_same_options_has_every_receive_again() {
    RdmaServerOptions serverOptions = new RdmaServerOptions().setReceiveDepth(256);
    RdmaClientOptions clientOptions = new RdmaClientOptions();
    RdmaServer server = rig.acceptingServer(serverOptions);
    TestSubscriber<RdmaConnection> accepted = server.connections().test();
    RdmaClient client = rig.client(clientOptions);

    RdmaConnection first = rig.await(client.connect(server.actualPort(), rig.address()));
    RdmaConnection firstAccepted = connection(accepted, 0);
    TestSubscriber<Immediate> tenOfFirst = Traffic.subscribe(firstAccepted, Long.MAX_VALUE);
    rig.await(Future.all(Traffic.send(first, 0, 10)));
    Traffic.eventually("ten arrive", () -> tenOfFirst.values().size() == 10);
    rig.await(first.close());
    rig.await(firstAccepted.closed());

    RdmaConnection second = rig.await(client.connect(server.actualPort(), rig.address()));
    RdmaConnection secondAccepted = connection(accepted, 1);
    assertThat(secondAccepted.counters().receivesPosted()).isEqualTo(256);
    assertThat(secondAccepted.counters().receivesPostedTotal()).isEqualTo(256);
    TestSubscriber<Immediate> ofSecond = Traffic.subscribe(secondAccepted, Long.MAX_VALUE);
    rig.await(Future.all(Traffic.send(second, 1000, 300)));
    Traffic.eventually("300 arrive", () -> ofSecond.values().size() == 300);
    assertThat(Traffic.values(ofSecond)).isEqualTo(Traffic.numbers(1000, 1300));
    assertThat(Traffic.values(tenOfFirst)).isEqualTo(Traffic.numbers(0, 10));
  }

  private static RdmaConnection connection(TestSubscriber<RdmaConnection> accepted, int index) {
    Traffic.eventually("the server has it too", () -> accepted.values().size() == index + 1);
    return accepted.values().get(index);
  }
}
