package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The watermarks of receives and of the write queue are those of the options. */
class WatermarksTest {

  private static RdmaClientOptions sixteenReceives() {
    return new RdmaClientOptions().setReceiveDepth(16);
  }

  @Test
  void aboveTheLowWatermarkReceivesAreCollectedForOneCall() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection =
          bench.connection(sixteenReceives().setReceiveLowWatermark(2).setReceiveRefillBatch(8));
      int number = bench.lastQueuePair();
      var received = connection.immediates().test();
      bench.fake.clearCalls();

      for (int i = 0; i < 7; i++) {
        bench.fake.completeReceiveWithImm(number, i, 0);
      }
      received.awaitCount(7);
      bench.settle();
      assertThat(bench.fake.calls("post_recv")).isEmpty();
      assertThat(bench.fake.postedReceives(number)).isEqualTo(9);

      bench.fake.completeReceiveWithImm(number, 7, 0);
      Bench.until("the refill", () -> bench.fake.postedReceives(number) == 16);
      assertThat(bench.fake.calls("post_recv")).hasSize(1);
    }
  }

  @Test
  void atTheLowWatermarkEachOneGoesBackAtOnce() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection =
          bench.connection(sixteenReceives().setReceiveLowWatermark(15).setReceiveRefillBatch(8));
      int number = bench.lastQueuePair();
      var received = connection.immediates().test();
      bench.fake.clearCalls();

      bench.fake.completeReceiveWithImm(number, 1, 0);

      received.awaitCount(1);
      Bench.until("the refill", () -> bench.fake.postedReceives(number) == 16);
      assertThat(bench.fake.calls("post_recv")).hasSize(1);
    }
  }

  @Test
  void aFullWriteQueueIsDrainedAtItsLowWatermark() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection =
          bench.connection(
              new RdmaClientOptions().setWriteQueueMaxSize(8).setWriteQueueLowWatermark(1));
      int number = bench.lastQueuePair();
      bench.fake.holdSends(true);
      AtomicInteger drained = new AtomicInteger();
      connection.drainHandler(nothing -> drained.incrementAndGet());
      List<Future<Void>> writes = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        assertThat(connection.writeQueueFull()).isFalse();
        writes.add(connection.writeImmediate(i));
        int posted = i + 1;
        Bench.until("the post", () -> bench.fake.pendingSends(number) == posted);
      }
      assertThat(connection.writeQueueFull()).isTrue();

      bench.fake.completeSends(number, 6, 0);
      Bench.get(writes.get(5));
      bench.settle();
      assertThat(drained).hasValue(0);

      bench.fake.completeSends(number, 1, 0);
      Bench.until("the drain handler", () -> drained.get() == 1);
      bench.fake.holdSends(false);
      Bench.get(writes.get(7));
    }
  }
}
