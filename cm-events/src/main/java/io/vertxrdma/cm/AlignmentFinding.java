package io.vertxrdma.cm;

import java.util.Objects;

/**
 * Something that both ends' values together make likely to go wrong, found before it does.
 *
 * @param kind what it is; stable, for counters
 * @param ours this side's value that it was measured against
 * @param theirs the peer's value
 * @param text what it leads to, in words
 */
public record AlignmentFinding(Kind kind, int ours, int theirs, String text) {

  /** How loudly a finding is reported. */
  public enum Severity {
    /** Worth knowing when something is wrong; it is part of the request's line. */
    INFO,
    /** Worth a line of its own. */
    WARN
  }

  /** The kinds of findings. */
  public enum Kind {
    /** The peer means to have more READs outstanding than this side serves at once. */
    INITIATOR_DEPTH_EXCEEDS_RESPONDER_RESOURCES(Severity.WARN),
    /** The peer's retry count 0, which rules both ends: one lost packet ends the connection. */
    RETRY_COUNT_ZERO(Severity.WARN),
    /** The peer's retry count 7: every C program sends it, and an operator can't change it. */
    RETRY_COUNT_HIGHEST(Severity.INFO),
    /** The peer's RNR retry count 0: our send fails as soon as it has no receive posted. */
    RNR_RETRY_COUNT_ZERO(Severity.WARN),
    /** The peer's RNR retry count 7: our sends wait for its receives without an end. */
    RNR_RETRY_COUNT_FOREVER(Severity.INFO),
    /** Private data above {@link PrivateDataLimits#ADVISED} bytes. */
    PRIVATE_DATA_LARGE(Severity.WARN),
    /** Private data above {@link PrivateDataLimits#WARNED} bytes. */
    PRIVATE_DATA_TOO_LARGE(Severity.WARN);

    private final Severity severity;

    Kind(Severity severity) {
      this.severity = severity;
    }

    /** How loudly it is reported. */
    public Severity severity() {
      return severity;
    }
  }

  /** Checks that nothing is missing. */
  public AlignmentFinding {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(text, "text");
  }

  /** The text. */
  @Override
  public String toString() {
    return text;
  }
}
