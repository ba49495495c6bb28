package io.vertxrdma.tools;

import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.ProviderSelection;
import io.vertxrdma.core.RdmaProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lists the RDMA devices of this machine with their state and limits. */
@Command(
    name = "devices",
    description = "List the RDMA devices; -v lists every limit.",
    sortOptions = false)
final class DevicesCommand implements Callable<Integer> {

  private final Environment environment;

  @Option(names = "--json", description = "Print one JSON array.")
  private boolean json;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      defaultValue = ProviderSelection.AUTO,
      description = "Whose devices: native (the default), another provider's, or all.")
  private String wanted;

  @Spec private CommandSpec spec;

  DevicesCommand(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    List<RdmaProvider> all = environment.providers().get();
    String named = new ProviderSelection(all).nameFor(wanted);
    String provider = named.equals(ProviderSelection.AUTO) ? ProviderSelection.NATIVE : named;
    List<RdmaProvider> providers =
        all.stream()
            .filter(each -> provider.equals("all") || provider.equals(each.name()))
            .toList();
    if (providers.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "there is no provider '"
              + provider
              + "', only "
              + all.stream().map(RdmaProvider::name).collect(Collectors.joining(", ")));
    }
    List<DeviceReport> reports = new ArrayList<>();
    for (RdmaProvider each : providers) {
      if (each.availability().isAvailable()) {
        for (DeviceContext device : each.devices()) {
          reports.add(DeviceReport.of(each.name(), device));
        }
      }
    }
    print(reports);
    if (reports.isEmpty()) {
      throw new CommandFailure(
          ExitCode.NO_DEVICE, "no RDMA device: " + ProviderSelection.reasons(providers));
    }
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
}
