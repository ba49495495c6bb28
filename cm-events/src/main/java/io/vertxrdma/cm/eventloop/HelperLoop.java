package io.vertxrdma.cm.eventloop;

import io.netty.channel.IoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.TimeUnit;

/**
 * The library's own epoll loop, one for each Vert.x instance whose transport is not epoll; it lives
 * as long as somebody uses it.
 */
final class HelperLoop {

  private static final String KEY = "io.vertxrdma.helper-loop";

  private final Shared shared;
  private final CloseFuture use;

  private HelperLoop(Shared shared, CloseFuture use) {
    this.shared = shared;
    this.use = use;
  }

  static HelperLoop acquire(VertxInternal vertx) {
    CloseFuture use = new CloseFuture();
    Shared shared =
        vertx.createSharedResource(
            KEY,
            KEY,
            use,
            end -> {
              Shared made = new Shared();
              end.add(
                  completion -> {
                    made.group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
                    completion.succeed();
                  });
              return made;
            });
    return new HelperLoop(shared, use);
  }

  IoEventLoop loop() {
    return shared.group.next();
  }

  void release() {
    use.close();
  }

  private static final class Shared {
    private final MultiThreadIoEventLoopGroup group =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("vertx-rdma-helper", true), EpollIoHandler.newFactory());
  }
}
