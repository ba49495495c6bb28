package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.cm.PrivateDataLimits.Operation;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.TransportType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class D3_ReplyAndRejectLimitTest {

  @ParameterizedTest
  @CsvSource({
    "ACCEPT,TCP,196,accept",
    "REJECT,TCP,148,reject",
    "ACCEPT,UDP,136,accept",
    "REJECT,UDP,136,reject"
  })
  void theLimitItselfPassesAndOneMoreDoesNot(
      Operation operation, PortSpace portSpace, int limit, String word) {
    assertThat(PrivateDataLimits.limit(operation, TransportType.ROCE, portSpace)).isEqualTo(limit);
    assertThatCode(() -> check(operation, portSpace, 0)).doesNotThrowAnyException();
    assertThatCode(() -> check(operation, portSpace, limit)).doesNotThrowAnyException();
    assertThatThrownBy(() -> check(operation, portSpace, limit + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("private data for " + word + " is limited to " + limit + " bytes")
        .hasMessageEndingWith("got " + (limit + 1));
  }

  private static void check(Operation operation, PortSpace portSpace, int length) {
    PrivateDataLimits.check(operation, TransportType.ROCE, portSpace, new byte[length]);
  }

  @Test
  void anIwarpRejectHoldsMore() {
    assertThat(PrivateDataLimits.limit(Operation.REJECT, TransportType.IWARP, PortSpace.TCP))
        .isEqualTo(252);
    assertThat(PrivateDataLimits.limit(Operation.ACCEPT, TransportType.IWARP, PortSpace.TCP))
        .isEqualTo(252);
  }

  @Test
  void afterARefused197TheRequestIsStillAnswerable() {
    ConnectionState state = Role.PASSIVE.initialState();

    assertThatThrownBy(() -> check(Operation.ACCEPT, PortSpace.TCP, 197))
        .hasMessageContaining("196")
        .hasMessageContaining("197");
    check(Operation.ACCEPT, PortSpace.TCP, 10);

    assertThat(ConnectionStateMachine.next(state, Stimulus.ACCEPT))
        .isEqualTo(new Transition(ConnectionState.ACCEPTING, Outcome.PERFORM));
  }
}
