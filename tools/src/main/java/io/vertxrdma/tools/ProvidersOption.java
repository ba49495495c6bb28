package io.vertxrdma.tools;

import io.vertxrdma.core.ProviderSelection;
import io.vertxrdma.core.RdmaProvider;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option that narrows a command down to one provider's devices; a mixin. */
public final class ProvidersOption {

  private static final String ALL = "all";

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      defaultValue = ProviderSelection.AUTO,
      description = "Only devices of native or of soft. Default: of all.")
  private String name;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /**
   * The providers meant, usable or not: the one named by option, system property or environment
   * variable, else all.
   *
   * @throws ParameterException when there is none of that name
   */
  public List<RdmaProvider> among(Environment environment) {
    List<RdmaProvider> all = environment.providers().get();
    String named = new ProviderSelection(all).nameFor(name);
    if (named.equals(ProviderSelection.AUTO) || named.equals(ALL)) {
      return all;
    }
    List<RdmaProvider> one = all.stream().filter(each -> named.equals(each.name())).toList();
    if (one.isEmpty()) {
      throw new ParameterException(
          command.commandLine(),
          "there is no provider '"
              + named
              + "', only "
              + all.stream().map(RdmaProvider::name).collect(Collectors.joining(", ")));
    }
    return one;
  }

  /** The failure of a command that found no device. */
  public static CommandFailure noDevice(List<RdmaProvider> providers) {
    return new CommandFailure(
        ExitCode.NO_DEVICE, "no RDMA device: " + ProviderSelection.reasons(providers));
  }
}
