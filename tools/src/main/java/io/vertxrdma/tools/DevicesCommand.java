package io.vertxrdma.tools;

import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.RdmaProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the RDMA devices of this machine with their state, limits and counters. */
@Command(
    name = "devices",
    description = "List the RDMA devices; -v adds all limits, GIDs and counters.",
    sortOptions = false,
    footer = {
      "",
      "A soft device is an IP address of this machine. Its counters are the process's",
      "that uses it, so they are 0 here; those of a native device are the machine's."
    })
final class DevicesCommand implements Callable<Integer> {

  private final Environment environment;

  @Option(names = "--json", description = "Print one JSON array, with everything.")
  private boolean json;

  @Mixin private ProvidersOption wanted;

  @Spec private CommandSpec spec;

  DevicesCommand(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    List<RdmaProvider> providers = wanted.among(environment);
    List<DeviceReport> reports = new ArrayList<>();
    List<RdmaProvider> without = new ArrayList<>();
    for (RdmaProvider provider : providers) {
      List<DeviceContext> devices =
          provider.availability().isAvailable() ? provider.devices() : List.of();
      devices.forEach(device -> reports.add(DeviceReport.of(provider.name(), device)));
      if (devices.isEmpty()) {
        without.add(provider);
      }
    }
    print(reports);
    if (reports.isEmpty()) {
      throw ProvidersOption.noDevice(providers);
    }
    if (!json) {
      without.forEach(this::printReason);
    }
    environment.out().flush();
    return ExitCode.OK;
  }

  private void print(List<DeviceReport> reports) {
    if (json) {
      environment.out().println(DeviceReport.json(reports).encodePrettily());
    } else {
      boolean everything = Root.of(spec).isVerbose();
      reports.forEach(report -> report.print(environment.out(), everything));
    }
    environment.out().flush();
  }

  private void printReason(RdmaProvider provider) {
    String text = "No " + provider.name() + " device: " + provider.availability().reason();
    environment.out().println(TextColumns.wrapped(text, 0));
  }
}
