package io.vertxrdma.cm;

import java.util.Objects;

/**
 * One wish that negotiation did not grant as it was.
 *
 * @param field the property of {@link ConnectionParameters}
 * @param wanted what was asked for
 * @param used what is used
 * @param reason which limit it was, in words
 * @param severity how loudly to report it
 */
public record Adjustment(String field, int wanted, int used, String reason, Severity severity) {

  /** How much an adjustment matters. */
  public enum Severity {
    /** Nothing the application asked for on purpose was lost. */
    INFO,
    /** The application gets less than it asked for. */
    WARN
  }

  /** Checks that nothing is missing. */
  public Adjustment {
    Objects.requireNonNull(field, "field");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(severity, "severity");
  }

  /** For example {@code initiatorDepth: wanted 32, used 16 (device maximum ... is 16)}. */
  @Override
  public String toString() {
    return field + ": wanted " + wanted + ", used " + used + " (" + reason + ")";
  }
}
