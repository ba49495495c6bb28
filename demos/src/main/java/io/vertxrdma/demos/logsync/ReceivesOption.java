package io.vertxrdma.demos.logsync;

import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.demos.Arguments;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.ReceivePlan;
import io.vertxrdma.reactive.SharedReceiveOptions;
import io.vertxrdma.tools.CommandFailure;
import io.vertxrdma.tools.ExitCode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How many receives there are for how many clients; a mixin. */
final class ReceivesOption {

  /** What {@code --srq} knows. */
  static final String AUTO = "auto";

  private static final int MOST_CLIENTS = 1_024;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "8",
      description = "Clients at once; default: ${DEFAULT-VALUE}.")
  int clients;

  @Option(
      names = "--inflight",
      paramLabel = "N",
      defaultValue = "512",
      description = "Segments that each may have under way; default: ${DEFAULT-VALUE}.")
  int inflight;

  @Option(names = "--receives", paramLabel = "N", description = "Receives that all clients share.")
  Integer receives;

  @Option(
      names = "--srq",
      paramLabel = AUTO,
      description =
          "With auto there are as many shared receives as clients times segments under way.")
  String srq;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Refuses what is out of range. */
  void check() {
    Arguments.range(command, "--clients", clients, 1, MOST_CLIENTS);
    Arguments.range(command, "--inflight", inflight, 1, Greeting.MAX_WINDOW);
    if (receives != null) {
      Arguments.range(command, "--receives", receives, 1, 1 << 20);
    }
    if (srq != null && !srq.equals(AUTO)) {
      throw Arguments.wrong(command, "--srq knows auto, was " + srq);
    }
    try {
      plan();
    } catch (IllegalArgumentException tooMany) {
      throw Arguments.wrong(command, tooMany.getMessage());
    }
  }

  private ReceivePlan plan() {
    return new ReceivePlan(clients, inflight);
  }

  /** Receives in all, with {@code --srq auto}. */
  int planned() {
    return plan().receives();
  }

  /** A server's options: with the receives given, or else with those of the plan. */
  RdmaServerOptions apply(RdmaProvider provider, String address) {
    RdmaServerOptions options = new RdmaServerOptions();
    if (receives != null) {
      return options.setSharedReceives(
          new SharedReceiveOptions().setDepth(receives).setMaxDepth(receives));
    }
    try {
      return plan().shared(options, device(provider, address).attributes());
    } catch (IllegalArgumentException tooMuch) {
      throw new CommandFailure(tooMuch.getMessage());
    }
  }

  private static DeviceContext device(RdmaProvider provider, String address) {
    try {
      InetAddress local = InetAddress.getByName(address);
      return (local.isAnyLocalAddress()
              ? provider.devices().stream().findFirst()
              : provider.deviceFor(local))
          .orElseThrow(
              () ->
                  new CommandFailure(
                      ExitCode.NO_DEVICE,
                      address
                          + " is no address of a device of the "
                          + provider.name()
                          + " provider"));
    } catch (UnknownHostException unknown) {
      throw new CommandFailure("can't resolve host " + address);
    }
  }
}
