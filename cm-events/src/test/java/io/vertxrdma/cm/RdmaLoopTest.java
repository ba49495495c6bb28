package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ProviderUnavailableException;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.nativeverbs.FakeNativeCalls;
import io.vertxrdma.core.nativeverbs.FakeProvider;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RdmaLoopTest {

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void eventsComeToTheirIdsHandlerOnTheLoop(boolean epoll) {
    try (LoopBench bench = new LoopBench(epoll)) {
      List<CmEvent> first = new CopyOnWriteArrayList<>();
      List<CmEvent> second = new CopyOnWriteArrayList<>();
      List<Boolean> onLoop = new CopyOnWriteArrayList<>();
      CmId one = bench.id(first::add);
      CmId two =
          bench.id(
              event -> {
                onLoop.add(bench.loop.inEventLoop());
                second.add(event);
              });

      LoopBench.resolve(one);
      LoopBench.resolve(two);

      LoopBench.until(() -> first.size() == 1 && second.size() == 1);
      assertThat(first.get(0).id()).isSameAs(one);
      assertThat(second.get(0).id()).isSameAs(two);
      assertThat(second.get(0).type()).isEqualTo(CmEventType.ADDR_RESOLVED);
      assertThat(onLoop).containsExactly(true);
      assertThat(bench.onLoop(bench.loop::liveIds)).isEqualTo(2);
    }
  }

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void moreEventsThanOneTurnReadsAreAllRead(boolean epoll) {
    try (LoopBench bench = new LoopBench(epoll)) {
      AtomicInteger events = new AtomicInteger();
      CmId id = bench.id(event -> events.incrementAndGet());
      long pointer = FakeProvider.pointer(id);
      bench.runOnLoop(
          () -> {
            for (int i = 0; i < 1000; i++) {
              bench.fake.event(pointer).type(77).enqueue();
            }
          });

      LoopBench.until(() -> events.get() == 1000);
    }
  }

  @Test
  void betweenTwoTurnsOfABurstOtherTasksRun() {
    try (LoopBench bench = new LoopBench(true)) {
      AtomicInteger events = new AtomicInteger();
      AtomicInteger seenByTask = new AtomicInteger(-1);
      CmId id =
          bench.id(
              event -> {
                if (events.getAndIncrement() == 0) {
                  bench.context.runOnContext(nothing -> seenByTask.set(events.get()));
                }
              });
      long pointer = FakeProvider.pointer(id);
      bench.runOnLoop(
          () -> {
            for (int i = 0; i < 500; i++) {
              bench.fake.event(pointer).type(77).enqueue();
            }
          });

      LoopBench.until(() -> events.get() == 500);
      assertThat(seenByTask.get()).isBetween(1, 64);
    }
  }

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void aHandlerThatThrowsCostsNobodyAnEvent(boolean epoll) {
    try (LoopBench bench = new LoopBench(epoll)) {
      RuntimeException thrown = new IllegalStateException("of a handler");
      AtomicInteger observed = new AtomicInteger();
      AtomicInteger handled = new AtomicInteger();
      CmEventHandler failing =
          event -> {
            throw thrown;
          };
      CmEventHandler counting = event -> observed.incrementAndGet();
      bench.runOnLoop(
          () -> {
            bench.loop.addObserver(failing);
            bench.loop.addObserver(counting);
          });
      CmId id =
          bench.id(
              event -> {
                handled.incrementAndGet();
                throw thrown;
              });
      for (int i = 0; i < 3; i++) {
        bench.fake.event(FakeProvider.pointer(id)).type(77).enqueue();
      }

      LoopBench.until(() -> handled.get() == 3);
      bench.runOnLoop(() -> {});
      assertThat(observed).hasValue(3);
      assertThat(bench.takeUncaught()).hasSize(6).containsOnly(thrown);

      bench.runOnLoop(
          () -> {
            bench.loop.removeObserver(failing);
            bench.loop.removeObserver(counting);
          });
      bench.fake.event(FakeProvider.pointer(id)).type(77).enqueue();
      LoopBench.until(() -> handled.get() == 4);
      bench.runOnLoop(() -> {});
      assertThat(observed).hasValue(3);
      assertThat(bench.takeUncaught()).hasSize(1);
    }
  }

  @Test
  void aRequestWhoseListenerHasNobodyIsRejected() {
    try (LoopBench bench = new LoopBench(true)) {
      CmId listener = bench.id(event -> {});
      listener.bind(LoopBench.SERVER);
      listener.listen(8);
      listener.setAttachment(null);

      bench.fake.incomingRequest(bench.fake.listenerOn(18515)).enqueue();

      LoopBench.until(() -> bench.fake.calls("rdma_destroy_id").size() == 1);
      LoopBench.until(() -> bench.fake.ids().size() == 1);
    }
  }

  @Test
  void anErrorOfTheEventChannelIsReportedAndTheLoopGoesOn() {
    try (LoopBench bench = new LoopBench(true)) {
      AtomicInteger events = new AtomicInteger();
      CmId id = bench.id(event -> events.incrementAndGet());
      bench.fake.failNext("rdma_get_cm_event", 5);

      bench.fake.event(FakeProvider.pointer(id)).type(77).enqueue();

      LoopBench.until(() -> events.get() == 1);
      assertThat(bench.takeUncaught())
          .singleElement()
          .isInstanceOfSatisfying(
              RdmaException.class,
              failure -> assertThat(failure).hasMessageContaining("rdma_get_cm_event"));
    }
  }

  @Test
  void anInterruptedCallIsMadeAgain() {
    try (LoopBench bench = new LoopBench(true)) {
      AtomicInteger events = new AtomicInteger();
      CmId id = bench.id(event -> events.incrementAndGet());
      bench.fake.failNext("rdma_get_cm_event", 4, 3);

      bench.fake.event(FakeProvider.pointer(id)).type(77).enqueue();

      LoopBench.until(() -> events.get() == 1);
      assertThat(bench.takeUncaught()).isEmpty();
    }
  }

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void usersOfOneLoopShareAndTheLastClosesIt(boolean epoll) {
    try (LoopBench bench = new LoopBench(epoll)) {
      CloseFuture another = new CloseFuture();
      RdmaLoop same =
          bench.onLoopAsync(() -> RdmaLoop.acquire(bench.context, bench.provider, another));
      ContextInternal elsewhere = ((VertxInternal) bench.vertx).createEventLoopContext();
      assertThat(elsewhere.nettyEventLoop()).isNotSameAs(bench.context.nettyEventLoop());
      CloseFuture third = new CloseFuture();
      RdmaLoop other = LoopBench.get(RdmaLoop.acquire(elsewhere, bench.provider, third));

      assertThat(same).isSameAs(bench.loop);
      assertThat(other).isNotSameAs(bench.loop);
      assertThat(bench.fake.live()).containsEntry("event channels", 2);

      LoopBench.get(another.close());
      LoopBench.get(third.close());
      assertThat(bench.fake.live()).containsEntry("event channels", 1);
    }
  }

  @Test
  void anUnavailableProviderIsAFailedFutureEachTime() {
    try (LoopBench bench = new LoopBench(true);
        FakeNativeCalls empty = new FakeNativeCalls().noDevices()) {
      for (int i = 0; i < 2; i++) {
        CloseFuture use = new CloseFuture();
        Future<RdmaLoop> failing =
            bench.onLoop(() -> RdmaLoop.acquire(bench.context, FakeProvider.over(empty), use));
        LoopBench.until(failing::isComplete);
        assertThat(failing.cause())
            .isInstanceOf(ProviderUnavailableException.class)
            .hasMessageContaining("No such device");
        LoopBench.get(use.close());
      }
    }
  }

  @Test
  void aRefusedChannelIsAskedForAgainByTheNextUser() {
    try (LoopBench bench = new LoopBench(true)) {
      ContextInternal elsewhere = ((VertxInternal) bench.vertx).createEventLoopContext();
      CloseFuture first = new CloseFuture();
      bench.fake.failNext("rdma_create_event_channel", 24);
      Future<RdmaLoop> failing = RdmaLoop.acquire(elsewhere, bench.provider, first);
      LoopBench.until(failing::isComplete);
      assertThat(failing.cause()).hasMessageContaining("EMFILE");
      LoopBench.get(first.close());

      CloseFuture second = new CloseFuture();
      assertThat(LoopBench.get(RdmaLoop.acquire(elsewhere, bench.provider, second))).isNotNull();

      LoopBench.get(second.close());
    }
  }
}
