package io.vertxrdma.core;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Chooses the provider: the one named, or by itself the one that a local address belongs to.
 *
 * <p>The name is, in this order: the one wanted by option unless that is {@value #AUTO}, the system
 * property {@value #PROPERTY}, the environment variable {@value #VARIABLE}, else {@value #AUTO}.
 * Automatic means: the native provider if it can be used and the local address belongs to one of
 * its devices (or nobody knows the local address, as with a wildcard), otherwise the soft one.
 *
 * <p>Immutable and thread-safe. Choosing is blocking: the first time loads libraries, and looking
 * for an address opens devices.
 */
public final class ProviderSelection {

  /** The name that means: choose by itself. */
  public static final String AUTO = "auto";

  /** The name of the provider over librdmacm. */
  public static final String NATIVE = "native";

  /** The name of the provider in software. */
  public static final String SOFT = "soft";

  /** The system property that names the provider where no option does. */
  public static final String PROPERTY = "vertx.rdma.provider";

  /** The environment variable that names the provider where neither option nor property does. */
  public static final String VARIABLE = "VERTX_RDMA_PROVIDER";

  private static final List<String> PREFERENCE = List.of(NATIVE, SOFT);

  private final List<RdmaProvider> providers;
  private final UnaryOperator<String> properties;
  private final UnaryOperator<String> variables;

  /**
   * A choice.
   *
   * @param provider the provider; it is available
   * @param reason why this one, in a few words for a person
   */
  public record Selected(RdmaProvider provider, String reason) {}

  /** What somebody asked for, and where. */
  private record Wish(String name, String source) {}

  /** Among these providers, with this process's properties and environment. */
  public ProviderSelection(List<RdmaProvider> providers) {
    this(providers, System::getProperty, System::getenv);
  }

  ProviderSelection(
      List<RdmaProvider> providers,
      UnaryOperator<String> properties,
      UnaryOperator<String> variables) {
    this.providers = List.copyOf(providers);
    this.properties = properties;
    this.variables = variables;
  }

  /**
   * The provider for listening on, or connecting from, a local address.
   *
   * @param wanted a provider's name or {@value #AUTO}
   * @param local the address; null or a wildcard if it isn't known
   * @throws ProviderUnavailableException when the one named, or for {@value #AUTO} any, can't be
   *     used
   * @throws IllegalArgumentException for a name no provider has; the message lists those there are
   */
  public Selected forLocal(String wanted, InetAddress local) {
    Wish wish = wish(wanted);
    if (!wish.name().equals(AUTO)) {
      return named(wish);
    }
    return local == null || local.isAnyLocalAddress() ? anywhere() : at(local);
  }

  /**
   * The provider for connecting to a peer from whatever local address this host's routes choose.
   *
   * @param wanted a provider's name or {@value #AUTO}
   * @param peer the peer's address
   * @throws ProviderUnavailableException when the one named, or for {@value #AUTO} any, can't be
   *     used
   * @throws IllegalArgumentException for a name no provider has; the message lists those there are
   */
  public Selected forPeer(String wanted, InetAddress peer) {
    Wish wish = wish(wanted);
    return wish.name().equals(AUTO) ? forLocal(wanted, localAddressTo(peer)) : named(wish);
  }

  /** The provider's name that counts, {@value #AUTO} if neither option nor setting names one. */
  public String nameFor(String wanted) {
    return wish(wanted).name();
  }

  /** Why none of the providers works, in one sentence. */
  public static String reasons(List<RdmaProvider> providers) {
    if (providers.isEmpty()) {
      return "no provider is on the class path";
    }
    StringBuilder reasons = new StringBuilder();
    for (RdmaProvider provider : providers) {
      reasons.append(reasons.isEmpty() ? "" : "; ").append(provider.name()).append(": ");
      reasons.append(provider.availability().reason());
    }
    return reasons.toString();
  }

  private Wish wish(String wanted) {
    Objects.requireNonNull(wanted, "wanted");
    if (!wanted.equals(AUTO)) {
      return new Wish(wanted, "as asked");
    }
    String property = properties.apply(PROPERTY);
    if (property != null && !property.isBlank()) {
      return new Wish(property.trim(), "by system property " + PROPERTY);
    }
    String variable = variables.apply(VARIABLE);
    if (variable != null && !variable.isBlank()) {
      return new Wish(variable.trim(), "by environment variable " + VARIABLE);
    }
    return new Wish(AUTO, "");
  }

  private Selected named(Wish wish) {
    RdmaProvider provider = find(wish.name());
    if (provider == null) {
      throw new IllegalArgumentException(
          "there is no RDMA provider '"
              + wish.name()
              + "' ("
              + wish.source()
              + "), only "
              + providers.stream().map(RdmaProvider::name).toList());
    }
    if (!provider.availability().isAvailable()) {
      throw new ProviderUnavailableException(wish.name(), provider.availability());
    }
    return new Selected(provider, wish.source());
  }

  private Selected anywhere() {
    List<String> passedOver = new ArrayList<>();
    for (String name : PREFERENCE) {
      RdmaProvider provider = find(name);
      if (provider != null && provider.availability().isAvailable()) {
        return new Selected(provider, because(provider.availability().reason(), passedOver));
      }
      passedOver.add(whyNot(name, provider));
    }
    throw unavailable();
  }

  private Selected at(InetAddress local) {
    RdmaProvider hardware = find(NATIVE);
    boolean usable = hardware != null && hardware.availability().isAvailable();
    if (usable) {
      DeviceContext owner = hardware.deviceFor(local).orElse(null);
      if (owner != null) {
        return new Selected(
            hardware, local.getHostAddress() + " belongs to RDMA device " + owner.name());
      }
    }
    RdmaProvider software = find(SOFT);
    if (software != null && software.availability().isAvailable()) {
      return new Selected(
          software,
          usable
              ? local.getHostAddress() + " belongs to no RDMA device"
              : whyNot(NATIVE, hardware));
    }
    if (usable) {
      // Its error says what is wrong with the address.
      return new Selected(hardware, hardware.availability().reason());
    }
    throw unavailable();
  }

  private static String because(String found, List<String> passedOver) {
    return passedOver.isEmpty() ? found : String.join("; ", passedOver);
  }

  private static String whyNot(String name, RdmaProvider provider) {
    return provider == null
        ? "no " + name + " provider on the class path"
        : name + ": " + provider.availability().reason();
  }

  private ProviderUnavailableException unavailable() {
    if (providers.size() == 1) {
      RdmaProvider only = providers.get(0);
      return new ProviderUnavailableException(only.name(), only.availability());
    }
    Availability.Cause cause =
        providers.stream()
            .map(provider -> provider.availability().cause())
            .filter(found -> found != Availability.Cause.AVAILABLE)
            .findFirst()
            .orElse(Availability.Cause.LIBRARY_MISSING);
    return new ProviderUnavailableException(
        AUTO, Availability.unavailable(cause, reasons(providers)));
  }

  private RdmaProvider find(String name) {
    for (RdmaProvider provider : providers) {
      if (provider.name().equals(name)) {
        return provider;
      }
    }
    return null;
  }

  /** The local address this host's routes choose for a destination; null when there is none. */
  private static InetAddress localAddressTo(InetAddress destination) {
    // Connecting a datagram socket sends nothing: it only asks the routing table.
    try (DatagramChannel probe = DatagramChannel.open()) {
      probe.connect(new InetSocketAddress(destination, 9));
      return ((InetSocketAddress) probe.getLocalAddress()).getAddress();
    } catch (IOException noRoute) {
      return null;
    }
  }
}
