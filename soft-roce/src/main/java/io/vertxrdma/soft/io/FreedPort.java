package io.vertxrdma.soft.io;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The wait for the port of a closed socket. A NIO channel that a selector knows keeps its port
 * until that selector runs next, so a closed channel alone says nothing.
 */
public final class FreedPort {

  private FreedPort() {}

  /**
   * Waits until an event loop has closed and looked at sockets after this call; not on the event
   * loop. Returns at once when the loop has ended.
   *
   * @param nanos at most this long
   * @return false when the time was not enough
   */
  public static boolean await(EventLoop loop, long nanos) throws InterruptedException {
    long until = System.nanoTime() + nanos;
    try {
      // Scheduled from here a task that is due would run among those queued already, and so before
      // the selector. Scheduled on the loop it is looked for after the sockets.
      Future<Future<?>> started =
          loop.submit(() -> loop.schedule(() -> {}, 0, TimeUnit.NANOSECONDS));
      if (!started.await(nanos, TimeUnit.NANOSECONDS)) {
        return false;
      }
      Future<?> looked = started.getNow();
      return looked == null
          || looked.await(Math.max(1, until - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException ended) {
      return true;
    }
  }
}
