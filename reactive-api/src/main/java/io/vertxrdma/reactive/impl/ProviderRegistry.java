package io.vertxrdma.reactive.impl;

import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.Availability;
import io.vertxrdma.core.ProviderUnavailableException;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.reactive.RdmaOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The providers of one Vert.x instance, loaded once; chooses one by name. */
final class ProviderRegistry {

  /** What a user prefers when nothing else was said: real hardware first. */
  private static final List<String> PREFERENCE = List.of("native", "soft");

  private static final String KEY = "io.vertxrdma.providers";
  private static final Logger LOG = LoggerFactory.getLogger(ProviderRegistry.class);

  private final Map<String, RdmaProvider> chosen = new HashMap<>();
  private List<RdmaProvider> all;

  private ProviderRegistry() {}

  static ProviderRegistry acquire(VertxInternal vertx, CloseFuture use) {
    return vertx.createSharedResource(KEY, KEY, use, end -> new ProviderRegistry());
  }

  /**
   * The provider for a name, or for {@code auto}. Blocking: may load libraries.
   *
   * @throws ProviderUnavailableException when it, or for {@code auto} any, can't be used
   * @throws IllegalArgumentException for a name nobody has
   */
  synchronized RdmaProvider select(String name) {
    RdmaProvider known = chosen.get(name);
    if (known != null) {
      return known;
    }
    if (all == null) {
      all = RdmaProviders.all();
    }
    RdmaProvider selected = name.equals(RdmaOptions.DEFAULT_PROVIDER) ? auto() : named(name);
    LOG.info("RDMA provider: {} ({})", selected.name(), selected.availability().reason());
    chosen.put(name, selected);
    return selected;
  }

  private RdmaProvider named(String name) {
    for (RdmaProvider provider : all) {
      if (provider.name().equals(name)) {
        if (!provider.availability().isAvailable()) {
          throw new ProviderUnavailableException(name, provider.availability());
        }
        return provider;
      }
    }
    throw new IllegalArgumentException(
        "no RDMA provider named '"
            + name
            + "' on the class path; found "
            + all.stream().map(RdmaProvider::name).toList());
  }

  private RdmaProvider auto() {
    StringBuilder reasons = new StringBuilder();
    Availability last = null;
    for (String name : PREFERENCE) {
      for (RdmaProvider provider : all) {
        if (provider.name().equals(name)) {
          last = provider.availability();
          if (last.isAvailable()) {
            return provider;
          }
          reasons.append(reasons.isEmpty() ? "" : "; ").append(name).append(": ");
          reasons.append(last.reason());
        }
      }
    }
    throw new ProviderUnavailableException(
        RdmaOptions.DEFAULT_PROVIDER,
        Availability.unavailable(
            last == null ? Availability.Cause.LIBRARY_MISSING : last.cause(),
            reasons.isEmpty() ? "no provider on the class path" : reasons.toString()));
  }
}
