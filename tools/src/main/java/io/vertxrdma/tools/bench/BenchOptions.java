package io.vertxrdma.tools.bench;

import io.vertxrdma.reactive.RdmaOptions;
import io.vertxrdma.tools.ProviderOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that both sides of a measurement take; a mixin. */
final class BenchOptions {

  /** Bytes of each side's inbox, and so of a write at most. */
  static final int INBOX = 1 << 16;

  /** The pollSpinMicros of {@code --spin} without a number. */
  static final String DEFAULT_SPIN = "1000";

  /** RNR timer code 1, 0.01 ms: otherwise one missing receive would decide the figure. */
  static final int RNR_TIMER = 1;

  @Option(
      names = "--address",
      required = true,
      paramLabel = "A",
      description = "Address of the serving side's RDMA device.")
  String address;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = "18515",
      description = "Its port; default: ${DEFAULT-VALUE}.")
  int port;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Immediates in each direction; default: ${DEFAULT-VALUE}.")
  int count;

  @Option(
      names = "--length",
      paramLabel = "L",
      defaultValue = "8",
      description = "Bytes written with each, 0 to 65536; default: ${DEFAULT-VALUE}.")
  int length;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "pingpong",
      description = "pingpong or rate; default: ${DEFAULT-VALUE}.")
  Mode mode;

  @Option(
      names = "--check",
      description = "Fill and compare the data of each write, on both sides; pingpong only.")
  boolean check;

  @Option(
      names = "--spin",
      arity = "0..1",
      fallbackValue = DEFAULT_SPIN,
      defaultValue = "0",
      paramLabel = "MICROS",
      description =
          "Keep polling that long before sleeping, up to 10000; alone: " + DEFAULT_SPIN + ".")
  int spin;

  @Option(
      names = "--timeout",
      paramLabel = "S",
      defaultValue = "60",
      description =
          "Seconds to wait for the peer, and again for the end; default: ${DEFAULT-VALUE}.")
  int timeout;

  @Mixin ProviderOption provider;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Refuses numbers out of range. */
  void check() {
    range("--port", port, 1, 65_535);
    range("--count", count, 1, Integer.MAX_VALUE);
    range("--length", length, 0, INBOX);
    range("--spin", spin, 0, 10_000);
    range("--timeout", timeout, 1, 86_400);
    if (check && mode != Mode.PINGPONG) {
      throw new ParameterException(
          command.commandLine(),
          "--check needs --mode pingpong: otherwise writes replace each other unseen");
    }
  }

  private void range(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          command.commandLine(), name + " must be " + least + ".." + most + ", was " + value);
    }
  }

  <T extends RdmaOptions<T>> T apply(T options) {
    return options
        .setPollSpinMicros(spin)
        .setParameters(options.getParameters().withMinRnrTimer(RNR_TIMER));
  }

  /** The first words of a figure, for example {@code rate event}. */
  String label() {
    return mode + (spin == 0 ? " event" : " spin");
  }

  long timeoutMillis() {
    return timeout * 1_000L;
  }

  /** The same for one step of connecting, for which the library takes ten minutes at most. */
  int stepMillis() {
    return Math.min(timeout, 600) * 1_000;
  }
}
