package io.vertxrdma.cm.eventloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.EventSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ListenerWatchTest {

  /** A queue without a descriptor that tells when it goes from empty to readable. */
  private static final class Source implements EventSource {
    private final ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
    private volatile Runnable listener = () -> {};

    void add(int item) {
      queue.add(item);
      listener.run();
    }

    @Override
    public int fileDescriptor() {
      return -1;
    }

    @Override
    public void setReadableListener(Runnable given) {
      listener = given;
    }
  }

  private final Source source = new Source();
  private final List<Throwable> reported = new CopyOnWriteArrayList<>();
  private Vertx vertx;
  private ContextInternal context;

  @BeforeEach
  void setUp() {
    vertx = Vertx.vertx();
    vertx.exceptionHandler(reported::add);
    context = ((VertxInternal) vertx).createEventLoopContext();
  }

  @AfterEach
  void tearDown() {
    vertx.close().toCompletionStage().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    assertThat(reported).isEmpty();
  }

  private EventSourceWatch watch(Runnable drain) {
    return EventSourceWatch.start(context, source, drain)
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(20, TimeUnit.SECONDS)
        .join();
  }

  private void onLoop(Runnable task) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    context.runOnContext(
        nothing -> {
          task.run();
          done.complete(null);
        });
    done.orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Test
  void everythingIsReadOnTheLoopWithOneDrainForManySignals() {
    AtomicInteger drains = new AtomicInteger();
    AtomicInteger read = new AtomicInteger();
    source.add(0);
    watch(
        () -> {
          assertThat(ContextInternal.current()).isSameAs(context);
          drains.incrementAndGet();
          while (source.queue.poll() != null) {
            read.incrementAndGet();
          }
        });
    await().atMost(Duration.ofSeconds(20)).until(() -> read.get() == 1);

    onLoop(
        () -> {
          for (int i = 0; i < 1000; i++) {
            source.add(i);
          }
        });

    await().atMost(Duration.ofSeconds(20)).until(() -> read.get() == 1001);
    onLoop(() -> {});
    assertThat(drains.get()).isLessThanOrEqualTo(4);
  }

  @Test
  void aSignalDuringADrainIsNotLost() {
    AtomicInteger read = new AtomicInteger();
    watch(
        () -> {
          Integer item = source.queue.poll();
          if (item != null) {
            read.incrementAndGet();
            if (item > 0) {
              // Found empty by this drain, filled before it returns.
              source.add(item - 1);
            }
          }
        });

    source.add(50);

    await().atMost(Duration.ofSeconds(20)).until(() -> read.get() == 51);
  }

  @Test
  void afterStopNoDrainRuns() {
    AtomicInteger drains = new AtomicInteger();
    EventSourceWatch watch = watch(drains::incrementAndGet);
    onLoop(() -> {});
    int before = drains.get();

    onLoop(
        () -> {
          source.add(1);
          watch.stop();
          source.add(2);
        });
    onLoop(() -> {});
    onLoop(() -> {});

    assertThat(drains).hasValue(before);
  }

  @Test
  void anExceptionOfTheDrainGoesToTheContextAndTheWatchGoesOn() {
    RuntimeException thrown = new IllegalStateException("of the drain");
    AtomicInteger read = new AtomicInteger();
    watch(
        () -> {
          if (source.queue.poll() != null && read.incrementAndGet() == 1) {
            throw thrown;
          }
        });

    source.add(1);
    await().atMost(Duration.ofSeconds(20)).until(() -> read.get() == 1);
    source.add(2);

    await().atMost(Duration.ofSeconds(20)).until(() -> read.get() == 2);
    assertThat(reported).containsExactly(thrown);
    reported.clear();
  }
}
