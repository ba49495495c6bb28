package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.cm.Role;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.metrics.ConnectOutcome;
import io.vertxrdma.reactive.metrics.ConnectStep;
import io.vertxrdma.reactive.metrics.RdmaMetrics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MetricsTest {

  /** Adds everything up, by names. */
  private static final class Adding implements RdmaMetrics {

    private final Map<String, Integer> sums = new ConcurrentHashMap<>();
    private final List<Integer> batches = new CopyOnWriteArrayList<>();
    private final List<Long> times = new CopyOnWriteArrayList<>();
    private final AtomicInteger receiveCalls = new AtomicInteger();

    private void add(String name, int amount) {
      sums.merge(name, amount, Integer::sum);
    }

    int get(String name) {
      return sums.getOrDefault(name, 0);
    }

    @Override
    public void cmEvent(CmEventType type) {
      add("event " + type, 1);
    }

    @Override
    public void deviceEvent(DeviceEvent.Kind kind) {
      add("device " + kind, 1);
    }

    @Override
    public void connectRequested() {
      add("requested", 1);
    }

    @Override
    public void connectEnded(Role role, ConnectOutcome outcome, int reason, long nanos) {
      times.add(nanos);
      add("connect " + role + ' ' + outcome + ' ' + reason, 1);
    }

    @Override
    public void stepEnded(ConnectStep step, long nanos) {
      times.add(nanos);
      add("step " + step, 1);
    }

    @Override
    public void clamped(String field) {
      add("clamped " + field, 1);
    }

    @Override
    public void requestRejected() {
      add("rejected", 1);
    }

    @Override
    public void connectionOpened(Role role) {
      add("live " + role, 1);
    }

    @Override
    public void connectionClosed(Role role, boolean failed, long nanos) {
      times.add(nanos);
      add("live " + role, -1);
      add((failed ? "failed " : "closed ") + role, 1);
    }

    @Override
    public void completions(boolean receive, WorkCompletionStatus status, int count) {
      if (receive) {
        receiveCalls.incrementAndGet();
        batches.add(count);
      }
      add((receive ? "receive " : "send ") + status, count);
    }

    @Override
    public void receivesPosted(int change) {
      add("posted", change);
    }

    @Override
    public void receivesLow(int posted) {
      add(posted == 0 ? "exhausted" : "low", 1);
    }

    @Override
    public void sends(int queued, int waiting) {
      add("queued", queued);
      add("waiting", waiting);
    }
  }

  private final Adding metrics = new Adding();

  private RdmaServerOptions serverOptions() {
    return new RdmaServerOptions().setMetrics(metrics);
  }

  private RdmaClientOptions clientOptions() {
    return new RdmaClientOptions().setMetrics(metrics);
  }

  @Test
  void a_connection_is_counted_from_its_steps_to_its_end() {
    try (Bench bench = new Bench()) {
      Bench.Pair pair = bench.pair(serverOptions(), clientOptions());

      assertThat(metrics.sums)
          .containsEntry("requested", 1)
          .containsEntry("step RESOLVE_ADDRESS", 1)
          .containsEntry("step RESOLVE_ROUTE", 1)
          .containsEntry("step CONNECT", 1)
          .containsEntry("step ACCEPT", 1)
          .containsEntry("connect ACTIVE ESTABLISHED 0", 1)
          .containsEntry("connect PASSIVE ESTABLISHED 0", 1)
          .containsEntry("event CONNECT_REQUEST", 1)
          .containsEntry("event ESTABLISHED", 2)
          .containsEntry("live ACTIVE", 1)
          .containsEntry("live PASSIVE", 1)
          .containsEntry("posted", 512);

      Bench.get(pair.client().close());
      Bench.get(pair.server().closed());

      assertThat(metrics.sums)
          .containsEntry("live ACTIVE", 0)
          .containsEntry("live PASSIVE", 0)
          .containsEntry("closed ACTIVE", 1)
          .containsEntry("closed PASSIVE", 1)
          .containsEntry("posted", 0)
          .doesNotContainKeys("failed ACTIVE", "failed PASSIVE");
      assertThat(metrics.times).isNotEmpty().allMatch(nanos -> nanos > 0);
    }
  }

  @Test
  void attempts_that_fail_are_counted_by_outcome_and_reason() {
    try (Bench bench = new Bench()) {
      bench.fake.replyTo("rdma_connect").type(8).status(28);
      Bench.failure(bench.client(clientOptions()).connect(Bench.PORT, Bench.HOST));
      assertThat(metrics.get("connect ACTIVE REJECTED 28")).isEqualTo(1);

      bench.fake.replyTo("rdma_connect").type(7).status(-110);
      Bench.failure(bench.client(clientOptions()).connect(Bench.PORT, Bench.HOST));
      assertThat(metrics.get("connect ACTIVE UNREACHABLE -110")).isEqualTo(1);

      bench.fake.silence("rdma_connect");
      Bench.failure(
          bench.client(clientOptions().setConnectTimeout(50)).connect(Bench.PORT, Bench.HOST));
      Bench.until(
          "the timeout to be counted", () -> metrics.get("connect ACTIVE TIMED_OUT -110") == 1);
      assertThat(metrics.get("live ACTIVE")).isZero();
    }
  }

  @Test
  void a_request_that_is_rejected_is_counted() {
    try (Bench bench = new Bench()) {
      RdmaServer server = bench.server(serverOptions());
      server.connectRequestHandler(ConnectRequest::reject);
      Bench.get(server.listen());

      Bench.failure(bench.elsewhere(bench::client).connect(Bench.PORT, Bench.HOST));

      Bench.until("the end of the request", () -> metrics.get("connect PASSIVE REJECTED 0") == 1);
      assertThat(metrics.get("rejected")).isEqualTo(1);
      assertThat(metrics.get("requested")).isEqualTo(1);
    }
  }

  @Test
  void completions_are_counted_in_batches_by_status() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection(clientOptions());
      connection.immediateHandler((from, value, length) -> {});
      bench.settle();

      bench.burst(bench.lastQueuePair(), 64);

      Bench.until("64 receives", () -> metrics.get("receive SUCCESS") == 64);
      assertThat(metrics.receiveCalls).hasValueLessThanOrEqualTo(3);
      assertThat(metrics.batches).contains(32);
      Bench.get(Future.join(connection.writeImmediate(1), connection.writeImmediate(2)));
      Bench.until("a send", () -> metrics.get("send SUCCESS") >= 1);
      Bench.until("the queue to be empty", () -> metrics.get("queued") == 0);
    }
  }

  @Test
  void a_send_that_fails_is_counted_and_its_connection_as_failed() {
    try (Bench bench = new Bench()) {
      bench.fake.holdSends(true);
      RdmaConnection connection = bench.connection(clientOptions());
      Future<Void> write = connection.writeImmediate(1);
      Bench.until("the write to be posted", () -> metrics.get("queued") == 1);

      bench.fake.completeSends(bench.lastQueuePair(), 1, 13);

      Bench.failure(write);
      Bench.get(connection.closed());
      assertThat(metrics.sums)
          .containsEntry("send RNR_RETRY_EXC_ERR", 1)
          .containsEntry("failed ACTIVE", 1)
          .containsEntry("queued", 0);
    }
  }

  @Test
  void operations_that_wait_for_room_are_told() {
    try (Bench bench = new Bench()) {
      bench.fake.holdSends(true);
      RdmaConnection connection = bench.connection(clientOptions().setSendDepth(2));
      for (int i = 0; i < 5; i++) {
        connection.writeImmediate(i);
      }
      Bench.until("two to be posted", () -> metrics.get("queued") == 2);
      Bench.until("three to wait", () -> metrics.get("waiting") == 3);

      bench.fake.holdSends(false);

      Bench.until(
          "all to complete", () -> metrics.get("queued") == 0 && metrics.get("waiting") == 0);
    }
  }

  @Test
  void a_reader_that_does_not_keep_up_is_told_by_low_and_exhausted_receives() {
    try (Bench bench = new Bench()) {
      RdmaConnection connection = bench.connection(clientOptions().setReceiveDepth(8));
      bench.settle();
      int queuePair = bench.lastQueuePair();
      assertThat(connection.isOpen()).isTrue();

      for (int i = 0; i < 7; i++) {
        bench.fake.completeReceiveWithImm(queuePair, i, 0);
      }
      Bench.until("low", () -> metrics.get("low") == 1);
      assertThat(metrics.get("exhausted")).isZero();
      bench.fake.completeReceiveWithImm(queuePair, 7, 0);
      Bench.until("exhausted", () -> metrics.get("exhausted") == 1);
      Bench.until("none posted", () -> metrics.get("posted") == 0);

      connection.immediateHandler((from, value, length) -> {});

      Bench.until("all posted again", () -> metrics.get("posted") == 8);
      assertThat(metrics.get("low")).isEqualTo(1);
    }
  }

  @Test
  void a_clamped_parameter_and_an_event_of_the_device_are_counted() {
    try (Bench bench = new Bench(fake -> fake.device("fake0").address(Bench.HOST).maxQpRdAtom(4))) {
      RdmaClientOptions options =
          clientOptions().setParameters(ConnectionParameters.DEFAULT.withResponderResources(16));
      Bench.get(bench.client(options).connect(Bench.PORT, Bench.HOST));
      assertThat(new TreeMap<>(metrics.sums)).containsEntry("clamped responderResources", 1);

      bench.fake.asyncEvent("fake0", 10, 1);

      Bench.until("the event to be counted", () -> metrics.get("device PORT_ERR") == 1);
    }
  }
}
