package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.AsyncEventType;
import io.vertxrdma.core.DeviceContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One loop reads a device's asynchronous events, every loop that wants them gets each once. */
class AsyncEventsTest {

  private static final int PORT_ERR = 10;

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void eachLoopGetsEachEventOnceOnItself(boolean epoll) throws Exception {
    try (LoopBench bench = new LoopBench(epoll)) {
      DeviceContext device = bench.provider.devices().get(0);
      List<AsyncEvent> here = new CopyOnWriteArrayList<>();
      List<AsyncEvent> there = new CopyOnWriteArrayList<>();
      List<Boolean> onLoop = new CopyOnWriteArrayList<>();
      CloseFuture otherUse = new CloseFuture();
      ContextInternal context = ((VertxInternal) bench.vertx).createEventLoopContext();
      RdmaLoop other = LoopBench.get(RdmaLoop.acquire(context, bench.provider, otherUse));
      assertThat(other).isNotSameAs(bench.loop);
      watch(
          bench.loop,
          device,
          event -> {
            onLoop.add(bench.loop.inEventLoop());
            here.add(event);
          });
      watch(
          other,
          device,
          event -> {
            onLoop.add(other.inEventLoop());
            there.add(event);
          });
      // Wanting them twice changes nothing.
      watch(other, device, event -> {});

      for (int port = 1; port <= 200; port++) {
        bench.fake.asyncEvent("fake0", PORT_ERR, port);
      }

      LoopBench.until(() -> here.size() >= 200 && there.size() >= 200);
      assertThat(here).hasSize(200).hasSameElementsAs(there);
      assertThat(there).hasSize(200);
      assertThat(here.get(7).type()).isEqualTo(AsyncEventType.PORT_ERR);
      assertThat(here).extracting(AsyncEvent::port).isSorted();
      assertThat(onLoop).hasSize(400).containsOnly(true);

      // The reader goes, the other loop takes over.
      LoopBench.get(bench.use.close());
      bench.fake.asyncEvent("fake0", PORT_ERR, 300);
      LoopBench.until(() -> there.size() == 201);
      assertThat(here).hasSize(200);
      LoopBench.get(otherUse.close());
    }
  }

  @Test
  void anObserverThatThrowsCostsNobodyElseTheEvent() throws Exception {
    try (LoopBench bench = new LoopBench(true)) {
      List<AsyncEvent> events = new CopyOnWriteArrayList<>();
      DeviceContext device = bench.provider.devices().get(0);
      watch(
          bench.loop,
          device,
          event -> {
            throw new IllegalStateException("on purpose");
          });
      watch(bench.loop, device, events::add);

      bench.fake.asyncEvent("fake0", PORT_ERR, 1);

      LoopBench.until(() -> events.size() == 1);
      assertThat(bench.takeUncaught())
          .singleElement()
          .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.THROWABLE)
          .hasMessage("on purpose");
    }
  }

  private static void watch(RdmaLoop loop, DeviceContext device, AsyncEventHandler observer)
      throws Exception {
    CompletableFuture<Void> watching = new CompletableFuture<>();
    loop.run(
        () -> {
          loop.deviceEvents().addObserver(observer);
          loop.deviceEvents().watch(device).onComplete(done -> watching.complete(null));
        });
    watching.get(20, TimeUnit.SECONDS);
  }
}
