package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Completions that came while the event loop was busy are all found, with no traffic to help. */
class I11_BurstContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  // 2500 is more than one turn of the loop takes out of a completion queue.
  @ParameterizedTest(name = "a burst of {0} onto a busy loop is processed to the last one")
  @ValueSource(ints = {1000, 2500})
  void a_burst_onto_a_busy_loop_is_processed_to_the_last_one(int burst) throws Exception {
    rig.occupyDevice();
    ContractRig.Pair pair =
        rig.pair(
            new RdmaServerOptions().setReceiveDepth(burst + 1),
            new RdmaClientOptions().setSendDepth(burst));
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch allPlaced = new CountDownLatch(1);
    List<Long> seen = new CopyOnWriteArrayList<>();
    pair.server()
        .immediateHandler(
            (connection, immediate, length) -> {
              seen.add(Integer.toUnsignedLong(immediate));
              if (immediate == 0) {
                busy.countDown();
                awaitQuietly(allPlaced);
              }
            });
    rig.await(pair.client().writeImmediate(0));
    assertThat(busy.await(ContractRig.TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();

    rig.await(Future.all(Traffic.send(pair.client(), 1, burst)));
    assertThat(seen).as("while the loop was busy").hasSize(1);
    allPlaced.countDown();

    Traffic.eventually("all are processed", () -> seen.size() == burst + 1);
    assertThat(seen).isEqualTo(Traffic.numbers(0, burst + 1));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(ContractRig.TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
