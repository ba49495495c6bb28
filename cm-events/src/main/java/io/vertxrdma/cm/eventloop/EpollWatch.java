package io.vertxrdma.cm.eventloop;

import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.core.EventSource;

/**
 * Watches a descriptor with a Netty epoll loop: the context's own, or a helper loop.
 *
 * <p>With a helper loop interest is withdrawn while the context drains, otherwise the
 * level-triggered descriptor would keep the helper spinning.
 */
final class EpollWatch implements EventSourceWatch, EpollIoHandle {

  private final IoEventLoop loop;
  private final ContextInternal context;
  private final boolean sameLoop;
  private final Runnable drain;
  private final Runnable afterStop;
  private final FileDescriptor descriptor;
  private final Promise<Void> unregistered;
  private final Promise<Void> stopped;
  private IoRegistration registration;
  private volatile boolean stopping;

  private EpollWatch(
      IoEventLoop loop,
      ContextInternal context,
      EventSource source,
      Runnable drain,
      Runnable afterStop) {
    this.loop = loop;
    this.context = context;
    this.sameLoop = context.nettyEventLoop() == loop;
    this.drain = drain;
    this.afterStop = afterStop;
    // Not closed through this object: the descriptor belongs to the source.
    this.descriptor = new FileDescriptor(source.fileDescriptor());
    this.unregistered = context.promise();
    this.stopped = context.promise();
    unregistered
        .future()
        .onComplete(
            done -> {
              afterStop.run();
              stopped.tryComplete();
            });
  }

  static boolean isAvailable() {
    return Epoll.isAvailable();
  }

  static boolean isEpoll(EventLoop loop) {
    return isAvailable() && loop instanceof IoEventLoop io && io.isCompatible(EpollIoHandle.class);
  }

  static void start(
      IoEventLoop loop,
      ContextInternal context,
      EventSource source,
      Runnable drain,
      Runnable afterStop,
      Promise<EventSourceWatch> started) {
    EpollWatch watch = new EpollWatch(loop, context, source, drain, afterStop);
    loop.register(watch)
        .addListener(
            (io.netty.util.concurrent.Future<IoRegistration> done) -> {
              if (!done.isSuccess()) {
                afterStop.run();
                started.fail(done.cause());
                return;
              }
              // Interest only after registration: the other order loses the first event.
              watch.registration = done.getNow();
              watch.registration.submit(EpollIoOps.EPOLLIN);
              started.complete(watch);
            });
  }

  @Override
  public FileDescriptor fd() {
    return descriptor;
  }

  @Override
  public void handle(IoRegistration from, IoEvent event) {
    // Must not throw: an exception here puts the whole loop to sleep for a second.
    try {
      if (stopping) {
        return;
      }
      if (sameLoop) {
        context.emit(null, nothing -> drainIfLive());
      } else {
        registration.submit(EpollIoOps.valueOf(0));
        context.emit(null, nothing -> drainThenWatchAgain());
      }
    } catch (Throwable failure) {
      context.reportException(failure);
    }
  }

  private void drainThenWatchAgain() {
    try {
      drainIfLive();
    } catch (Throwable failure) {
      context.reportException(failure);
    }
    loop.execute(
        () -> {
          if (!stopping && registration.isValid()) {
            registration.submit(EpollIoOps.EPOLLIN);
          }
        });
  }

  private void drainIfLive() {
    if (!stopping) {
      drain.run();
    }
  }

  @Override
  public void unregistered() {
    unregistered.tryComplete();
  }

  @Override
  public void close() {
    // Called when the loop itself shuts down; the source keeps its descriptor.
    unregistered.tryComplete();
  }

  @Override
  public Future<Void> stop() {
    if (!stopping) {
      stopping = true;
      Runnable cancel =
          () -> {
            if (!registration.cancel()) {
              unregistered.tryComplete();
            }
          };
      if (loop.isShuttingDown()) {
        unregistered.tryComplete();
      } else if (loop.inEventLoop()) {
        cancel.run();
      } else {
        loop.execute(cancel);
      }
    }
    return stopped.future();
  }
}
