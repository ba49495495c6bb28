package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case P5: accepting more than was offered, and depths of zero. */
class P5_AcceptingMoreThanOfferedContractTest {

  private static final ConnectionParameters ZERO =
      ConnectionParameters.DEFAULT.withResponderResources(0).withInitiatorDepth(0);

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void a_server_that_wants_more_than_the_client_serves_gets_that_much_and_a_warning() {
    try (LogCapture log = new LogCapture()) {
      ContractRig.Pair pair =
          rig.pair(
              new RdmaServerOptions()
                  .setParameters(ConnectionParameters.DEFAULT.withInitiatorDepth(16)),
              new RdmaClientOptions()
                  .setParameters(ConnectionParameters.DEFAULT.withResponderResources(0)));

      assertThat(pair.server().negotiated().initiatorDepth()).isZero();
      assertThat(pair.server().queuePairAttributes().maxReadAtomic()).isZero();
      assertThat(log.warnings())
          .filteredOn(line -> line.contains("initiatorDepth: wanted 16, used 0"))
          .hasSize(1);
    }
  }

  @Test
  void with_depths_of_zero_on_both_sides_a_thousand_writes_with_immediate_arrive_in_order() {
    int count = 1000;
    ContractRig.Pair pair =
        rig.pair(
            new RdmaServerOptions().setParameters(ZERO),
            new RdmaClientOptions().setParameters(ZERO));
    assertThat(pair.server().queuePairAttributes().maxReadAtomic()).isZero();
    assertThat(pair.server().queuePairAttributes().maxDestinationReadAtomic()).isZero();

    Future<List<Long>> arrived = rig.immediates(pair.server(), count);
    List<Future<Void>> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writes.add(pair.client().writeImmediate(i));
    }

    rig.await(Future.all(writes));
    assertThat(rig.await(arrived)).isEqualTo(LongStream.range(0, count).boxed().toList());
  }
}
