package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import io.reactivex.rxjava3.plugins.RxJavaPlugins;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.nativeverbs.FakeCall;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The public API over a fake library. Closing it closes Vert.x with all that was opened on it, and
 * then nothing native may live, nothing may have been misused, every event must be acknowledged,
 * and no exception may have got lost in an event loop or in RxJava.
 */
public final class Bench implements AutoCloseable {

  /** The event loops under test: Netty's epoll, or NIO with the library's helper loop. */
  public enum Transport {
    /** The descriptors are in the application's own loop. */
    EPOLL,
    /** The descriptors are in the helper loop. */
    NIO
  }

  /** An address of the fake's device. */
  public static final String HOST = "10.0.0.1";

  /** The port servers here listen on. */
  public static final int PORT = 18515;

  private static final int LOOPS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** The C library. */
  public final FakeNativeCalls fake = new FakeNativeCalls();

  /** The native provider over it. */
  public final RdmaProvider provider = FakeProvider.over(fake);

  /** The Vert.x instance. */
  public final Vertx vertx;

  /** What the library logged. */
  public final LogLines log = new LogLines();

  private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();

  /** A bench on epoll loops. */
  public Bench() {
    this(Transport.EPOLL);
  }

  /** A bench on loops of that transport. */
  public Bench(Transport transport) {
    this(transport, fake -> {});
  }

  /** A bench on epoll loops whose fake is prepared before anybody looks at it. */
  public Bench(Consumer<FakeNativeCalls> prepared) {
    this(Transport.EPOLL, prepared);
  }

  /** A bench on loops of that transport whose fake is prepared before anybody looks at it. */
  public Bench(Transport transport, Consumer<FakeNativeCalls> prepared) {
    prepared.accept(fake);
    // The provider's own look at the library is no part of any test.
    provider.availability();
    fake.clearCalls();
    vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(LOOPS)
                .setPreferNativeTransport(transport == Transport.EPOLL));
    assertThat(vertx.isNativeTransportEnabled()).isEqualTo(transport == Transport.EPOLL);
    vertx.exceptionHandler(uncaught::add);
    RxJavaPlugins.setErrorHandler(uncaught::add);
  }

  /** A server that listens on {@link #HOST} and {@link #PORT} once told to. */
  public RdmaServer server(RdmaServerOptions options) {
    return RdmaServer.create(vertx, options.setHost(HOST).setPort(PORT), provider);
  }

  /** A server with default options. */
  public RdmaServer server() {
    return server(new RdmaServerOptions());
  }

  /** A client. */
  public RdmaClient client(RdmaClientOptions options) {
    return RdmaClient.create(vertx, options, provider);
  }

  /** A client with default options. */
  public RdmaClient client() {
    return client(new RdmaClientOptions());
  }

  /** A connection to nowhere: sends succeed by themselves, the test plays the peer. */
  public RdmaConnection connection(RdmaClientOptions options) {
    return get(client(options).connect(PORT, HOST));
  }

  /** A connection to nowhere. */
  public RdmaConnection connection() {
    return connection(new RdmaClientOptions());
  }

  /** Both ends of a connection. */
  public record Pair(RdmaConnection server, RdmaConnection client) {}

  /** A connection between a server that accepts everybody and a client, each on its own loop. */
  public Pair pair(RdmaServerOptions serverOptions, RdmaClientOptions clientOptions) {
    RdmaServer server = elsewhere(() -> server(serverOptions));
    CompletableFuture<RdmaConnection> accepted = new CompletableFuture<>();
    server.connections().subscribe(accepted::complete);
    get(server.listen());
    RdmaClient client = elsewhere(() -> client(clientOptions));
    RdmaConnection here = get(client.connect(PORT, HOST));
    return new Pair(accepted.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join(), here);
  }

  /** A connection between a server and a client with default options. */
  public Pair pair() {
    return pair(new RdmaServerOptions(), new RdmaClientOptions());
  }

  /** Makes something in a context, and so on an event loop, of its own. */
  public <T> T elsewhere(Supplier<T> made) {
    CompletableFuture<T> done = new CompletableFuture<>();
    ((VertxInternal) vertx)
        .createEventLoopContext()
        .runOnContext(
            nothing -> {
              try {
                done.complete(made.get());
              } catch (Throwable failure) {
                done.completeExceptionally(failure);
              }
            });
    return done.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** The outcome of a future that must succeed. */
  public static <T> T get(Future<T> future) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw new AssertionError("failed: " + failed.getCause(), failed.getCause());
    } catch (InterruptedException | TimeoutException stuck) {
      throw new AssertionError("never completed", stuck);
    }
  }

  /** The cause of a future that must fail. */
  public static Throwable failure(Future<?> future) {
    Future<?> settled = settled(future);
    if (settled.succeeded()) {
      fail("succeeded with " + settled.result());
    }
    return settled.cause();
  }

  /** The same future once it is complete, either way. */
  public static Future<?> settled(Future<?> future) {
    until("the future to complete", future::isComplete);
    return future;
  }

  /** Waits for something to be true. */
  public static void until(String what, BooleanSupplier holds) {
    await(what)
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .until(holds::getAsBoolean);
  }

  /** Waits until all queued events are fetched, and what they led to on the event loops ran. */
  public void settle() {
    until("all events to be fetched", () -> fake.eventsWaiting() == 0);
    // Round robin: contexts made one after the other are on different loops.
    for (int i = 0; i < 2 * LOOPS; i++) {
      elsewhere(() -> true);
    }
  }

  /** Immediates 0, 1, 2 … from the peer, all of which the loop finds at its next look. */
  public void burst(int queuePair, int count) {
    fake.before(
        "poll_cq",
        call -> {
          fake.asUsual("poll_cq");
          for (int i = 1; i < count; i++) {
            fake.completeReceiveWithImm(queuePair, i, 0);
          }
        });
    // This one wakes the loop.
    fake.completeReceiveWithImm(queuePair, 0, 0);
  }

  /** The native id that the last call of that function was about. */
  public long idOf(String function) {
    return fake.lastCall(function).argument(0);
  }

  /** The number of the queue pair made last. */
  public int lastQueuePair() {
    List<Integer> numbers = fake.queuePairs();
    return numbers.get(numbers.size() - 1);
  }

  /** A field of the 24 bytes of {@code rdma_conn_param}: 9 responder resources, 10 initiator. */
  public int connParam(String function, int offset) {
    FakeCall call = fake.lastCall(function);
    assertThat(call.struct()).hasSize(24);
    return call.u8(offset);
  }

  /** Nothing of an attempt or a connection is left. */
  public void assertNoConnectionLeft() {
    assertThat(fake.live()).doesNotContainKeys("queue pairs", "un-acknowledged events");
    assertThat(fake.live().getOrDefault("ids", 0)).isEqualTo(listening() ? 1 : 0);
  }

  private boolean listening() {
    try {
      return fake.listenerOn(PORT) != 0;
    } catch (IllegalArgumentException nobody) {
      return false;
    }
  }

  /** Exceptions that nobody handled so far; the caller takes care of them. */
  public List<Throwable> takeUncaught() {
    List<Throwable> taken = List.copyOf(uncaught);
    uncaught.removeAll(taken);
    return taken;
  }

  @Override
  public void close() {
    try {
      get(vertx.close());
      fake.assertClean();
      assertThat(fake.eventsAcknowledged()).isEqualTo(fake.eventsFetched());
      assertThat(uncaught).as("exceptions nobody handled").isEmpty();
    } finally {
      RxJavaPlugins.setErrorHandler(null);
      log.close();
      fake.close();
    }
  }
}
