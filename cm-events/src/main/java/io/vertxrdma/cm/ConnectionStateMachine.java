package io.vertxrdma.cm;

import static io.vertxrdma.cm.ConnectionState.ACCEPTING;
import static io.vertxrdma.cm.ConnectionState.ADDRESS_RESOLVED;
import static io.vertxrdma.cm.ConnectionState.CLOSED;
import static io.vertxrdma.cm.ConnectionState.CONNECTING;
import static io.vertxrdma.cm.ConnectionState.DISCONNECTING;
import static io.vertxrdma.cm.ConnectionState.ESTABLISHED;
import static io.vertxrdma.cm.ConnectionState.IDLE;
import static io.vertxrdma.cm.ConnectionState.REQUESTED;
import static io.vertxrdma.cm.ConnectionState.RESOLVING_ADDRESS;
import static io.vertxrdma.cm.ConnectionState.RESOLVING_ROUTE;
import static io.vertxrdma.cm.ConnectionState.ROUTE_RESOLVED;

import io.vertxrdma.core.CmEventType;

/**
 * The life of a connection as a pure function {@code (state, event) → transition}.
 *
 * <p>Every switch below names every constant and has no default branch, so the compiler holds the
 * table complete: an event or a state added later does not compile before it has been decided.
 *
 * <p>Rules that hold everywhere: a failure event ends an attempt once; late, duplicate, foreign and
 * unknown events are ignored; DEVICE_REMOVAL ends anything; once {@link ConnectionState#CLOSED},
 * events, close and deadlines are ignored and calls are illegal. CONNECT_REQUEST belongs to the
 * listener, whose driver makes a new connection of it; here it is ignored.
 *
 * <p>What follows which event: rdma_get_cm_event(3) and the kernel's {@code core/cma.c},
 * cma_ib_handler.
 */
public final class ConnectionStateMachine {

  private ConnectionStateMachine() {}

  /** Events and stimuli under one roof; events that mean the same everywhere are one. */
  private enum Signal {
    ADDR_RESOLVED,
    ROUTE_RESOLVED,
    RESOLUTION_ERROR,
    CONNECT_RESPONSE,
    CONNECT_ERROR,
    UNREACHABLE,
    REJECTED,
    ESTABLISHED,
    DISCONNECTED,
    DEVICE_REMOVAL,
    ADDR_CHANGE,
    NOT_OURS,
    RESOLVE_ADDRESS,
    RESOLVE_ROUTE,
    CONNECT,
    ACCEPT,
    REJECT,
    CLOSE,
    DEADLINE,
    LOCAL_FAILURE
  }

  /** What an event of the CM leads to. */
  public static Transition next(ConnectionState state, CmEventType event) {
    return next(
        state,
        switch (event) {
          case ADDR_RESOLVED -> Signal.ADDR_RESOLVED;
          case ROUTE_RESOLVED -> Signal.ROUTE_RESOLVED;
          case ADDR_ERROR, ROUTE_ERROR -> Signal.RESOLUTION_ERROR;
          case CONNECT_RESPONSE -> Signal.CONNECT_RESPONSE;
          case CONNECT_ERROR -> Signal.CONNECT_ERROR;
          case UNREACHABLE -> Signal.UNREACHABLE;
          case REJECTED -> Signal.REJECTED;
          case ESTABLISHED -> Signal.ESTABLISHED;
          case DISCONNECTED -> Signal.DISCONNECTED;
          case DEVICE_REMOVAL -> Signal.DEVICE_REMOVAL;
          case ADDR_CHANGE -> Signal.ADDR_CHANGE;
          case CONNECT_REQUEST,
                  MULTICAST_JOIN,
                  MULTICAST_ERROR,
                  TIMEWAIT_EXIT,
                  ADDRINFO_RESOLVED,
                  ADDRINFO_ERROR,
                  USER,
                  INTERNAL,
                  UNKNOWN ->
              Signal.NOT_OURS;
        });
  }

  /** What a stimulus from this side leads to. */
  public static Transition next(ConnectionState state, Stimulus stimulus) {
    return next(
        state,
        switch (stimulus) {
          case RESOLVE_ADDRESS -> Signal.RESOLVE_ADDRESS;
          case RESOLVE_ROUTE -> Signal.RESOLVE_ROUTE;
          case CONNECT -> Signal.CONNECT;
          case ACCEPT -> Signal.ACCEPT;
          case REJECT -> Signal.REJECT;
          case CLOSE -> Signal.CLOSE;
          case DEADLINE -> Signal.DEADLINE;
          case LOCAL_FAILURE -> Signal.LOCAL_FAILURE;
        });
  }

  private static Transition next(ConnectionState state, Signal signal) {
    return switch (state) {
      case IDLE -> idle(signal);
      case RESOLVING_ADDRESS -> resolvingAddress(signal);
      case ADDRESS_RESOLVED -> addressResolved(signal);
      case RESOLVING_ROUTE -> resolvingRoute(signal);
      case ROUTE_RESOLVED -> routeResolved(signal);
      case CONNECTING -> connecting(signal);
      case REQUESTED -> requested(signal);
      case ACCEPTING -> accepting(signal);
      case ESTABLISHED -> established(signal);
      case DISCONNECTING -> disconnecting(signal);
      case CLOSED -> closed(signal);
    };
  }

  /** Nothing is bound yet, so a change of addresses does not concern us. */
  private static Transition idle(Signal signal) {
    return switch (signal) {
      case RESOLVE_ADDRESS -> to(RESOLVING_ADDRESS, Outcome.PERFORM);
      case RESOLUTION_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, LOCAL_FAILURE ->
          end(Outcome.FAIL);
      case DEADLINE -> end(Outcome.TIMED_OUT);
      case DEVICE_REMOVAL -> end(Outcome.DEVICE_REMOVED);
      case CLOSE -> end(Outcome.CLOSED);
      case ADDR_RESOLVED,
              ROUTE_RESOLVED,
              CONNECT_RESPONSE,
              ESTABLISHED,
              DISCONNECTED,
              ADDR_CHANGE,
              NOT_OURS ->
          stay(IDLE, Outcome.IGNORE);
      case RESOLVE_ROUTE, CONNECT, ACCEPT, REJECT -> stay(IDLE, Outcome.ILLEGAL_CALL);
    };
  }

  private static Transition resolvingAddress(Signal signal) {
    return switch (signal) {
      case ADDR_RESOLVED -> to(ADDRESS_RESOLVED, Outcome.PROCEED_TO_ROUTE);
      case RESOLUTION_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, ADDR_CHANGE, LOCAL_FAILURE ->
          end(Outcome.FAIL);
      case DEADLINE -> end(Outcome.TIMED_OUT);
      case DEVICE_REMOVAL -> end(Outcome.DEVICE_REMOVED);
      case CLOSE -> end(Outcome.CLOSED);
      case ROUTE_RESOLVED, CONNECT_RESPONSE, ESTABLISHED, DISCONNECTED, NOT_OURS ->
          stay(RESOLVING_ADDRESS, Outcome.IGNORE);
      case RESOLVE_ADDRESS, RESOLVE_ROUTE, CONNECT, ACCEPT, REJECT ->
          stay(RESOLVING_ADDRESS, Outcome.ILLEGAL_CALL);
    };
  }

  private static Transition addressResolved(Signal signal) {
    return switch (signal) {
      case RESOLVE_ROUTE -> to(RESOLVING_ROUTE, Outcome.PERFORM);
      case RESOLUTION_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, ADDR_CHANGE, LOCAL_FAILURE ->
          end(Outcome.FAIL);
      case DEADLINE -> end(Outcome.TIMED_OUT);
      case DEVICE_REMOVAL -> end(Outcome.DEVICE_REMOVED);
      case CLOSE -> end(Outcome.CLOSED);
      case ADDR_RESOLVED, ROUTE_RESOLVED, CONNECT_RESPONSE, ESTABLISHED, DISCONNECTED, NOT_OURS ->
          stay(ADDRESS_RESOLVED, Outcome.IGNORE);
      case RESOLVE_ADDRESS, CONNECT, ACCEPT, REJECT -> stay(ADDRESS_RESOLVED, Outcome.ILLEGAL_CALL);
    };
  }

  private static Transition resolvingRoute(Signal signal) {
    return switch (signal) {
      case ROUTE_RESOLVED -> to(ROUTE_RESOLVED, Outcome.PROCEED_TO_CONNECT);
      case RESOLUTION_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, ADDR_CHANGE, LOCAL_FAILURE ->
          end(Outcome.FAIL);
      case DEADLINE -> end(Outcome.TIMED_OUT);
      case DEVICE_REMOVAL -> end(Outcome.DEVICE_REMOVED);
      case CLOSE -> end(Outcome.CLOSED);
      case ADDR_RESOLVED, CONNECT_RESPONSE, ESTABLISHED, DISCONNECTED, NOT_OURS ->
          stay(RESOLVING_ROUTE, Outcome.IGNORE);
      case RESOLVE_ADDRESS, RESOLVE_ROUTE, CONNECT, ACCEPT, REJECT ->
          stay(RESOLVING_ROUTE, Outcome.ILLEGAL_CALL);
    };
  }

  private static Transition routeResolved(Signal signal) {
    return switch (signal) {
      case CONNECT -> to(CONNECTING, Outcome.PERFORM);
      case RESOLUTION_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, ADDR_CHANGE, LOCAL_FAILURE ->
          end(Outcome.FAIL);
      case DEADLINE -> end(Outcome.TIMED_OUT);
      case DEVICE_REMOVAL -> end(Outcome.DEVICE_REMOVED);
      case CLOSE -> end(Outcome.CLOSED);
      case ADDR_RESOLVED, ROUTE_RESOLVED, CONNECT_RESPONSE, ESTABLISHED, DISCONNECTED, NOT_OURS ->
          stay(ROUTE_RESOLVED, Outcome.IGNORE);
      case RESOLVE_ADDRESS, RESOLVE_ROUTE, ACCEPT, REJECT ->
          stay(ROUTE_RESOLVED, Outcome.ILLEGAL_CALL);
    };
  }

  /**
   * CONNECT_RESPONSE comes only to an id without a queue pair and asks for a call we never make: an
   * attempt that got one would wait for ever, so it fails.
   */
  private static Transition connecting(Signal signal) {
    return switch (signal) {
      case ESTABLISHED -> to(ESTABLISHED, Outcome.ESTABLISHED);
      case RESOLUTION_ERROR,
              CONNECT_RESPONSE,
              CONNECT_ERROR,
              UNREACHABLE,
              REJECTED,
              ADDR_CHANGE,
              LOCAL_FAILURE ->
          end(Outcome.FAIL);
      case DISCONNECTED -> end(Outcome.PEER_GONE);
      case DEADLINE -> end(Outcome.TIMED_OUT);
      case DEVICE_REMOVAL -> end(Outcome.DEVICE_REMOVED);
      case CLOSE -> end(Outcome.CLOSED);
      case ADDR_RESOLVED, ROUTE_RESOLVED, NOT_OURS -> stay(CONNECTING, Outcome.IGNORE);
      case RESOLVE_ADDRESS, RESOLVE_ROUTE, CONNECT, ACCEPT, REJECT ->
          stay(CONNECTING, Outcome.ILLEGAL_CALL);
    };
  }

  /**
   * The Linux CM keeps a peer's leaving to itself until accept is called, which then fails with
   * EINVAL; another CM may tell.
   */
  private static Transition requested(Signal signal) {
    return switch (signal) {
      case ACCEPT -> to(ACCEPTING, Outcome.PERFORM);
      case REJECT -> end(Outcome.REJECT);
      case UNREACHABLE, REJECTED, DISCONNECTED -> end(Outcome.PEER_GONE);
      case CONNECT_ERROR, ADDR_CHANGE, LOCAL_FAILURE -> end(Outcome.FAIL);
      case DEADLINE -> end(Outcome.TIMED_OUT);
      case DEVICE_REMOVAL -> end(Outcome.DEVICE_REMOVED);
      case CLOSE -> end(Outcome.CLOSED);
      case ADDR_RESOLVED,
              ROUTE_RESOLVED,
              RESOLUTION_ERROR,
              CONNECT_RESPONSE,
              ESTABLISHED,
              NOT_OURS ->
          stay(REQUESTED, Outcome.IGNORE);
      case RESOLVE_ADDRESS, RESOLVE_ROUTE, CONNECT -> stay(REQUESTED, Outcome.ILLEGAL_CALL);
    };
  }

  /** UNREACHABLE here: the peer's last message of the handshake never came. */
  private static Transition accepting(Signal signal) {
    return switch (signal) {
      case ESTABLISHED -> to(ESTABLISHED, Outcome.ESTABLISHED);
      case REJECTED, DISCONNECTED -> end(Outcome.PEER_GONE);
      case CONNECT_ERROR, UNREACHABLE, ADDR_CHANGE, LOCAL_FAILURE -> end(Outcome.FAIL);
      case DEADLINE -> end(Outcome.TIMED_OUT);
      case DEVICE_REMOVAL -> end(Outcome.DEVICE_REMOVED);
      case CLOSE -> end(Outcome.CLOSED);
      case ADDR_RESOLVED, ROUTE_RESOLVED, RESOLUTION_ERROR, CONNECT_RESPONSE, NOT_OURS ->
          stay(ACCEPTING, Outcome.IGNORE);
      case RESOLVE_ADDRESS, RESOLVE_ROUTE, CONNECT, ACCEPT, REJECT ->
          stay(ACCEPTING, Outcome.ILLEGAL_CALL);
    };
  }

  /** UNREACHABLE and ADDR_CHANGE here: the peer's or our own address moved (RoCE, bonding). */
  private static Transition established(Signal signal) {
    return switch (signal) {
      case DISCONNECTED -> end(Outcome.DISCONNECTED_BY_PEER);
      case CONNECT_ERROR, UNREACHABLE, REJECTED, ADDR_CHANGE, LOCAL_FAILURE -> end(Outcome.LOST);
      case DEVICE_REMOVAL -> end(Outcome.DEVICE_REMOVED);
      case CLOSE -> to(DISCONNECTING, Outcome.DISCONNECT);
      case ADDR_RESOLVED,
              ROUTE_RESOLVED,
              RESOLUTION_ERROR,
              CONNECT_RESPONSE,
              ESTABLISHED,
              NOT_OURS,
              DEADLINE ->
          stay(ESTABLISHED, Outcome.IGNORE);
      case RESOLVE_ADDRESS, RESOLVE_ROUTE, CONNECT, ACCEPT, REJECT ->
          stay(ESTABLISHED, Outcome.ILLEGAL_CALL);
    };
  }

  /**
   * Whatever says that the peer is no longer there is the answer we wait for. A refused
   * rdma_disconnect means that the peer was first; its event is on the way.
   */
  private static Transition disconnecting(Signal signal) {
    return switch (signal) {
      case DISCONNECTED, CONNECT_ERROR, UNREACHABLE, REJECTED, ADDR_CHANGE -> end(Outcome.CLOSED);
      case DEADLINE -> end(Outcome.CLOSE_TIMED_OUT);
      case DEVICE_REMOVAL -> end(Outcome.DEVICE_REMOVED);
      case ADDR_RESOLVED,
              ROUTE_RESOLVED,
              RESOLUTION_ERROR,
              CONNECT_RESPONSE,
              ESTABLISHED,
              NOT_OURS,
              CLOSE,
              LOCAL_FAILURE ->
          stay(DISCONNECTING, Outcome.IGNORE);
      case RESOLVE_ADDRESS, RESOLVE_ROUTE, CONNECT, ACCEPT, REJECT ->
          stay(DISCONNECTING, Outcome.ILLEGAL_CALL);
    };
  }

  private static Transition closed(Signal signal) {
    return switch (signal) {
      case ADDR_RESOLVED,
              ROUTE_RESOLVED,
              RESOLUTION_ERROR,
              CONNECT_RESPONSE,
              CONNECT_ERROR,
              UNREACHABLE,
              REJECTED,
              ESTABLISHED,
              DISCONNECTED,
              DEVICE_REMOVAL,
              ADDR_CHANGE,
              NOT_OURS,
              CLOSE,
              DEADLINE,
              LOCAL_FAILURE ->
          stay(CLOSED, Outcome.IGNORE);
      case RESOLVE_ADDRESS, RESOLVE_ROUTE, CONNECT, ACCEPT, REJECT ->
          stay(CLOSED, Outcome.ILLEGAL_CALL);
    };
  }

  private static Transition to(ConnectionState next, Outcome outcome) {
    return new Transition(next, outcome);
  }

  private static Transition stay(ConnectionState state, Outcome outcome) {
    return new Transition(state, outcome);
  }

  private static Transition end(Outcome outcome) {
    return new Transition(CLOSED, outcome);
  }
}
