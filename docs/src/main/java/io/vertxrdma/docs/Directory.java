package io.vertxrdma.docs;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertxrdma.directory.EndpointRegistration;
import io.vertxrdma.directory.RdmaDirectory;
import io.vertxrdma.directory.RdmaEndpoint;
import io.vertxrdma.reactive.RdmaServer;
import java.util.List;
import java.util.Map;

/** The examples of the chapter on the directory. */
public final class Directory {

  private Directory() {}

  /** Announces a server that listens. */
  public static Future<EndpointRegistration> announce(Vertx vertx, RdmaServer server, String host) {
    // tag::register[]
    RdmaDirectory directory = RdmaDirectory.create(vertx);
    RdmaEndpoint endpoint =
        new RdmaEndpoint("prices", host, server.actualPort(), Map.of("region", "east"));
    return directory.register(endpoint);
    // end::register[]
  }

  /** Where prices can be had, whenever that changes. */
  public static Flowable<List<RdmaEndpoint>> follow(RdmaDirectory directory) {
    // tag::watch[]
    return directory.watch("prices");
    // end::watch[]
  }
}
