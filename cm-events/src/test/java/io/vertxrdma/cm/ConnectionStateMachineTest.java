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
import static io.vertxrdma.cm.ConnectionStateMachine.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.CmEventType;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ConnectionStateMachineTest {

  /**
   * Calls the application or the driver of the attempt makes; the only ones that can be illegal.
   */
  private static final Set<Stimulus> CALLS =
      EnumSet.of(
          Stimulus.RESOLVE_ADDRESS,
          Stimulus.RESOLVE_ROUTE,
          Stimulus.CONNECT,
          Stimulus.ACCEPT,
          Stimulus.REJECT);

  private static final Set<CmEventType> NEVER_OURS =
      EnumSet.of(
          CmEventType.CONNECT_REQUEST,
          CmEventType.MULTICAST_JOIN,
          CmEventType.MULTICAST_ERROR,
          CmEventType.TIMEWAIT_EXIT,
          CmEventType.ADDRINFO_RESOLVED,
          CmEventType.ADDRINFO_ERROR,
          CmEventType.USER,
          CmEventType.INTERNAL,
          CmEventType.UNKNOWN);

  @ParameterizedTest
  @EnumSource(ConnectionState.class)
  void everyCellIsDecidedAndKeepsTheRules(ConnectionState state) {
    for (CmEventType event : CmEventType.values()) {
      Transition step = next(state, event);
      assertThat(step.outcome())
          .as("%s in %s", event, state)
          .isNotIn(Outcome.ILLEGAL_CALL, Outcome.PERFORM, Outcome.DISCONNECT);
      assertRules(state, step);
      if (NEVER_OURS.contains(event)) {
        assertThat(step).isEqualTo(new Transition(state, Outcome.IGNORE));
      }
    }
    for (Stimulus stimulus : Stimulus.values()) {
      Transition step = next(state, stimulus);
      assertRules(state, step);
      if (CALLS.contains(stimulus)) {
        assertThat(step.outcome())
            .as("%s in %s", stimulus, state)
            .isIn(Outcome.PERFORM, Outcome.REJECT, Outcome.ILLEGAL_CALL);
      } else {
        assertThat(step.outcome()).isNotIn(Outcome.ILLEGAL_CALL, Outcome.PERFORM);
      }
    }
  }

  private static void assertRules(ConnectionState state, Transition step) {
    assertThat(step.outcome().isTerminal()).isEqualTo(step.next() == CLOSED && state != CLOSED);
    if (step.outcome() == Outcome.IGNORE || step.outcome() == Outcome.ILLEGAL_CALL) {
      assertThat(step.next()).isEqualTo(state);
    } else {
      assertThat(step.next()).isNotEqualTo(state);
    }
    assertThat(step.outcome() == Outcome.ESTABLISHED)
        .isEqualTo(step.next() == ESTABLISHED && state != ESTABLISHED);
  }

  @Test
  void theActiveSideInItsOrdinaryLife() {
    assertThat(Role.ACTIVE.initialState()).isEqualTo(IDLE);
    assertThat(next(IDLE, Stimulus.RESOLVE_ADDRESS))
        .isEqualTo(new Transition(RESOLVING_ADDRESS, Outcome.PERFORM));
    assertThat(next(RESOLVING_ADDRESS, CmEventType.ADDR_RESOLVED))
        .isEqualTo(new Transition(ADDRESS_RESOLVED, Outcome.PROCEED_TO_ROUTE));
    assertThat(next(ADDRESS_RESOLVED, Stimulus.RESOLVE_ROUTE))
        .isEqualTo(new Transition(RESOLVING_ROUTE, Outcome.PERFORM));
    assertThat(next(RESOLVING_ROUTE, CmEventType.ROUTE_RESOLVED))
        .isEqualTo(new Transition(ROUTE_RESOLVED, Outcome.PROCEED_TO_CONNECT));
    assertThat(next(ROUTE_RESOLVED, Stimulus.CONNECT))
        .isEqualTo(new Transition(CONNECTING, Outcome.PERFORM));
    assertThat(next(CONNECTING, CmEventType.ESTABLISHED))
        .isEqualTo(new Transition(ESTABLISHED, Outcome.ESTABLISHED));
    assertThat(next(ESTABLISHED, Stimulus.CLOSE))
        .isEqualTo(new Transition(DISCONNECTING, Outcome.DISCONNECT));
    assertThat(next(DISCONNECTING, CmEventType.DISCONNECTED))
        .isEqualTo(new Transition(CLOSED, Outcome.CLOSED));
    assertThat(next(CLOSED, CmEventType.TIMEWAIT_EXIT))
        .isEqualTo(new Transition(CLOSED, Outcome.IGNORE));
  }

  @Test
  void thePassiveSideInItsOrdinaryLife() {
    assertThat(Role.PASSIVE.initialState()).isEqualTo(REQUESTED);
    assertThat(next(REQUESTED, Stimulus.ACCEPT))
        .isEqualTo(new Transition(ACCEPTING, Outcome.PERFORM));
    assertThat(ACCEPTING.mayReceive()).as("data may precede ESTABLISHED").isTrue();
    assertThat(ACCEPTING.maySend()).isFalse();
    assertThat(next(ACCEPTING, CmEventType.ESTABLISHED))
        .isEqualTo(new Transition(ESTABLISHED, Outcome.ESTABLISHED));
    assertThat(next(REQUESTED, Stimulus.REJECT)).isEqualTo(new Transition(CLOSED, Outcome.REJECT));
  }

  @ParameterizedTest
  @CsvSource({
    "ACCEPTING,DISCONNECTED,PEER_GONE",
    "ACCEPTING,REJECTED,PEER_GONE",
    "ACCEPTING,UNREACHABLE,FAIL",
    "ACCEPTING,CONNECT_ERROR,FAIL",
    "REQUESTED,DISCONNECTED,PEER_GONE",
    "CONNECTING,DISCONNECTED,PEER_GONE",
    "CONNECTING,CONNECT_RESPONSE,FAIL",
    "ESTABLISHED,DISCONNECTED,DISCONNECTED_BY_PEER",
    "ESTABLISHED,UNREACHABLE,LOST",
    "ESTABLISHED,ADDR_CHANGE,LOST",
    "DISCONNECTING,UNREACHABLE,CLOSED",
  })
  void whatEndsAConnection(ConnectionState state, CmEventType event, Outcome outcome) {
    assertThat(next(state, event)).isEqualTo(new Transition(CLOSED, outcome));
  }

  @ParameterizedTest
  @EnumSource(value = ConnectionState.class, names = "CLOSED", mode = EnumSource.Mode.EXCLUDE)
  void deviceRemovalEndsEverything(ConnectionState state) {
    assertThat(next(state, CmEventType.DEVICE_REMOVAL))
        .isEqualTo(new Transition(CLOSED, Outcome.DEVICE_REMOVED));
  }

  @ParameterizedTest
  @EnumSource(
      value = ConnectionState.class,
      names = {"ESTABLISHED", "DISCONNECTING", "CLOSED"},
      mode = EnumSource.Mode.EXCLUDE)
  void anAttemptEndsWithItsDeadlineItsCloseOrARefusedCall(ConnectionState state) {
    assertThat(state.isAttempt()).isTrue();
    assertThat(next(state, Stimulus.DEADLINE)).isEqualTo(new Transition(CLOSED, Outcome.TIMED_OUT));
    assertThat(next(state, Stimulus.CLOSE)).isEqualTo(new Transition(CLOSED, Outcome.CLOSED));
    assertThat(next(state, Stimulus.LOCAL_FAILURE)).isEqualTo(new Transition(CLOSED, Outcome.FAIL));
  }

  @Test
  void l3AnUnansweredCloseEndsWithItsDeadline() {
    assertThat(next(DISCONNECTING, Stimulus.DEADLINE))
        .isEqualTo(new Transition(CLOSED, Outcome.CLOSE_TIMED_OUT));
    assertThat(next(ESTABLISHED, Stimulus.DEADLINE).outcome())
        .as("a timer that fired late")
        .isEqualTo(Outcome.IGNORE);
  }

  @Test
  void l4EventsOwedAfterCloseAreIgnored() {
    for (CmEventType owed : CmEventType.values()) {
      assertThat(next(CLOSED, owed)).isEqualTo(new Transition(CLOSED, Outcome.IGNORE));
    }
  }

  @Test
  void l6ClosingWhatThePeerClosedGivesNoSecondSignal() {
    Transition first = next(ESTABLISHED, CmEventType.DISCONNECTED);
    assertThat(first.outcome()).isEqualTo(Outcome.DISCONNECTED_BY_PEER);
    assertThat(next(first.next(), Stimulus.CLOSE).outcome()).isEqualTo(Outcome.IGNORE);

    Transition ours = next(ESTABLISHED, Stimulus.CLOSE);
    assertThat(next(ours.next(), Stimulus.CLOSE).outcome()).isEqualTo(Outcome.IGNORE);
    assertThat(next(ours.next(), Stimulus.LOCAL_FAILURE).outcome())
        .as("rdma_disconnect refused with EINVAL")
        .isEqualTo(Outcome.IGNORE);
  }

  @Test
  void l7AClientThatGaveUpFailsTheAccept() {
    Transition accepted = next(REQUESTED, Stimulus.ACCEPT);
    assertThat(next(accepted.next(), Stimulus.LOCAL_FAILURE).outcome()).isEqualTo(Outcome.FAIL);
    assertThat(next(accepted.next(), CmEventType.REJECTED).outcome()).isEqualTo(Outcome.PEER_GONE);
  }

  @ParameterizedTest
  @CsvSource({
    "CONNECTING,CONNECT",
    "ESTABLISHED,CONNECT",
    "ESTABLISHED,RESOLVE_ADDRESS",
    "RESOLVING_ADDRESS,RESOLVE_ADDRESS",
    "ACCEPTING,ACCEPT",
    "ACCEPTING,REJECT",
    "ESTABLISHED,ACCEPT",
    "REQUESTED,CONNECT",
    "CLOSED,CONNECT",
    "CLOSED,ACCEPT",
    "CLOSED,REJECT"
  })
  void p8IllegalCallsLeaveTheConnectionAlone(ConnectionState state, Stimulus call) {
    assertThat(next(state, call)).isEqualTo(new Transition(state, Outcome.ILLEGAL_CALL));
  }

  @Test
  void aTransitionCannotSignalTheEndAndStayOpen() {
    assertThatThrownBy(() -> new Transition(ESTABLISHED, Outcome.FAIL))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
