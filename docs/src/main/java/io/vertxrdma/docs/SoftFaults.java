package io.vertxrdma.docs;

import io.vertx.core.Vertx;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.soft.SoftProvider;
import io.vertxrdma.soft.SoftProviderOptions;
import io.vertxrdma.soft.io.FaultInjection;
import io.vertxrdma.soft.io.Faults;

/** The example of the chapter on the soft provider. */
public final class SoftFaults {

  private SoftFaults() {}

  /** A server on a link that loses a hundredth of its packets, the same ones for the same seed. */
  public static RdmaServer unreliable(Vertx vertx, long seed) {
    // tag::faults[]
    Faults faults = Faults.dropping(0.01);
    RdmaProvider provider =
        new SoftProvider(
            new SoftProviderOptions()
                .setLinkDecorator(
                    (link, timers) -> new FaultInjection(link, timers, seed, faults)));
    RdmaServer server = RdmaServer.create(vertx, new RdmaServerOptions(), provider);
    // end::faults[]
    return server;
  }
}
