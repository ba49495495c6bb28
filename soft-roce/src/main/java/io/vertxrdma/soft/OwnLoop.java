package io.vertxrdma.soft;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.vertxrdma.soft.io.IoHandlers;
import java.util.concurrent.TimeUnit;

/**
 * The event loop of a provider whose users have none: started for its first device, ended with its
 * last.
 */
final class OwnLoop {

  private EventLoopGroup group;
  private int devices;

  /** The loop, counted until {@link #release}. */
  synchronized EventLoop acquire() {
    if (devices++ == 0) {
      group =
          new MultiThreadIoEventLoopGroup(
              1, new DefaultThreadFactory("soft-rdma", true), IoHandlers.best());
    }
    return group.next();
  }

  /** Counts a device less; what to wait for if it was the last one, else null. */
  synchronized Future<?> release() {
    if (--devices != 0) {
      return null;
    }
    Future<?> ended = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    group = null;
    return ended;
  }
}
