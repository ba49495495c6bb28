package io.vertxrdma.demos.chat;

import io.vertxrdma.demos.Arguments;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that says how soon a dead peer is looked for; a mixin. */
final class HeartbeatOption {

  private static final int MAX = 3_600_000;

  @Option(
      names = "--heartbeat",
      paramLabel = "MS",
      defaultValue = "2000",
      description =
          "Milliseconds of silence after which to see whether the other end is still there, 0 for"
              + " never; default: ${DEFAULT-VALUE}.")
  private int millis;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Refuses what is out of range. */
  void check() {
    Arguments.range(command, "--heartbeat", millis, 0, MAX);
  }

  /** The interval, 0..3600000. */
  int millis() {
    check();
    return millis;
  }
}
