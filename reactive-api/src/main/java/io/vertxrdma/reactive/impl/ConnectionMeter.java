package io.vertxrdma.reactive.impl;

import io.vertxrdma.cm.Adjustment;
import io.vertxrdma.cm.AlignmentFinding;
import io.vertxrdma.cm.ConnectionState;
import io.vertxrdma.cm.Role;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.reactive.metrics.ConnectOutcome;
import io.vertxrdma.reactive.metrics.ConnectStep;
import io.vertxrdma.reactive.metrics.RdmaMetrics;
import java.util.List;

/**
 * Counts and times one connection: its steps and its ends; and, in {@link QueueMeter}, what its
 * queue pair does. On the loop.
 */
final class ConnectionMeter {

  private final RdmaMetrics metrics;
  private final QueueMeter queues;
  private final FlightRecords.Attempt recorded;
  private final Role role;
  private final long begun = System.nanoTime();
  private long stepBegun = begun;
  private long opened;
  private boolean established;
  private boolean rejected;
  private Throwable givenUp;
  private boolean ended;

  ConnectionMeter(RdmaMetrics metrics, Role role) {
    this.metrics = metrics;
    this.queues = new QueueMeter(metrics);
    this.role = role;
    this.recorded = FlightRecords.attempt(role);
    if (role == Role.PASSIVE) {
      metrics.connectRequested();
    }
  }

  /** The state machine went on; times the steps that ended well. */
  void moved(ConnectionState from, ConnectionState to) {
    if (from == to) {
      return;
    }
    long now = System.nanoTime();
    ConnectStep step = step(from, to);
    if (step != null) {
      metrics.stepEnded(step, now - stepBegun);
    }
    stepBegun = now;
  }

  private static ConnectStep step(ConnectionState from, ConnectionState to) {
    return switch (to) {
      case ADDRESS_RESOLVED -> ConnectStep.RESOLVE_ADDRESS;
      case ROUTE_RESOLVED -> ConnectStep.RESOLVE_ROUTE;
      case ESTABLISHED ->
          from == ConnectionState.ACCEPTING ? ConnectStep.ACCEPT : ConnectStep.CONNECT;
      default -> null;
    };
  }

  /** Wishes were adjusted. */
  void adjusted(List<Adjustment> adjustments) {
    for (Adjustment adjustment : adjustments) {
      if (adjustment.severity() == Adjustment.Severity.WARN) {
        metrics.clamped(adjustment.field());
        FlightRecords.clamped(adjustment);
      }
    }
  }

  /** What one side announced does not fit the other. */
  void findings(List<AlignmentFinding> findings) {
    for (AlignmentFinding finding : findings) {
      metrics.alignmentFinding(finding.kind().name());
    }
  }

  /** This side says no. */
  void rejected() {
    rejected = true;
    metrics.requestRejected();
  }

  /** Says why an attempt that is about to be closed will have ended. */
  void givenUp(Throwable cause) {
    givenUp = cause;
  }

  /** The connection stands. */
  void established(String about) {
    established = true;
    queues.peersSend();
    opened = System.nanoTime();
    metrics.connectEnded(role, ConnectOutcome.ESTABLISHED, 0, opened - begun);
    metrics.connectionOpened(role);
    recorded.ended(about, ConnectOutcome.ESTABLISHED, null);
  }

  /** The last word about it, with the reason if it did not end by a close. */
  void ended(String about, Throwable failure, DataPath path) {
    if (ended) {
      return;
    }
    queues.end(path);
    ended = true;
    long now = System.nanoTime();
    if (established) {
      metrics.connectionClosed(role, failure != null, now - opened);
      FlightRecords.closed(role, about, failure, now - opened);
      return;
    }
    Throwable cause = givenUp == null ? failure : givenUp;
    ConnectOutcome outcome = outcome(cause);
    int reason = cause instanceof RdmaException rdma ? rdma.code() : 0;
    metrics.connectEnded(role, outcome, reason, now - begun);
    recorded.ended(about, outcome, cause);
  }

  private ConnectOutcome outcome(Throwable failure) {
    if (rejected) {
      return ConnectOutcome.REJECTED;
    }
    return failure == null ? ConnectOutcome.CLOSED : ConnectOutcome.of(failure);
  }

  /** The completions and queues of its queue pair. */
  QueueMeter queues() {
    return queues;
  }
}
