package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertxrdma.core.PortCounters;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.metrics.PortCounterReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The counters of the port both ends are on, by the kernel's names, whoever counts. */
class PortCountersContractTest {

  private static final int RECEIVES = 4;

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void a_port_has_the_counters_of_a_roce_port_in_software() {
    assertThat(rig.device().readCounters(1).values())
        .containsKeys(
            "sent_pkts",
            "rcvd_pkts",
            "duplicate_request",
            "out_of_seq_request",
            "rcvd_rnr_err",
            "send_rnr_err",
            "rcvd_seq_err",
            "ack_deferred",
            "retry_exceeded_err",
            "retry_rnr_exceeded_err",
            "completer_retry_err",
            "send_err",
            "link_downed",
            "rdma_sends",
            "rdma_recvs",
            "cm_tx_msgs",
            "cm_tx_retries",
            "cm_rx_msgs",
            "cm_rx_duplicates")
        .doesNotContainKey("lifespan");
  }

  @Test
  void traffic_moves_the_packets_and_nothing_that_would_worry() {
    ContractRig.Pair pair = rig.pair();
    PortCounters before = read();
    Future<List<Long>> arrived = rig.immediates(pair.server(), 100);
    for (int i = 0; i < 100; i++) {
      rig.await(pair.client().writeImmediate(i));
    }
    rig.await(arrived);

    rig.until("the packets to be counted", () -> moved(before, "rcvd_pkts") >= 100);
    assertThat(read().since(before).get("sent_pkts")).isGreaterThanOrEqualTo(100);
    assertThat(read().since(before))
        .doesNotContainKeys("send_rnr_err", "rcvd_rnr_err", "retry_exceeded_err", "link_downed");
  }

  @Test
  void a_receiver_that_is_not_ready_is_counted_on_both_sides() {
    ContractRig.Pair pair =
        rig.pair(new RdmaServerOptions().setReceiveDepth(RECEIVES), new RdmaClientOptions());
    RdmaConnection client = pair.client();
    for (int i = 0; i < RECEIVES; i++) {
      rig.await(client.writeImmediate(i));
    }
    PortCounters before = read();

    Future<Void> stalled = client.writeImmediate(RECEIVES);

    rig.until("the RNR NAK to be counted", () -> moved(before, "send_rnr_err") > 0);
    rig.until("its arrival to be counted", () -> moved(before, "rcvd_rnr_err") > 0);
    assertThat(stalled.isComplete()).isFalse();
    assertThat(moved(before, "retry_rnr_exceeded_err")).isZero();
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(pair.server(), Long.MAX_VALUE);
    rig.await(stalled);
    assertThat(Traffic.values(subscriber)).startsWith(0L);
  }

  private long moved(PortCounters before, String name) {
    return read().since(before).getOrDefault(name, 0L);
  }

  private PortCounters read() {
    return rig.await(new PortCounterReader(rig.vertx(), rig.provider()).read(rig.device(), 1));
  }
}
