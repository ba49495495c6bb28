package io.vertxrdma.demos.chat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import io.vertxrdma.demos.chat.room.Hub;
import io.vertxrdma.demos.chat.web.WebPage;
import io.vertxrdma.reactive.RdmaServerOptions;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A hub with a page, over the fake native layer, on one event loop as in the command. */
final class ChatHub implements AutoCloseable {

  /** Where its RDMA end listens, at 10.0.0.1. */
  static final int PORT = 18516;

  /** Lines of a room's history. */
  static final int HISTORY = 50;

  private final FakeNativeCalls fake = new FakeNativeCalls();
  private final RdmaProvider provider = FakeProvider.over(fake);
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();
  private final int webPort;
  private Hub hub;

  ChatHub() {
    webPort =
        onLoop(
            () -> {
              hub = new Hub("lobby", HISTORY, Clock.systemUTC(), line -> {});
              Fabric fabric = new Fabric(vertx, provider, Clock.systemUTC());
              RdmaServerOptions options = new RdmaServerOptions().setMetrics(fabric);
              ChatServer server =
                  new ChatServer(vertx, provider, options, hub, new Histories(), line -> {});
              fabric.watch(server);
              return server
                  .listen(PORT, "10.0.0.1")
                  .compose(up -> new WebPage(vertx, hub, fabric).listen(0, "127.0.0.1"));
            });
  }

  /** Runs something where the hub runs. */
  <T> T onLoop(Supplier<Future<T>> work) {
    return Future.<T>future(
            promise -> context.runOnContext(start -> work.get().onComplete(promise)))
        .await();
  }

  /** To be used on the hub's event loop. */
  Hub hub() {
    return hub;
  }

  Vertx vertx() {
    return vertx;
  }

  RdmaProvider provider() {
    return provider;
  }

  int webPort() {
    return webPort;
  }

  /** A member that comes over RDMA. */
  ScriptedMember join(String nick, String... options) {
    return new ScriptedMember(provider, nick, options);
  }

  @Override
  public void close() throws TimeoutException {
    vertx.close().await(20, TimeUnit.SECONDS);
    fake.assertClean();
    fake.close();
  }
}
