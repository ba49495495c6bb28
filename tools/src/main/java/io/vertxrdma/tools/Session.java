package io.vertxrdma.tools;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.cluster.ClusterManager;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/** Runs asynchronous work of a command on an event loop of its own, and waits for it. */
public final class Session {

  /** A command that has its result is not held up by a device that doesn't let go. */
  private static final long CLOSE_SECONDS = 10;

  private static final long BLOCKED_SECONDS = 20;

  private static final long JOIN_MINUTES = 5;

  private final VertxInternal vertx;
  private final ContextInternal context;

  private Session(VertxInternal vertx) {
    this.vertx = vertx;
    this.context = vertx.createEventLoopContext();
  }

  /**
   * Runs the work on an event loop; returns its result or throws its failure, in either case after
   * everything was closed.
   */
  public static <T> T run(Function<Session, Future<T>> work) {
    return run((VertxInternal) Vertx.vertx(options()), work);
  }

  /**
   * Runs the work as a member of a cluster.
   *
   * @param host an address of this machine at which the others of the cluster reach it
   * @throws CommandFailure when there is no joining the cluster
   */
  public static <T> T run(ClusterManager manager, String host, Function<Session, Future<T>> work) {
    // Joining blocks a worker, on an emulated machine for minutes: nothing to report either.
    VertxOptions options =
        options()
            .setMaxWorkerExecuteTimeUnit(TimeUnit.MINUTES)
            .setMaxWorkerExecuteTime(JOIN_MINUTES);
    options.getEventBusOptions().setHost(host).setClusterPublicHost(host);
    Vertx vertx;
    try {
      vertx = Vertx.builder().with(options).withClusterManager(manager).buildClustered().await();
    } catch (RuntimeException failure) {
      throw new CommandFailure("no cluster: " + failure.getMessage());
    }
    return run((VertxInternal) vertx, work);
  }

  private static VertxOptions options() {
    // The native transport lets the RDMA descriptors live in this very event loop.
    return new VertxOptions()
        .setEventLoopPoolSize(1)
        .setPreferNativeTransport(true)
        // Loading classes alone takes seconds on an emulated machine; that is nothing to
        // report.
        .setMaxEventLoopExecuteTimeUnit(TimeUnit.SECONDS)
        .setMaxEventLoopExecuteTime(BLOCKED_SECONDS);
  }

  private static <T> T run(VertxInternal vertx, Function<Session, Future<T>> work) {
    Session session = new Session(vertx);
    try {
      return session.onLoop(() -> work.apply(session)).await();
    } finally {
      session.close();
    }
  }

  private void close() {
    try {
      vertx.close().await(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      LoggerFactory.getLogger(Session.class)
          .warn("not everything was closed within {} seconds", CLOSE_SECONDS);
    }
  }

  /** Runs work on the event loop. */
  public <T> Future<T> onLoop(Supplier<Future<T>> work) {
    return Future.future(
        promise ->
            context.runOnContext(
                start -> {
                  try {
                    work.get().onComplete(promise);
                  } catch (Throwable failure) {
                    promise.fail(failure);
                  }
                }));
  }

  /** The Vert.x of this command. */
  public Vertx vertx() {
    return vertx;
  }

  /** The event-loop context on which the work runs. */
  public ContextInternal context() {
    return context;
  }
}
