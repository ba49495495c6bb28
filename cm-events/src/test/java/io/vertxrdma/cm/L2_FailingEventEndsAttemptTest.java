package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.RdmaException;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class L2_FailingEventEndsAttemptTest {

  private static final Set<CmEventType> FAILURES =
      EnumSet.of(
          CmEventType.ADDR_ERROR,
          CmEventType.ROUTE_ERROR,
          CmEventType.CONNECT_ERROR,
          CmEventType.UNREACHABLE,
          CmEventType.REJECTED);

  private static final Set<ConnectionState> STAGES =
      EnumSet.range(ConnectionState.IDLE, ConnectionState.CONNECTING);

  static Stream<Arguments> eachFailureAtEachStage() {
    return STAGES.stream()
        .flatMap(stage -> FAILURES.stream().map(failure -> Arguments.of(stage, failure)));
  }

  @ParameterizedTest
  @MethodSource("eachFailureAtEachStage")
  void anAttemptFailsExactlyOnceAndTheRestIsIgnored(ConnectionState stage, CmEventType failure) {
    Transition end = ConnectionStateMachine.next(stage, failure);

    assertThat(end).isEqualTo(new Transition(ConnectionState.CLOSED, Outcome.FAIL));
    for (CmEventType late : CmEventType.values()) {
      assertThat(ConnectionStateMachine.next(end.next(), late))
          .as("%s after the end", late)
          .isEqualTo(new Transition(ConnectionState.CLOSED, Outcome.IGNORE));
    }
  }

  static Stream<Arguments> eachFailureWithEachStatus() {
    return FAILURES.stream()
        .flatMap(
            failure ->
                IntStream.of(-110, -111, -19, -99, 8, 28, 10)
                    .mapToObj(status -> Arguments.of(failure, status)));
  }

  @ParameterizedTest
  @MethodSource("eachFailureWithEachStatus")
  void theErrorCarriesEventStatusAndWords(CmEventType failure, int status) {
    RdmaException error =
        CmFailures.of(CmTestData.event(failure, status), Role.ACTIVE, "10.0.0.1:18515");

    assertThat(error.code()).isEqualTo(status);
    assertThat(error.operation()).startsWith("rdma_");
    assertThat(error.getMessage())
        .contains(failure.nativeName())
        .contains(String.valueOf(status))
        .containsPattern("\\([A-Za-z].*\\)");
  }

  @Test
  void theFirstFailureWinsWhateverComesAfter() {
    ConnectionState state = ConnectionState.IDLE;
    int terminal = 0;
    Stimulus[] calls = {Stimulus.RESOLVE_ADDRESS, Stimulus.DEADLINE, Stimulus.CLOSE};
    for (Stimulus call : calls) {
      Transition step = ConnectionStateMachine.next(state, call);
      terminal += step.outcome().isTerminal() ? 1 : 0;
      state = step.next();
    }
    assertThat(terminal).isEqualTo(1);
    assertThat(state).isEqualTo(ConnectionState.CLOSED);
  }
}
