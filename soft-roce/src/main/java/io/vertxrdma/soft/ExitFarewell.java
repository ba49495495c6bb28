package io.vertxrdma.soft;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.vertxrdma.soft.cm.Farewell;
import io.vertxrdma.soft.io.UnboundSender;
import io.vertxrdma.soft.transport.Engine;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says goodbye to the peers of a device when the JVM ends with connections open, as the kernel does
 * for a process with an RDMA device. Registered as a shutdown hook while there are connections, and
 * only then.
 *
 * <p>Hooks run all at once and in no order. So this one gives those of the application a while to
 * close the connections properly, and speaks for what is left. It ends in about a second whatever
 * happens.
 */
final class ExitFarewell {

  private static final Logger LOG = LoggerFactory.getLogger(ExitFarewell.class);
  private static final long FLUSH_MILLIS = 200;
  private static final long COLLECT_MILLIS = 200;

  private final OpenDevice device;
  private final EventLoop loop;
  private final long graceMillis;
  private Thread hook;
  private boolean running;

  /**
   * Makes it, not registered.
   *
   * @param graceMillis how long the application may still close connections, 0 or more; less than 0
   *     for no farewell at all
   */
  ExitFarewell(OpenDevice device, EventLoop loop, long graceMillis) {
    this.device = device;
    this.loop = loop;
    this.graceMillis = graceMillis;
  }

  /** There are connections, or there are none any more. */
  synchronized void connectionsExist(boolean any) {
    if (graceMillis < 0) {
      return;
    }
    if (!any) {
      withdraw();
    } else if (hook == null) {
      Thread thread = new Thread(this::run, "soft-rdma-exit-" + device.localAddress());
      try {
        Runtime.getRuntime().addShutdownHook(thread);
        hook = thread;
      } catch (IllegalStateException ending) {
        LOG.debug("the JVM ends already");
      }
    }
  }

  private void withdraw() {
    if (running) {
      // The application closed the last one in time.
      notifyAll();
      hook = null;
    } else if (hook != null) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException ending) {
        LOG.debug("the JVM ends already");
      }
      hook = null;
    }
  }

  /** Whether the JVM knows it; for tests. */
  synchronized boolean isRegistered() {
    return hook != null;
  }

  private void run() {
    try {
      if (mayWait()) {
        say();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failure) {
      LOG.debug("no goodbye to the peers of {}", device.localAddress(), failure);
    }
  }

  /** Waits for the application; false when it left nothing to do. */
  private synchronized boolean mayWait() throws InterruptedException {
    running = true;
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(graceMillis);
    while (hook != null) {
      long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (left <= 0) {
        return true;
      }
      wait(left);
    }
    return false;
  }

  private void say() throws InterruptedException {
    // In threads of their own: whoever ended the JVM may hold the lock or be the event loop.
    List<Farewell> all =
        within(
            COLLECT_MILLIS,
            () -> {
              List<Farewell> farewells = new ArrayList<>();
              device.execute(() -> farewells.addAll(device.agent().farewells()));
              farewells.forEach(one -> device.send(one.peer(), one.mad().duplicate()));
              return farewells;
            });
    if (all != null && !all.isEmpty() && !isFlushed()) {
      // That event loop runs no more. Java peers don't mind which port a packet comes from.
      sendUnbound(all);
    }
  }

  private void sendUnbound(List<Farewell> all) {
    InetAddress local = device.localAddress();
    try (UnboundSender sender = new UnboundSender(local, device.udpPort())) {
      for (Farewell one : all) {
        if (!one.peer().equals(local)) {
          sender.send(one.peer(), Engine.managementPacket(one.mad()));
        }
      }
    } catch (IOException e) {
      LOG.debug("no goodbye to the peers of {}: {}", local, e.toString());
    }
  }

  private static <T> T within(long millis, Supplier<T> task) throws InterruptedException {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread worker = new Thread(() -> result.complete(task.get()), "soft-rdma-farewell");
    worker.setDaemon(true);
    worker.start();
    try {
      return result.get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return null;
    }
  }

  private boolean isFlushed() throws InterruptedException {
    try {
      Future<?> behind = loop.submit(() -> {});
      return behind.await(FLUSH_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException ended) {
      return false;
    }
  }
}
