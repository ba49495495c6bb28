package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.nativeverbs.FakeCall;
import io.vertxrdma.reactive.Bench.Transport;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class I11_CompletionEventsTest {

  private static RdmaConnection connection(Bench bench) {
    return bench.connection(new RdmaClientOptions().setReceiveDepth(4000).setSendDepth(16));
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aBurstBetweenTheLastPollAndTheArmingIsNotLost(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection = connection(bench);
      var received = connection.immediates().test();
      int number = bench.lastQueuePair();
      bench.fake.before(
          "req_notify_cq",
          call -> {
            // The queue was found empty and is not armed yet: this burst raises no event.
            bench.fake.asUsual("req_notify_cq");
            for (int i = 1; i <= 100; i++) {
              bench.fake.completeReceiveWithImm(number, i, 0);
            }
          });

      bench.fake.completeReceiveWithImm(number, 0, 0);

      received.awaitCount(101);
      assertThat(received.values()).extracting(Immediate::value).isSorted().hasSize(101);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aBurstWithOneNotificationIsReadToItsEnd(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection = connection(bench);
      var received = connection.immediates().test();
      // More than the loop polls in one go, so that the rest needs another turn.
      bench.burst(bench.lastQueuePair(), 3_500);

      received.awaitCount(3_500);

      List<Long> expected = IntStream.range(0, 3_500).mapToObj(i -> (long) i).toList();
      assertThat(received.values()).extracting(Immediate::value).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void theOrderIsGetEventThenAckThenPollThenArmThenPoll(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection = connection(bench);
      var received = connection.immediates().test();
      bench.settle();
      bench.fake.clearCalls();

      bench.fake.completeReceiveWithImm(bench.lastQueuePair(), 0, 0);
      received.awaitCount(1);
      bench.settle();

      List<String> calls =
          bench.fake.calls().stream()
              .map(FakeCall::name)
              .filter(name -> name.endsWith("_cq") || name.contains("_cq_event"))
              .toList();
      int armed = calls.indexOf("req_notify_cq");
      assertThat(calls).startsWith("ibv_get_cq_event").containsOnlyOnce("req_notify_cq");
      assertThat(calls.indexOf("ibv_ack_cq_events")).isBetween(1, armed);
      assertThat(calls.subList(armed, calls.size())).contains("poll_cq");
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void withSpinningTheLoopGoesOnPollingBeforeItArms(Transport transport) {
    try (Bench bench = new Bench(transport)) {
      RdmaConnection connection =
          bench.connection(new RdmaClientOptions().setPollSpinMicros(10_000));
      var received = connection.immediates().test();
      int number = bench.lastQueuePair();
      AtomicInteger polls = new AtomicInteger();
      bench.fake.before(
          "poll_cq",
          call -> {
            if (polls.incrementAndGet() == 5) {
              bench.fake.completeReceiveWithImm(number, 1, 0);
            }
          });

      bench.fake.completeReceiveWithImm(number, 0, 0);

      received.awaitCount(2);
      bench.fake.asUsual("poll_cq");
      assertThat(polls).hasValueGreaterThan(5);
    }
  }
}
