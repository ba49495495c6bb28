package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.core.nativeverbs.FakeCall;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class L11_HeartbeatTest {

  private static final int INTERVAL = 20;

  private static RdmaConnection connection(Bench bench) {
    return bench.connection(new RdmaClientOptions().setHeartbeatInterval(INTERVAL));
  }

  private static int sends(Bench bench) {
    return bench.fake.calls("post_send").size();
  }

  /** Long enough that a heartbeat would have been seen, had there been one. */
  private static void letSomeIntervalsPass(Bench bench) {
    Bench.get(bench.vertx.timer(6 * INTERVAL, TimeUnit.MILLISECONDS).mapEmpty());
  }

  @Test
  void withoutTheOptionNothingIsSentAndNothingIsNoticed() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection();

      letSomeIntervalsPass(bench);

      assertThat(sends(bench)).isZero();
      assertThat(connection.isOpen()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void silenceIsBrokenByWritesOfNothingThatTheApplicationDoesNotSee(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection = connection(bench);

      Bench.until("three heartbeats", () -> sends(bench) >= 3);

      FakeCall heartbeat = bench.fake.calls("post_send").get(0);
      assertThat(heartbeat.i32(24)).as("scatter-gather entries").isZero();
      assertThat(heartbeat.i32(28)).as("IBV_WR_RDMA_WRITE").isZero();
      assertThat(connection.isOpen()).isTrue();
      assertThat(connection.counters().operationsCompleted()).isZero();
      assertThat(connection.setWriteQueueMaxSize(1).writeQueueFull()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aPeerThatDoesNotAnswerEndsTheConnectionTyped(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      bench.fake.holdSends(true);
      RdmaConnection connection = connection(bench);
      List<Throwable> failures = new CopyOnWriteArrayList<>();
      connection.exceptionHandler(failures::add);
      Bench.until("a heartbeat", () -> bench.fake.pendingSends(bench.lastQueuePair()) == 1);

      // Transport retry counter exceeded.
      bench.fake.completeSends(bench.lastQueuePair(), 1, 12);

      Bench.get(connection.closed());
      Bench.until("the exception handler", () -> !failures.isEmpty());
      assertThat(failures)
          .singleElement()
          .isInstanceOf(WorkCompletionException.class)
          .satisfies(
              failure ->
                  assertThat(((WorkCompletionException) failure).status())
                      .isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR));
      assertThat(failures.get(0))
          .hasMessageContaining("heartbeat")
          .hasMessageContaining("transport retry counter exceeded (12)");
      bench.assertNoConnectionLeft();
    }
  }

  @Test
  void aRefusedHeartbeatEndsItToo() {
    try (Bench bench = new Bench()) {
      bench.fake.refusePost("post_send", 0, 22, 0);
      RdmaConnection connection = connection(bench);
      List<Throwable> failures = new CopyOnWriteArrayList<>();
      connection.exceptionHandler(failures::add);

      Bench.get(connection.closed());

      Bench.until("the exception handler", () -> !failures.isEmpty());
      assertThat(failures).singleElement().asString().contains("ibv_post_send");
    }
  }

  @Test
  void oneThatIsUnderWayIsNotFollowedByAnother() {
    try (Bench bench = new Bench()) {
      bench.fake.holdSends(true);
      connection(bench);
      Bench.until("a heartbeat", () -> sends(bench) == 1);

      letSomeIntervalsPass(bench);

      assertThat(sends(bench)).isEqualTo(1);
    }
  }

  @Test
  void anOperationUnderWayTakesItsPlace() {
    try (Bench bench = new Bench()) {
      bench.fake.holdSends(true);
      List<Future<Void>> writes = new CopyOnWriteArrayList<>();
      // In the turn that tells of the connection, or the first heartbeat might be sooner.
      Bench.get(
          bench
              .client(new RdmaClientOptions().setHeartbeatInterval(INTERVAL))
              .connect(Bench.PORT, Bench.HOST)
              .onSuccess(connection -> writes.add(connection.writeImmediate(1))));
      Bench.until("the write", () -> sends(bench) == 1);

      letSomeIntervalsPass(bench);

      assertThat(sends(bench)).isEqualTo(1);
      assertThat(bench.fake.lastCall("post_send").i32(28)).as("IBV_WR_RDMA_WRITE_WITH_IMM").isOne();
      assertThat(writes)
          .singleElement()
          .satisfies(write -> assertThat(write.isComplete()).isFalse());
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void afterACloseNoneIsSent(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection = connection(bench);
      Bench.until("a heartbeat", () -> sends(bench) >= 1);

      Bench.get(connection.close());
      int before = sends(bench);
      letSomeIntervalsPass(bench);

      assertThat(sends(bench)).isEqualTo(before);
      assertThat(bench.log.alarms()).isEmpty();
    }
  }

  @Test
  void aShutdownDoesNotWaitForOne() {
    try (Bench bench = new Bench()) {
      bench.fake.holdSends(true);
      RdmaConnection connection = connection(bench);
      Bench.until("a heartbeat", () -> bench.fake.pendingSends(bench.lastQueuePair()) == 1);

      Bench.get(connection.shutdown(600, TimeUnit.SECONDS));

      assertThat(bench.log.alarms()).isEmpty();
    }
  }
}
