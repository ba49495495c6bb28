package io.vertxrdma.tools.ping;

import io.vertxrdma.tools.ProviderOption;
import java.net.InetSocketAddress;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that both sides of a ping take; a mixin. */
final class PingOptions {

  private static final int LEAST_SIZE = 32;
  private static final int MOST_SIZE = 1 << 20;

  @Option(
      names = "--address",
      required = true,
      paramLabel = "A",
      description = "Address of the serving side's RDMA device.")
  String address;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = "7174",
      description = "Its port; default: ${DEFAULT-VALUE}, which is rping's.")
  int port;

  @Option(
      names = {"-S", "--size"},
      paramLabel = "N",
      defaultValue = "64",
      description =
          "Bytes of a ping, 32 to 1048576, the same on both sides; default: ${DEFAULT-VALUE}.")
  int size;

  @Option(
      names = "--timeout",
      paramLabel = "S",
      defaultValue = "60",
      description =
          "Seconds to wait for the peer, and again for the end, 1 to 600; default: ${DEFAULT-VALUE}.")
  int timeout;

  @Mixin ProviderOption provider;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Refuses numbers out of range. */
  void check() {
    range("--port", port, 1, 65_535);
    range("--size", size, LEAST_SIZE, MOST_SIZE);
    range("--timeout", timeout, 1, 600);
  }

  void range(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          command.commandLine(), name + " must be " + least + ".." + most + ", was " + value);
    }
  }

  InetSocketAddress socketAddress() {
    return new InetSocketAddress(address, port);
  }
}
