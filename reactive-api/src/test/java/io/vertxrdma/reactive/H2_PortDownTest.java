package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class H2_PortDownTest {

  private static final int RETRY_EXCEEDED = 12;

  @Test
  void whatIsInFlightWhenRetriesEndFailsAndTheConnectionIsNeverUsedAgain() {
    try (Bench bench = new Bench()) {
      RdmaConnection old = bench.connection();
      int number = bench.lastQueuePair();
      List<Throwable> failures = new CopyOnWriteArrayList<>();
      old.exceptionHandler(failures::add);
      bench.fake.holdSends(true);
      List<Future<Void>> writes = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        writes.add(old.writeImmediate(i));
      }
      Bench.until("the writes to be posted", () -> bench.fake.pendingSends(number) == 3);

      // The queue pair goes to error, which flushes the others.
      bench.fake.completeSends(number, 1, RETRY_EXCEEDED);

      Bench.get(old.closed());
      assertThat(Bench.failure(writes.get(0)))
          .isInstanceOfSatisfying(
              WorkCompletionException.class,
              failure ->
                  assertThat(failure.status()).isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR));
      assertThat(Bench.failure(writes.get(1))).isInstanceOf(FlushedException.class);
      assertThat(Bench.failure(writes.get(2))).isInstanceOf(FlushedException.class);
      Bench.until("the failure to be told", () -> failures.size() == 1);
      int posts = bench.fake.calls("post_send").size();
      Bench.settled(old.writeImmediate(4));
      assertThat(bench.fake.calls("post_send")).hasSize(posts);

      bench.fake.holdSends(false);
      RdmaConnection fresh = bench.connection();
      Bench.get(fresh.writeImmediate(5));
      assertThat(failures).hasSize(1);
    }
  }
}
