package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** No receive left and no retries: the write fails, it is never lost as a success. */
class I2_NoReceiveLeftContractTest {

  private static final int RECEIVES = 4;

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void a_write_that_finds_no_receive_fails_when_the_accepting_side_allows_no_rnr_retry() {
    ContractRig.Pair pair =
        rig.pair(
            new RdmaServerOptions()
                .setReceiveDepth(RECEIVES)
                .setParameters(ConnectionParameters.DEFAULT.withRnrRetryCount(0)),
            new RdmaClientOptions());
    RdmaConnection server = pair.server();
    RdmaConnection client = pair.client();
    AtomicReference<Throwable> reported = new AtomicReference<>();
    client.exceptionHandler(reported::set);
    for (int i = 0; i < RECEIVES; i++) {
      rig.await(client.writeImmediate(i));
    }

    Throwable failure = rig.awaitFailure(client.writeImmediate(RECEIVES));

    assertThat(failure)
        .isInstanceOf(WorkCompletionException.class)
        .hasMessageContaining("RNR retry counter exceeded");
    WorkCompletionException completion = (WorkCompletionException) failure;
    assertThat(completion.status()).isEqualTo(WorkCompletionStatus.RNR_RETRY_EXC_ERR);
    assertThat(completion.code()).isEqualTo(13);
    rig.await(client.closed());
    rig.await(server.closed());
    Traffic.eventually("the exception handler is told", () -> reported.get() != null);
    assertThat(reported.get()).hasMessageContaining("RNR retry counter exceeded");
    assertThat(client.counters().operationsCompleted()).isEqualTo(RECEIVES);

    // What had found a receive is still there, and nothing else is.
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, Long.MAX_VALUE);
    Traffic.eventuallyCompleted(subscriber);
    assertThat(Traffic.values(subscriber)).isEqualTo(Traffic.numbers(0, RECEIVES));
  }
}
