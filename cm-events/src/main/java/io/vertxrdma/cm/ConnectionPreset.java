package io.vertxrdma.cm;

import java.util.Arrays;
import java.util.Locale;

/**
 * The names of the presets, for configuration files. What is in each, and why, is told at the
 * constant of {@link ConnectionParameters} of the same name.
 */
public enum ConnectionPreset {
  /** {@link ConnectionParameters#WRITE_WITH_IMMEDIATE}. */
  WRITE_WITH_IMMEDIATE(ConnectionParameters.WRITE_WITH_IMMEDIATE),
  /** {@link ConnectionParameters#SEND_RECEIVE}. */
  SEND_RECEIVE(ConnectionParameters.SEND_RECEIVE),
  /** {@link ConnectionParameters#READ_HEAVY}. */
  READ_HEAVY(ConnectionParameters.READ_HEAVY),
  /** {@link ConnectionParameters#LOSSY_ROCE}. */
  LOSSY_ROCE(ConnectionParameters.LOSSY_ROCE),
  /** {@link ConnectionParameters#FAIL_FAST}. */
  FAIL_FAST(ConnectionParameters.FAIL_FAST);

  private final ConnectionParameters parameters;

  ConnectionPreset(ConnectionParameters parameters) {
    this.parameters = parameters;
  }

  /** The parameters. */
  public ConnectionParameters parameters() {
    return parameters;
  }

  /** The name in JSON, for example {@code write-with-immediate}. */
  public String jsonName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The preset of a JSON name, upper or lower case.
   *
   * @throws IllegalArgumentException for any other name; the message lists those there are
   */
  public static ConnectionPreset ofJsonName(String name) {
    for (ConnectionPreset preset : values()) {
      if (preset.jsonName().equalsIgnoreCase(name)) {
        return preset;
      }
    }
    throw new IllegalArgumentException(
        "unknown preset \""
            + name
            + "\"; there are "
            + Arrays.stream(values()).map(ConnectionPreset::jsonName).toList());
  }
}
