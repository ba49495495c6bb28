package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.RdmaProvider;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** One event loop's share of a fake library; closing it checks that nothing is left. */
final class LoopBench implements AutoCloseable {

  static final InetSocketAddress SERVER = new InetSocketAddress("10.0.0.1", 18515);

  final FakeNativeCalls fake = new FakeNativeCalls();
  final RdmaProvider provider = FakeProvider.over(fake);
  final Vertx vertx;
  final ContextInternal context;
  final CloseFuture use = new CloseFuture();
  final RdmaLoop loop;
  private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();
  private final Deque<CmId> ids = new ArrayDeque<>();
  private final Deque<Runnable> before = new ArrayDeque<>();

  LoopBench(boolean epoll) {
    vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(epoll));
    vertx.exceptionHandler(uncaught::add);
    context = ((VertxInternal) vertx).createEventLoopContext();
    provider.availability();
    fake.clearCalls();
    loop = onLoopAsync(() -> RdmaLoop.acquire(context, provider, use));
  }

  /** Runs on the loop and waits for the outcome. */
  <T> T onLoop(Supplier<T> task) {
    CompletableFuture<T> done = new CompletableFuture<>();
    context.runOnContext(
        nothing -> {
          try {
            done.complete(task.get());
          } catch (Throwable failure) {
            done.completeExceptionally(failure);
          }
        });
    return done.orTimeout(20, TimeUnit.SECONDS).join();
  }

  void runOnLoop(Runnable task) {
    onLoop(
        () -> {
          task.run();
          return null;
        });
  }

  /** Runs on the loop and waits for the future's outcome. */
  <T> T onLoopAsync(Supplier<Future<T>> task) {
    return get(onLoop(task));
  }

  static <T> T get(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  static void until(BooleanSupplier holds) {
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(2))
        .until(holds::getAsBoolean);
  }

  /** An id with its handler, closed at the end. */
  CmId id(CmEventHandler handler) {
    CmId made = onLoop(() -> loop.createId(PortSpace.TCP, handler));
    ids.push(made);
    return made;
  }

  /** Resolves an id's address; what the fake answers with comes to its handler. */
  static void resolve(CmId id) {
    id.resolveAddress(null, SERVER, 1000);
  }

  /** A connected queue pair to nowhere with receives posted, its completions going to a handler. */
  QueuePair connected(CompletionHandler handler, int receives, long spinNanos)
      throws InterruptedException {
    BlockingQueue<CmEvent> events = new LinkedBlockingQueue<>();
    CmId id = id(events::add);
    resolve(id);
    expect(events, CmEventType.ADDR_RESOLVED);
    DeviceLoop device = onLoopAsync(() -> loop.device(id.device()));
    CompletionQueueShare share = onLoopAsync(() -> device.reserve(receives + 16, spinNanos));
    QueuePair pair =
        id.createQueuePair(
            device.protectionDomain(),
            new QueuePairInit(
                QueuePairType.RC,
                share.queue(),
                share.queue(),
                null,
                new QueuePairCapabilities(16, receives, 1, 1, 0),
                false));
    try (ReceiveBatch batch = pair.allocateReceiveBatch(receives, 0)) {
      for (int i = 0; i < receives; i++) {
        batch.add(i);
      }
      assertThat(batch.post()).isZero();
    }
    runOnLoop(() -> device.register(pair.number(), handler));
    before.push(share::release);
    id.resolveRoute(1000);
    expect(events, CmEventType.ROUTE_RESOLVED);
    id.connect(ConnParam.ZERO);
    expect(events, CmEventType.ESTABLISHED);
    return pair;
  }

  private static void expect(BlockingQueue<CmEvent> events, CmEventType type)
      throws InterruptedException {
    assertThat(events.poll(20, TimeUnit.SECONDS)).extracting(CmEvent::type).isEqualTo(type);
  }

  List<Throwable> takeUncaught() {
    List<Throwable> taken = List.copyOf(uncaught);
    uncaught.clear();
    return taken;
  }

  @Override
  public void close() {
    ids.forEach(CmId::close);
    before.forEach(this::runOnLoop);
    get(use.close());
    get(vertx.close());
    fake.assertClean();
    assertThat(fake.eventsAcknowledged()).isEqualTo(fake.eventsFetched());
    assertThat(uncaught).isEmpty();
    fake.close();
  }
}
