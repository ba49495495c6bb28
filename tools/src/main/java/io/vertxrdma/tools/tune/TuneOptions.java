package io.vertxrdma.tools.tune;

import io.vertxrdma.tools.ProviderOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that both sides of tune take; a mixin. */
final class TuneOptions {

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = "18517",
      description = "The serving side's port; default: ${DEFAULT-VALUE}.")
  int port;

  @Option(
      names = "--timeout",
      paramLabel = "S",
      defaultValue = "60",
      description = "Seconds to wait for the other side, 1 to 600; default: ${DEFAULT-VALUE}.")
  int timeout;

  @Mixin ProviderOption provider;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Refuses numbers out of range. */
  void check() {
    range("--port", port, 1, 65_535);
    range("--timeout", timeout, 1, 600);
  }

  void range(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw wrong(name + " must be " + least + ".." + most + ", was " + value);
    }
  }

  ParameterException wrong(String sentence) {
    return new ParameterException(command.commandLine(), sentence);
  }

  int timeoutMillis() {
    return timeout * 1_000;
  }
}
