package io.vertxrdma.systemtests.contract;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server in a process of its own, to be killed or cut off: accepts everybody, prints its port,
 * and at the end of each connection how many immediates came, all of them in order.
 */
final class PeerMain {

  private PeerMain() {}

  /** Arguments: provider, address. */
  public static void main(String[] arguments) {
    // Through NIO, on JDK 17, the soft provider can't send packets whose CRC the kernel accepts.
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    RdmaServer server =
        RdmaServer.create(vertx, new RdmaServerOptions(), RdmaProviders.named(arguments[0]));
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

  /** The immediates are to be 0, 1, 2 and so on. */
  private static void count(RdmaConnection connection) {
    AtomicInteger next = new AtomicInteger();
    connection
        .immediateHandler(
            (from, value, length) -> {
              if (!next.compareAndSet(value, value + 1)) {
                System.out.println("out of order: " + value + " instead of " + next);
                System.exit(1);
              }
            })
        .closeHandler(nothing -> System.out.println("in order " + next));
  }
}
