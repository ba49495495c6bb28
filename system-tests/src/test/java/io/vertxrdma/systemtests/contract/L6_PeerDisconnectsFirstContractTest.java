package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.RdmaException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case L6: the peer disconnects first. */
class L6_PeerDisconnectsFirstContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void the_stream_completes_then_the_close_handler_runs_and_operations_are_refused() {
    ContractRig.Pair pair = rig.pair();
    List<String> signals = new CopyOnWriteArrayList<>();
    pair.client()
        .immediates()
        .subscribe(
            next -> signals.add("immediate " + next.value()),
            failed -> signals.add("error " + failed),
            () -> signals.add("complete"));
    pair.client().exceptionHandler(failed -> signals.add("exception " + failed));
    pair.client().closeHandler(nothing -> signals.add("closed"));
    rig.await(pair.server().writeImmediate(1));

    rig.await(pair.server().close());
    rig.await(pair.client().closed());

    rig.until("both signals came", () -> signals.size() >= 3);
    assertThat(signals).startsWith("immediate 1").containsOnlyOnce("complete", "closed").hasSize(3);
    assertThat(pair.client().isOpen()).isFalse();
    assertThat(rig.awaitFailure(pair.client().writeImmediate(2))).isInstanceOf(RdmaException.class);
    assertThat(pair.client().close().succeeded()).isTrue();
  }

  @Test
  void the_server_hears_of_a_client_that_closes_all_its_connections() {
    ContractRig.Pair pair = rig.pair();

    rig.await(pair.connector().close());

    rig.await(pair.server().closed());
    assertThat(pair.server().isOpen()).isFalse();
    rig.until("only the listener's id is left", () -> rig.liveIds() == 1);
  }
}
