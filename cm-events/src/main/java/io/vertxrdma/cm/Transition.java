package io.vertxrdma.cm;

import java.util.Objects;

/**
 * One step of {@link ConnectionStateMachine}.
 *
 * @param next the state from now on
 * @param outcome what to do
 */
public record Transition(ConnectionState next, Outcome outcome) {

  /**
   * Checks that only terminal outcomes end a connection.
   *
   * @throws IllegalArgumentException when a terminal outcome leaves it open
   */
  public Transition {
    Objects.requireNonNull(next, "next");
    Objects.requireNonNull(outcome, "outcome");
    if (outcome.isTerminal() && !next.isTerminal()) {
      throw new IllegalArgumentException(outcome + " must end the connection, not lead to " + next);
    }
  }
}
