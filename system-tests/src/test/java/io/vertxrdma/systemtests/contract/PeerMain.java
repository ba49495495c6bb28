package io.vertxrdma.systemtests.contract;

import io.vertx.core.Vertx;
import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server in a process of its own: accepts everybody, prints its port, takes all immediates, and
 * prints at the end of a connection how many came in order, beginning with 0.
 */
final class PeerMain {

  private PeerMain() {}

  /** Arguments: provider, address. */
  public static void main(String[] arguments) {
    RdmaServer server =
        RdmaServer.create(
            Vertx.vertx(), new RdmaServerOptions(), RdmaProviders.named(arguments[0]));
    server.connectRequestHandler(request -> request.accept().onSuccess(PeerMain::count));
    server
        .listen(0, arguments[1])
        .onSuccess(listening -> System.out.println("port " + listening.actualPort()))
        .onFailure(
            failure -> {
              failure.printStackTrace();
              System.exit(1);
            });
  }

  private static void count(RdmaConnection connection) {
    AtomicInteger next = new AtomicInteger();
    connection
        .immediateHandler((from, value, length) -> next.compareAndSet(value, value + 1))
        .closeHandler(nothing -> System.out.println("in order " + next));
  }
}
