package io.vertxrdma.observability.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertxrdma.cm.Role;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.DeviceEvent;
import io.vertxrdma.reactive.metrics.ConnectOutcome;
import io.vertxrdma.reactive.metrics.ConnectStep;
import io.vertxrdma.reactive.metrics.RdmaMetrics;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * {@link RdmaMetrics} as meters of a Micrometer registry, all named {@code rdma…}. Use one object
 * for all servers and clients of a registry: gauges are sums over them. Thread-safe; the meters of
 * the data path are looked up once.
 */
public final class MicrometerMetrics implements RdmaMetrics {

  private static final WorkCompletionStatus[] STATUSES = WorkCompletionStatus.values();

  private final MeterRegistry registry;
  private final Counter[] sendCompletions = new Counter[STATUSES.length];
  private final Counter[] receiveCompletions = new Counter[STATUSES.length];
  private final Counter[] cmEvents = new Counter[CmEventType.values().length];
  private final Counter[] deviceEvents = new Counter[DeviceEvent.Kind.values().length];
  private final Timer[] steps = new Timer[ConnectStep.values().length];
  private final AtomicLong[] connections = new AtomicLong[Role.values().length];
  private final AtomicLong receivesPosted;
  private final AtomicLong sendsQueued;
  private final AtomicLong sendsWaiting;
  private final Counter requests;
  private final Counter rejected;
  private final Counter receivesLow;
  private final Counter receivesExhausted;

  /** Registers the meters that always are there; others come with their first value. */
  public MicrometerMetrics(MeterRegistry registry) {
    this.registry = Objects.requireNonNull(registry, "registry");
    for (WorkCompletionStatus status : STATUSES) {
      sendCompletions[status.ordinal()] = completions("send", status);
      receiveCompletions[status.ordinal()] = completions("receive", status);
    }
    for (CmEventType type : CmEventType.values()) {
      cmEvents[type.ordinal()] =
          Counter.builder("rdma.cm.events").tag("type", lower(type)).register(registry);
    }
    for (DeviceEvent.Kind kind : DeviceEvent.Kind.values()) {
      deviceEvents[kind.ordinal()] =
          Counter.builder("rdma.device.events").tag("kind", lower(kind)).register(registry);
    }
    for (ConnectStep step : ConnectStep.values()) {
      steps[step.ordinal()] =
          Timer.builder("rdma.connect.step").tag("step", lower(step)).register(registry);
    }
    for (Role role : Role.values()) {
      connections[role.ordinal()] = gauge("rdma.connections", "role", lower(role));
    }
    receivesPosted = gauge("rdma.receives.posted");
    sendsQueued = gauge("rdma.sends.queued");
    sendsWaiting = gauge("rdma.sends.waiting");
    requests = Counter.builder("rdma.connect.requests").register(registry);
    rejected = Counter.builder("rdma.connect.rejected").register(registry);
    receivesLow = Counter.builder("rdma.receives.low").register(registry);
    receivesExhausted = Counter.builder("rdma.receives.exhausted").register(registry);
  }

  private Counter completions(String queue, WorkCompletionStatus status) {
    return Counter.builder("rdma.completions")
        .tags("queue", queue, "status", lower(status))
        .register(registry);
  }

  private AtomicLong gauge(String name, String... tags) {
    AtomicLong value = new AtomicLong();
    Gauge.builder(name, value, AtomicLong::doubleValue)
        .tags(tags)
        .strongReference(true)
        .register(registry);
    return value;
  }

  private static String lower(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void cmEvent(CmEventType type) {
    cmEvents[type.ordinal()].increment();
  }

  @Override
  public void deviceEvent(DeviceEvent.Kind kind) {
    deviceEvents[kind.ordinal()].increment();
  }

  @Override
  public void connectRequested() {
    requests.increment();
  }

  @Override
  public void connectEnded(Role role, ConnectOutcome outcome, int reason, long nanos) {
    Timer.builder("rdma.connect.attempts")
        .tags("role", lower(role), "outcome", lower(outcome), "reason", Integer.toString(reason))
        .register(registry)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void stepEnded(ConnectStep step, long nanos) {
    steps[step.ordinal()].record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void clamped(String field) {
    registry.counter("rdma.parameters.clamped", "field", field).increment();
  }

  @Override
  public void alignmentFinding(String kind) {
    registry.counter("rdma.alignment.findings", "kind", kind.toLowerCase(Locale.ROOT)).increment();
  }

  @Override
  public void requestRejected() {
    rejected.increment();
  }

  @Override
  public void connectionOpened(Role role) {
    connections[role.ordinal()].incrementAndGet();
  }

  @Override
  public void connectionClosed(Role role, boolean failed, long nanos) {
    connections[role.ordinal()].decrementAndGet();
    Timer.builder("rdma.connection.lifetime")
        .tags("role", lower(role), "end", failed ? "failed" : "closed")
        .register(registry)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void completions(boolean receive, WorkCompletionStatus status, int count) {
    (receive ? receiveCompletions : sendCompletions)[status.ordinal()].increment(count);
  }

  @Override
  public void receivesPosted(int change) {
    receivesPosted.addAndGet(change);
  }

  @Override
  public void receivesLow(int posted) {
    (posted == 0 ? receivesExhausted : receivesLow).increment();
  }

  @Override
  public void sends(int queued, int waiting) {
    if (queued != 0) {
      sendsQueued.addAndGet(queued);
    }
    if (waiting != 0) {
      sendsWaiting.addAndGet(waiting);
    }
  }
}
