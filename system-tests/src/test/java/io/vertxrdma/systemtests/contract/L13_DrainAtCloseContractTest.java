package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Case L13: what is outstanding when a connection ends fails once each as flushed, then comes
 * "closed", and none of it is an alarm. The receiver has one receive and nobody reads, so that the
 * writes stay outstanding.
 */
class L13_DrainAtCloseContractTest {

  private static final int WRITES = 64;

  @RegisterExtension final ContractRig rig = new ContractRig();

  private final AtomicInteger ends = new AtomicInteger();
  private final Promise<Integer> endedAtClose = Promise.promise();

  private ContractRig.Pair unreadPair() {
    return rig.pair(
        new RdmaServerOptions().setReceiveDepth(1),
        new RdmaClientOptions().setReceiveDepth(256).setSendDepth(WRITES));
  }

  private List<Future<Void>> outstandingWrites(RdmaConnection connection, int count) {
    rig.await(connection.writeImmediate(0));
    List<Future<Void>> writes = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      writes.add(connection.writeImmediate(i).onComplete(done -> ends.incrementAndGet()));
    }
    connection.closeHandler(nothing -> endedAtClose.complete(ends.get()));
    rig.until(
        "the send queue is full",
        () -> connection.counters().operationsOutstanding() == Math.min(count, WRITES));
    assertThat(ends).hasValue(0);
    return writes;
  }

  private void allAreFlushedBeforeClosed(List<Future<Void>> writes) {
    assertThat(rig.await(endedAtClose.future()))
        .as("operations ended when closed was signalled")
        .isEqualTo(writes.size());
    assertThat(ends).hasValue(writes.size());
    assertThat(writes)
        .allSatisfy(
            write ->
                assertThat(rig.awaitFailure(write))
                    .isInstanceOf(FlushedException.class)
                    .hasMessageContaining("Work Request Flushed Error"));
  }

  @Test
  void when_the_peer_closes() {
    ContractRig.Pair pair = unreadPair();
    var writes = outstandingWrites(pair.client(), WRITES);
    try (LogCapture log = new LogCapture()) {

      rig.await(pair.server().close());

      allAreFlushedBeforeClosed(writes);
      assertThat(log.warnings()).isEmpty();
    }
  }

  @Test
  void when_this_side_closes() {
    ContractRig.Pair pair = unreadPair();
    var writes = outstandingWrites(pair.client(), WRITES);
    try (LogCapture log = new LogCapture()) {

      pair.client().close();

      allAreFlushedBeforeClosed(writes);
      assertThat(log.warnings()).isEmpty();
    }
  }

  @Test
  void also_operations_that_still_wait_for_room_in_the_send_queue() {
    ContractRig.Pair pair = unreadPair();
    var writes = outstandingWrites(pair.client(), 4 * WRITES);

    rig.await(pair.server().close());

    allAreFlushedBeforeClosed(writes);
  }
}
