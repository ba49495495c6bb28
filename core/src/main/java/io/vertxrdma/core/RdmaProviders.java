package io.vertxrdma.core;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the providers on the class path. */
public final class RdmaProviders {

  private RdmaProviders() {}

  /** All providers that {@link ServiceLoader} finds, available or not. */
  public static List<RdmaProvider> all() {
    List<RdmaProvider> found = new ArrayList<>();
    ServiceLoader.load(RdmaProvider.class, RdmaProviders.class.getClassLoader())
        .forEach(found::add);
    return List.copyOf(found);
  }

  /**
   * The provider of that name.
   *
   * @throws IllegalArgumentException when none on the class path has the name; the message lists
   *     those that are there
   */
  public static RdmaProvider named(String name) {
    List<RdmaProvider> all = all();
    return all.stream()
        .filter(provider -> provider.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no RDMA provider named '"
                        + name
                        + "' on the class path; found "
                        + all.stream().map(RdmaProvider::name).toList()));
  }
}
