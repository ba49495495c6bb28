package io.vertxrdma.tools;

import io.vertxrdma.core.Availability;
import io.vertxrdma.core.ProviderUnavailableException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.RdmaOptions;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option that names an RDMA provider; a mixin. */
public final class ProviderOption {

  /** Real hardware first. */
  private static final List<String> PREFERENCE = List.of("native", "soft");

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      defaultValue = RdmaOptions.DEFAULT_PROVIDER,
      description = "RDMA provider; default: the first that works here.")
  private String name;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /**
   * The provider the user asked for.
   *
   * @throws ProviderUnavailableException when it can't be used on this machine
   * @throws ParameterException when there is none of that name
   */
  public RdmaProvider select(Environment environment) {
    List<RdmaProvider> all = environment.providers().get();
    if (name.equals(RdmaOptions.DEFAULT_PROVIDER)) {
      return preferred(all);
    }
    for (RdmaProvider provider : all) {
      if (provider.name().equals(name)) {
        if (!provider.availability().isAvailable()) {
          throw new ProviderUnavailableException(name, provider.availability());
        }
        return provider;
      }
    }
    throw new ParameterException(
        command.commandLine(),
        "there is no provider '"
            + name
            + "', only "
            + all.stream().map(RdmaProvider::name).collect(Collectors.joining(", ")));
  }

  private static RdmaProvider preferred(List<RdmaProvider> all) {
    for (String preferred : PREFERENCE) {
      for (RdmaProvider provider : all) {
        if (provider.name().equals(preferred) && provider.availability().isAvailable()) {
          return provider;
        }
      }
    }
    if (all.size() == 1) {
      throw new ProviderUnavailableException(all.get(0).name(), all.get(0).availability());
    }
    throw new ProviderUnavailableException(
        RdmaOptions.DEFAULT_PROVIDER,
        Availability.unavailable(Availability.Cause.NO_DEVICE, reasons(all)));
  }

  /** Why none of the providers works, in one sentence. */
  static String reasons(List<RdmaProvider> all) {
    return all.isEmpty()
        ? "no provider is on the class path"
        : all.stream()
            .map(provider -> provider.name() + ": " + provider.availability().reason())
            .collect(Collectors.joining("; "));
  }
}
