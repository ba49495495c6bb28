package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.CmEventType;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class L4_LateEventsAfterCloseTest {

  private static final int DISCONNECTED = CmEventType.DISCONNECTED.code();
  private static final int TIMEWAIT_EXIT = CmEventType.TIMEWAIT_EXIT.code();
  private static final int ROUNDS = 50;

  @ParameterizedTest
  @EnumSource(Transport.class)
  void eventsOwedAfterTheCloseFinishedChangeNothing(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      bench.fake.silence("rdma_disconnect");
      RdmaClient client = bench.client(new RdmaClientOptions().setCloseTimeout(1));
      AtomicInteger closings = new AtomicInteger();
      for (int i = 1; i <= ROUNDS; i++) {
        RdmaConnection connection = Bench.get(client.connect(Bench.PORT, Bench.HOST));
        connection.closeHandler(nothing -> closings.incrementAndGet());
        Bench.get(connection.close());

        bench.fake.event(bench.idOf("rdma_connect")).type(DISCONNECTED).enqueue();
        bench.fake.event(bench.idOf("rdma_connect")).type(TIMEWAIT_EXIT).enqueue();
        bench.settle();

        assertThat(closings).hasValue(i);
        bench.assertNoConnectionLeft();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void eventsThatComeWhileTheIdIsBeingDestroyedChangeNothing(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      bench.fake.silence("rdma_disconnect");
      RdmaClient client = bench.client(new RdmaClientOptions().setCloseTimeout(1));
      AtomicInteger closings = new AtomicInteger();
      bench.fake.before(
          "rdma_destroy_id",
          call -> {
            // On the worker that destroys; the loop fetches these meanwhile.
            bench.fake.event(call.argument(0)).type(DISCONNECTED).enqueue();
            bench.fake.event(call.argument(0)).type(TIMEWAIT_EXIT).enqueue();
            Bench.until("the events to be fetched", () -> bench.fake.eventsWaiting() == 0);
          });
      for (int i = 1; i <= ROUNDS; i++) {
        RdmaConnection connection = Bench.get(client.connect(Bench.PORT, Bench.HOST));
        connection.closeHandler(nothing -> closings.incrementAndGet());

        Bench.get(connection.close());

        Bench.until("the close handler to run", () -> closings.get() > 0);
        assertThat(closings).hasValue(i);
        bench.assertNoConnectionLeft();
      }
      bench.fake.asUsual("rdma_destroy_id");
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void anEventThatIsStillQueuedAtTheDestroyIsDropped(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      bench.fake.timewaitExit();
      RdmaClient client = bench.client();
      for (int i = 0; i < ROUNDS; i++) {
        RdmaConnection connection = Bench.get(client.connect(Bench.PORT, Bench.HOST));
        AtomicInteger closings = new AtomicInteger();
        connection.closeHandler(nothing -> closings.incrementAndGet());

        Bench.get(connection.close());
        bench.settle();

        assertThat(closings).hasValue(1);
        bench.assertNoConnectionLeft();
      }
      assertThat(bench.log.alarms()).isEmpty();
    }
  }
}
