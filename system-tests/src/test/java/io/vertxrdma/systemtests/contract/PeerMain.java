package io.vertxrdma.systemtests.contract;

import io.vertx.core.Vertx;
import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;

/** A server in a process of its own, to be killed: accepts everybody, prints its port. */
final class PeerMain {

  private PeerMain() {}

  /** Arguments: provider, address. */
  public static void main(String[] arguments) {
    RdmaServer server =
        RdmaServer.create(
            Vertx.vertx(), new RdmaServerOptions(), RdmaProviders.named(arguments[0]));
    server.connectRequestHandler(request -> request.accept());
    server
        .listen(0, arguments[1])
        .onSuccess(listening -> System.out.println("port " + listening.actualPort()))
        .onFailure(
            failure -> {
              failure.printStackTrace();
              System.exit(1);
            });
  }
}
