package io.vertxrdma.demos.chat;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertxrdma.cm.NegotiatedParameters;
import io.vertxrdma.cm.RnrTimer;
import io.vertxrdma.cm.Role;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.QueuePairAttributes;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.demos.RnrCounters;
import io.vertxrdma.demos.chat.web.FabricView;
import io.vertxrdma.reactive.ConnectionCounters;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.metrics.ConnectOutcome;
import io.vertxrdma.reactive.metrics.RdmaMetrics;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/** What the page shows of the hub's connections: read from the library's own counters. */
final class Fabric implements FabricView, RdmaMetrics {

  private static final int EVENTS = 50;

  private final Clock clock;
  private final String provider;
  private final RnrCounters ports;
  private final LongAdder requests = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder receivesLow = new LongAdder();
  private final LongAdder rnrExceeded = new LongAdder();
  private final Deque<JsonObject> events = new ArrayDeque<>();
  private Consumer<JsonObject> eventHandler = event -> {};
  private ChatServer server;
  private long rnrSent;
  private long rnrReceived;
  private boolean reading;

  Fabric(Vertx vertx, RdmaProvider provider, Clock clock) {
    this.provider = provider.name();
    this.ports = new RnrCounters(vertx, provider);
    this.clock = clock;
  }

  /** Watches a server, which has this as its metrics. */
  void watch(ChatServer watched) {
    server = watched;
    watch(watched.server().events());
  }

  /** Watches also what happens to connections that this hub makes. */
  void watch(Flowable<CmEvent> more) {
    more.subscribe(
        this::happened,
        ended -> LoggerFactory.getLogger(Fabric.class).info("{}", ended.getMessage()));
  }

  private void happened(CmEvent event) {
    JsonObject seen =
        new JsonObject()
            .put("at", clock.millis())
            .put("type", event.type().name())
            .put("status", event.status())
            .put("peer", String.valueOf(event.id().remoteAddress()).replaceFirst("^/", ""));
    if (events.size() == EVENTS) {
      events.remove();
    }
    events.add(seen);
    eventHandler.accept(seen);
  }

  @Override
  public JsonArray recentEvents() {
    return new JsonArray(List.copyOf(events));
  }

  @Override
  public void onEvent(Consumer<JsonObject> handler) {
    eventHandler = handler;
  }

  @Override
  public JsonObject snapshot() {
    readPorts();
    JsonArray connections = new JsonArray();
    server.ends().forEach(end -> connections.add(describe(end)));
    return new JsonObject()
        .put("t", "fabric")
        .put("at", clock.millis())
        .put("provider", provider)
        .put("requests", requests.sum())
        .put("refused", refused.sum())
        .put("lost", lost.sum())
        .put("receivesLow", receivesLow.sum())
        .put("rnrExceeded", rnrExceeded.sum())
        .put("rnrSent", rnrSent)
        .put("rnrReceived", rnrReceived)
        .put("connections", connections);
  }

  /** On a worker; what comes back is in a later snapshot. */
  private void readPorts() {
    if (reading) {
      return;
    }
    reading = true;
    ports
        .read()
        .onComplete(
            read -> {
              reading = false;
              if (read.succeeded()) {
                rnrSent = read.result().sent();
                rnrReceived = read.result().received();
              }
            });
  }

  private static JsonObject describe(FabricEnd end) {
    RdmaConnection connection = end.link().connection();
    ConnectionCounters counters = connection.counters();
    return new JsonObject()
        .put("nick", end.label())
        .put("qpn", connection.queuePairNumber())
        .put("peer", String.valueOf(connection.remoteAddress()))
        .put("device", connection.device().name())
        .put("immediates", counters.immediatesReceived())
        .put("sent", counters.operationsCompleted())
        .put("waiting", counters.operationsWaiting() + counters.operationsOutstanding())
        .put("receives", counters.receivesPosted())
        .put("starved", counters.receivesExhausted())
        .put("slots", end.link().freeSlots())
        .put("ring", end.link().slots())
        .put("queued", end.outbox().waiting())
        .put("skipped", end.outbox().missed())
        .put("parameters", parameters(connection))
        .put("clamps", texts(connection.negotiated().adjustments()))
        .put("findings", texts(connection.negotiated().findings()));
  }

  private static JsonArray texts(List<?> notes) {
    JsonArray texts = new JsonArray();
    notes.forEach(note -> texts.add(note.toString()));
    return texts;
  }

  private static JsonObject parameters(RdmaConnection connection) {
    NegotiatedParameters agreed = connection.negotiated();
    QueuePairAttributes device = connection.queuePairAttributes();
    return new JsonObject()
        .put("Responder resources", agreed.responderResources())
        .put("Initiator depth", agreed.initiatorDepth())
        .put("Flow control", agreed.flowControl())
        .put("Retry count", device.retryCount())
        .put("RNR retry count", device.rnrRetryCount())
        .put("RNR timer", RnrTimer.text(agreed.minRnrTimer()))
        .put("Path MTU", device.pathMtu() + " B")
        .put("ACK timeout code", device.timeout())
        .put("Peer queue pair", device.remoteQueuePairNumber());
  }

  @Override
  public void connectRequested() {
    requests.increment();
  }

  @Override
  public void connectEnded(Role role, ConnectOutcome outcome, int reason, long nanos) {
    if (outcome == ConnectOutcome.REJECTED) {
      refused.increment();
    }
  }

  @Override
  public void connectionClosed(Role role, boolean failed, long nanos) {
    if (failed) {
      lost.increment();
    }
  }

  @Override
  public void receivesLow(int posted) {
    receivesLow.increment();
  }

  @Override
  public void completions(boolean receive, WorkCompletionStatus status, int count) {
    if (status == WorkCompletionStatus.RNR_RETRY_EXC_ERR) {
      rnrExceeded.add(count);
    }
  }
}
