package io.vertxrdma.cm.eventloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each test runs on the application's epoll loop and, on NIO, with the helper loop. */
class EventSourceWatchTest {

  private static final String HELPER = "vertx-rdma-helper";

  private final List<Throwable> reported = new CopyOnWriteArrayList<>();
  private final List<EventFdSource> sources = new ArrayList<>();
  private final List<EventSourceWatch> watches = new ArrayList<>();
  private Vertx vertx;
  private ContextInternal context;

  private void start(boolean epoll) {
    vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(epoll));
    assertThat(vertx.isNativeTransportEnabled()).isEqualTo(epoll);
    vertx.exceptionHandler(reported::add);
    context = ((VertxInternal) vertx).createEventLoopContext();
  }

  @AfterEach
  void tearDown() {
    watches.forEach(watch -> get(watch.stop()));
    get(vertx.close());
    until(() -> helpers() == 0);
    sources.forEach(EventFdSource::close);
    assertThat(reported).isEmpty();
  }

  private EventFdSource source() {
    EventFdSource made = new EventFdSource();
    sources.add(made);
    return made;
  }

  private static <T> T get(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  private static void until(BooleanSupplier holds) {
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(2))
        .until(holds::getAsBoolean);
  }

  private EventSourceWatch watch(EventFdSource source, Runnable drain) {
    return watch(context, source, drain);
  }

  private EventSourceWatch watch(ContextInternal on, EventFdSource source, Runnable drain) {
    EventSourceWatch made = get(EventSourceWatch.start(on, source, drain));
    watches.add(made);
    return made;
  }

  /** Everything that was readable before has been seen when this returns. */
  private void barrier() {
    EventFdSource other = source();
    for (int i = 0; i < 3; i++) {
      AtomicInteger seen = new AtomicInteger();
      EventSourceWatch watch =
          watch(
              other,
              () -> {
                other.read();
                seen.incrementAndGet();
              });
      other.signal();
      until(() -> seen.get() == 1);
      get(watch.stop());
    }
  }

  private static long helpers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(HELPER) && thread.isAlive())
        .count();
  }

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void aSignalRunsTheDrainOnTheContext(boolean epoll) {
    start(epoll);
    EventFdSource source = source();
    AtomicReference<Object> current = new AtomicReference<>();
    AtomicInteger drains = new AtomicInteger();
    watch(
        source,
        () -> {
          source.read();
          current.set(ContextInternal.current());
          assertThat(context.nettyEventLoop().inEventLoop()).isTrue();
          drains.incrementAndGet();
        });
    assertThat(helpers()).isEqualTo(epoll ? 0 : 1);
    for (int i = 1; i <= 100; i++) {
      int expected = i;
      source.signal();
      until(() -> drains.get() == expected);
    }

    assertThat(current.get()).isSameAs(context);
  }

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void aSignalThatCameBeforeTheWatchIsSeen(boolean epoll) {
    start(epoll);
    EventFdSource source = source();
    AtomicInteger drains = new AtomicInteger();
    source.signal();

    watch(
        source,
        () -> {
          source.read();
          drains.incrementAndGet();
        });

    until(() -> drains.get() == 1);
    barrier();
    assertThat(drains).hasValue(1);
  }

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void whatADrainLeavesFiresAgainUntilItIsRead(boolean epoll) {
    start(epoll);
    EventFdSource source = source();
    AtomicInteger drains = new AtomicInteger();
    watch(
        source,
        () -> {
          if (drains.incrementAndGet() == 5) {
            source.read();
          }
        });

    source.signal();

    until(() -> drains.get() == 5);
    barrier();
    assertThat(drains).hasValue(5);
  }

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void afterStopNoDrainRuns(boolean epoll) {
    start(epoll);
    EventFdSource source = source();
    AtomicInteger drains = new AtomicInteger();
    EventSourceWatch watch =
        watch(
            source,
            () -> {
              source.read();
              drains.incrementAndGet();
            });
    source.signal();
    until(() -> drains.get() == 1);

    Future<Void> stopped = watch.stop();
    get(stopped);
    source.signal();
    barrier();

    assertThat(drains).hasValue(1);
    assertThat(watch.stop()).isSameAs(stopped);
  }

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void stopInsideTheDrainCompletes(boolean epoll) {
    start(epoll);
    EventFdSource source = source();
    AtomicInteger drains = new AtomicInteger();
    AtomicReference<EventSourceWatch> watch = new AtomicReference<>();
    AtomicReference<Future<Void>> stopped = new AtomicReference<>();
    watch.set(
        watch(
            source,
            () -> {
              // Left unread: it would fire for ever.
              drains.incrementAndGet();
              stopped.set(watch.get().stop());
            }));

    source.signal();

    until(() -> stopped.get() != null && stopped.get().isComplete());
    barrier();
    assertThat(drains).hasValue(1);
  }

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void stopWhileSignalsPourInCompletesAndTheSourceMayBeClosed(boolean epoll) {
    start(epoll);
    for (int i = 0; i < 30; i++) {
      EventFdSource source = new EventFdSource();
      AtomicReference<Boolean> stopped = new AtomicReference<>(false);
      AtomicInteger after = new AtomicInteger();
      EventSourceWatch watch =
          watch(
              source,
              () -> {
                if (stopped.get()) {
                  after.incrementAndGet();
                }
              });
      source.signal();
      get(watch.stop().onComplete(done -> stopped.set(true)));
      source.close();
      assertThat(after).hasValue(0);
    }
    barrier();
  }

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void anExceptionOfTheDrainGoesToTheContextAndTheWatchGoesOn(boolean epoll) {
    start(epoll);
    EventFdSource source = source();
    AtomicInteger drains = new AtomicInteger();
    RuntimeException thrown = new IllegalStateException("of the drain");
    watch(
        source,
        () -> {
          source.read();
          if (drains.incrementAndGet() <= 2) {
            throw thrown;
          }
        });
    for (int i = 1; i <= 3; i++) {
      int expected = i;
      source.signal();
      until(() -> drains.get() == expected);
    }

    barrier();
    assertThat(reported).containsExactly(thrown, thrown);
    reported.clear();
  }

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void aSlowDrainIsNotEnteredTwice(boolean epoll) {
    start(epoll);
    EventFdSource source = source();
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger deepest = new AtomicInteger();
    AtomicInteger drains = new AtomicInteger();
    watch(
        source,
        () -> {
          deepest.accumulateAndGet(inside.incrementAndGet(), Math::max);
          if (drains.incrementAndGet() < 200) {
            source.signal();
          } else {
            source.read();
          }
          inside.decrementAndGet();
        });

    source.signal();

    until(() -> drains.get() >= 200);
    barrier();
    assertThat(deepest).hasValue(1);
    assertThat(drains).hasValue(200);
  }

  @Test
  void theHelperThreadIsSharedAndEndsWithItsLastUser() {
    start(false);
    assertThat(helpers()).isZero();
    EventSourceWatch first = watch(source(), () -> {});
    EventSourceWatch second = watch(source(), () -> {});
    assertThat(helpers()).isEqualTo(1);

    get(first.stop());
    assertThat(helpers()).isEqualTo(1);
    get(second.stop());

    until(() -> helpers() == 0);
    // And it comes back for the next.
    EventFdSource source = source();
    AtomicInteger drains = new AtomicInteger();
    watch(
        source,
        () -> {
          source.read();
          drains.incrementAndGet();
        });
    source.signal();
    until(() -> drains.get() == 1);
  }

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void watchesOfManyContextsEachDrainOnTheirOwn(boolean epoll) {
    start(epoll);
    AtomicInteger right = new AtomicInteger();
    for (int i = 0; i < 8; i++) {
      ContextInternal own = ((VertxInternal) vertx).createEventLoopContext();
      EventFdSource source = source();
      watch(
          own,
          source,
          () -> {
            source.read();
            if (ContextInternal.current() == own) {
              right.incrementAndGet();
            }
          });
      source.signal();
    }

    until(() -> right.get() == 8);
  }
}
