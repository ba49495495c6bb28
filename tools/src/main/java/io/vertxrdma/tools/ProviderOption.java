package io.vertxrdma.tools;

import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.ProviderSelection;
import io.vertxrdma.core.ProviderUnavailableException;
import io.vertxrdma.core.RdmaProvider;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.function.Function;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option that names an RDMA provider; a mixin. */
public final class ProviderOption {

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      defaultValue = ProviderSelection.AUTO,
      description = "native, soft or auto: native for addresses of RDMA devices.")
  private String name;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /**
   * The provider for listening on an address.
   *
   * @param host the local address, or null where the user didn't give one
   * @throws ProviderUnavailableException when it can't be used on this machine
   * @throws ParameterException when there is none of that name
   */
  public RdmaProvider forLocal(Environment environment, String host) {
    return select(environment, among -> among.forLocal(name, address(host)));
  }

  /**
   * The provider for connecting to an address.
   *
   * @param host the peer's address
   * @throws ProviderUnavailableException when it can't be used on this machine
   * @throws ParameterException when there is none of that name
   */
  public RdmaProvider forPeer(Environment environment, String host) {
    return select(environment, among -> among.forPeer(name, address(host)));
  }

  /**
   * The provider's device at a local address.
   *
   * @throws CommandFailure with {@link ExitCode#NO_DEVICE} when the address belongs to none
   * @throws ParameterException when the host is unknown
   */
  public DeviceContext deviceOf(RdmaProvider provider, String host) {
    return provider
        .deviceFor(address(host))
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.NO_DEVICE,
                    host + " is no address of a device of the " + provider.name() + " provider"));
  }

  private RdmaProvider select(
      Environment environment, Function<ProviderSelection, ProviderSelection.Selected> choice) {
    try {
      ProviderSelection.Selected selected =
          choice.apply(new ProviderSelection(environment.providers().get()));
      // Not a constant: that would configure logging before the options that say how are read.
      LoggerFactory.getLogger(ProviderOption.class)
          .info("RDMA provider: {} ({})", selected.provider().name(), selected.reason());
      return selected.provider();
    } catch (IllegalArgumentException unknown) {
      throw new ParameterException(command.commandLine(), unknown.getMessage());
    }
  }

  private InetAddress address(String host) {
    if (host == null) {
      return null;
    }
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException unknown) {
      throw new ParameterException(command.commandLine(), "can't resolve host " + host);
    }
  }
}
