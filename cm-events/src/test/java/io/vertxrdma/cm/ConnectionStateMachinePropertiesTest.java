package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.CmEventType;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;

class ConnectionStateMachinePropertiesTest {

  @Provide
  Arbitrary<List<Object>> inputs() {
    Arbitrary<Object> events = Arbitraries.of(CmEventType.class).map(Object.class::cast);
    Arbitrary<Object> calls = Arbitraries.of(Stimulus.class).map(Object.class::cast);
    return Arbitraries.oneOf(events, calls).list().ofMaxSize(60);
  }

  /** Sequences that get far: what advances is more likely than what ends. */
  @Provide
  Arbitrary<List<Object>> advancing() {
    Arbitrary<Object> forward =
        Arbitraries.<Object>of(
            Stimulus.RESOLVE_ADDRESS,
            CmEventType.ADDR_RESOLVED,
            Stimulus.RESOLVE_ROUTE,
            CmEventType.ROUTE_RESOLVED,
            Stimulus.CONNECT,
            Stimulus.ACCEPT,
            CmEventType.ESTABLISHED);
    return Arbitraries.frequencyOf(
            Tuple.of(30, forward),
            Tuple.of(1, Arbitraries.of(CmEventType.class).map(Object.class::cast)),
            Tuple.of(1, Arbitraries.of(Stimulus.class).map(Object.class::cast)))
        .list()
        .ofMinSize(40)
        .ofMaxSize(200);
  }

  @Property
  void anySequenceHasAtMostOneTerminalOutcome(
      @ForAll Role role, @ForAll("inputs") List<Object> inputs) {
    assertOneEnd(role, inputs);
  }

  @Property
  void longSequencesToo(@ForAll Role role, @ForAll("advancing") List<Object> inputs) {
    Statistics.collect(assertOneEnd(role, inputs));
  }

  private static ConnectionState assertOneEnd(Role role, List<Object> inputs) {
    ConnectionState state = role.initialState();
    List<Outcome> outcomes = new ArrayList<>();
    for (Object input : inputs) {
      Transition step =
          input instanceof CmEventType event
              ? ConnectionStateMachine.next(state, event)
              : ConnectionStateMachine.next(state, (Stimulus) input);
      if (state.isTerminal()) {
        assertThat(step.next()).isEqualTo(state);
        assertThat(step.outcome()).isIn(Outcome.IGNORE, Outcome.ILLEGAL_CALL);
      }
      outcomes.add(step.outcome());
      state = step.next();
    }
    assertThat(outcomes.stream().filter(Outcome::isTerminal).count())
        .isEqualTo(state.isTerminal() ? 1 : 0);
    assertThat(outcomes.stream().filter(o -> o == Outcome.ESTABLISHED).count())
        .isLessThanOrEqualTo(1);
    assertThat(outcomes.stream().filter(o -> o == Outcome.DISCONNECT).count())
        .isLessThanOrEqualTo(1);
    return state;
  }
}
