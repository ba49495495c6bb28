package io.vertxrdma.reactive.impl;

import io.vertxrdma.cm.Adjustment;
import io.vertxrdma.cm.Role;
import io.vertxrdma.reactive.metrics.ConnectOutcome;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * Events for Java Flight Recorder: attempts, ends, clamped parameters. Without a recording, or in a
 * runtime without the jdk.jfr module, nothing is made.
 */
final class FlightRecords {

  private static final boolean AVAILABLE = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private static final Attempt OFF = new Attempt(null);

  private FlightRecords() {}

  /** The first event brings Flight Recorder up, which may take an event loop seconds. */
  private static boolean isOn() {
    return AVAILABLE && Recording.isOn();
  }

  /** An attempt to connect or accept that begins now. */
  static Attempt attempt(Role role) {
    return isOn() ? Recording.attempt(role) : OFF;
  }

  /** A parameter was clamped. */
  static void clamped(Adjustment adjustment) {
    if (isOn()) {
      Recording.clamped(adjustment);
    }
  }

  /** A connection that stood has ended. */
  static void closed(Role role, String about, Throwable failure, long nanos) {
    if (isOn()) {
      Recording.closed(role, about, failure, nanos);
    }
  }

  /** An attempt under way. */
  static final class Attempt {

    private final Object event;

    private Attempt(Object event) {
      this.event = event;
    }

    void ended(String about, ConnectOutcome outcome, Throwable failure) {
      if (event != null) {
        Recording.ended(event, about, outcome, failure);
      }
    }
  }

  /** All that needs the classes of jdk.jfr; loaded only where they are. */
  private static final class Recording {

    private static boolean isOn() {
      return FlightRecorder.isInitialized();
    }

    private static Attempt attempt(Role role) {
      AttemptEvent event = new AttemptEvent();
      if (!event.isEnabled()) {
        return OFF;
      }
      event.role = role.name();
      event.begin();
      return new Attempt(event);
    }

    private static void ended(
        Object begun, String about, ConnectOutcome outcome, Throwable failure) {
      AttemptEvent event = (AttemptEvent) begun;
      event.end();
      if (event.shouldCommit()) {
        event.peer = about;
        event.outcome = outcome.name();
        event.reason = failure == null ? null : failure.getMessage();
        event.commit();
      }
    }

    private static void clamped(Adjustment adjustment) {
      ClampEvent event = new ClampEvent();
      if (event.shouldCommit()) {
        event.field = adjustment.field();
        event.wanted = adjustment.wanted();
        event.used = adjustment.used();
        event.reason = adjustment.reason();
        event.commit();
      }
    }

    private static void closed(Role role, String about, Throwable failure, long nanos) {
      CloseEvent event = new CloseEvent();
      if (event.shouldCommit()) {
        event.role = role.name();
        event.peer = about;
        event.reason = failure == null ? null : failure.getMessage();
        event.lifetime = nanos;
        event.commit();
      }
    }
  }

  @Name("io.vertxrdma.ConnectAttempt")
  @Label("RDMA Connect Attempt")
  @Category("RDMA")
  @StackTrace(false)
  private static final class AttemptEvent extends Event {
    @Label("Role")
    String role;

    @Label("Peer")
    String peer;

    @Label("Outcome")
    String outcome;

    @Label("Reason")
    String reason;
  }

  @Name("io.vertxrdma.ConnectionClose")
  @Label("RDMA Connection Close")
  @Category("RDMA")
  @StackTrace(false)
  private static final class CloseEvent extends Event {
    @Label("Role")
    String role;

    @Label("Peer")
    String peer;

    @Label("Reason")
    String reason;

    @Label("Lifetime")
    @Timespan(Timespan.NANOSECONDS)
    long lifetime;
  }

  @Name("io.vertxrdma.Clamp")
  @Label("RDMA Parameter Clamped")
  @Category("RDMA")
  @StackTrace(false)
  private static final class ClampEvent extends Event {
    @Label("Field")
    String field;

    @Label("Wanted")
    int wanted;

    @Label("Used")
    int used;

    @Label("Reason")
    String reason;
  }
}
