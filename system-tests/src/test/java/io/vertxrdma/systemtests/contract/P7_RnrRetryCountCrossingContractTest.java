package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServerOptions;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Case P7: the RNR retry count is crossed. What connect is given rules the server's sends, what
 * accept is given the client's. A receiver with one receive, which nobody asked to hand over, has
 * none left after the first immediate.
 */
class P7_RnrRetryCountCrossingContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  private ContractRig.Pair pair(int connectCount, int acceptCount) {
    return rig.pair(
        new RdmaServerOptions()
            .setReceiveDepth(1)
            .setParameters(ConnectionParameters.DEFAULT.withRnrRetryCount(acceptCount)),
        new RdmaClientOptions()
            .setReceiveDepth(1)
            .setParameters(ConnectionParameters.DEFAULT.withRnrRetryCount(connectCount)));
  }

  @ParameterizedTest(name = "connect {0}, accept {1}")
  @CsvSource({"0,0", "0,7", "7,0", "7,7"})
  void the_client_fails_without_a_receive_exactly_when_accept_was_given_zero(
      int connectCount, int acceptCount) {
    ContractRig.Pair pair = pair(connectCount, acceptCount);
    assertThat(pair.client().queuePairAttributes().rnrRetryCount()).isEqualTo(acceptCount);

    if (acceptCount == 0) {
      failsForWantOfReceives(pair.client(), pair.server());
    } else {
      waitsForAReceive(pair.client(), pair.server());
    }
  }

  @ParameterizedTest(name = "connect {0}, accept {1}")
  @CsvSource({"0,0", "0,7", "7,0", "7,7"})
  void the_server_fails_without_a_receive_exactly_when_connect_was_given_zero(
      int connectCount, int acceptCount) {
    ContractRig.Pair pair = pair(connectCount, acceptCount);
    assertThat(pair.server().queuePairAttributes().rnrRetryCount()).isEqualTo(connectCount);

    if (connectCount == 0) {
      failsForWantOfReceives(pair.server(), pair.client());
    } else {
      waitsForAReceive(pair.server(), pair.client());
    }
  }

  private void failsForWantOfReceives(RdmaConnection sender, RdmaConnection receiver) {
    rig.await(sender.writeImmediate(1));

    Throwable failure = rig.awaitFailure(sender.writeImmediate(2));

    assertThat(failure)
        .isInstanceOf(WorkCompletionException.class)
        .hasMessageContaining("RNR retry counter exceeded");
    assertThat(((WorkCompletionException) failure).status())
        .isEqualTo(WorkCompletionStatus.RNR_RETRY_EXC_ERR);
    rig.await(sender.closed());
    rig.await(receiver.closed());
    assertThat(rig.await(rig.immediates(receiver, 1)))
        .as("what had arrived is still there to be read")
        .containsExactly(1L);
  }

  private void waitsForAReceive(RdmaConnection sender, RdmaConnection receiver) {
    rig.await(sender.writeImmediate(1));

    Future<Void> waiting = sender.writeImmediate(2);

    rig.pause(200);
    assertThat(waiting.isComplete()).as("sent without a receive").isFalse();
    assertThat(rig.await(rig.immediates(receiver, 2))).containsExactly(1L, 2L);
    rig.await(waiting);
    assertThat(sender.isOpen()).isTrue();
  }
}
