package io.vertxrdma.reactive.impl;

import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.ProviderSelection;
import io.vertxrdma.core.ProviderSelection.Selected;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.RdmaProviders;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The providers of one Vert.x instance, loaded once; says in the log which is used and why. */
final class ProviderRegistry {

  private static final String KEY = "io.vertxrdma.providers";
  private static final Logger LOG = LoggerFactory.getLogger(ProviderRegistry.class);

  private final Set<Selected> told = new HashSet<>();
  private ProviderSelection selection;

  private ProviderRegistry() {}

  static ProviderRegistry acquire(VertxInternal vertx, CloseFuture use) {
    return vertx.createSharedResource(KEY, KEY, use, end -> new ProviderRegistry());
  }

  /** {@link ProviderSelection#forLocal}; blocking. */
  RdmaProvider forLocal(String name, InetAddress local) {
    return select(among -> among.forLocal(name, local));
  }

  /** {@link ProviderSelection#forPeer}; blocking. */
  RdmaProvider forPeer(String name, InetAddress peer) {
    return select(among -> among.forPeer(name, peer));
  }

  private synchronized RdmaProvider select(Function<ProviderSelection, Selected> choice) {
    if (selection == null) {
      selection = new ProviderSelection(RdmaProviders.all());
    }
    Selected selected = choice.apply(selection);
    if (told.add(selected)) {
      LOG.info("RDMA provider: {} ({})", selected.provider().name(), selected.reason());
    }
    return selected.provider();
  }
}
