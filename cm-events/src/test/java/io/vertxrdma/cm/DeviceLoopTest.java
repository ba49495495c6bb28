package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.WorkCompletions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceLoopTest {

  /** Notes what comes. */
  private static class Noting implements CompletionHandler {
    final List<Object> signals = new CopyOnWriteArrayList<>();

    @Override
    public void completion(WorkCompletions completions, int index) {
      signals.add(Integer.toUnsignedLong(completions.immediate(index)));
    }

    @Override
    public void batchEnd() {
      signals.add("end");
    }

    @Override
    public boolean usesQueue(CompletionQueue queue) {
      return true;
    }

    @Override
    public boolean usesQueuePair(QueuePair pair) {
      return true;
    }

    @Override
    public void failed(RdmaException cause) {
      signals.add(cause);
    }

    long immediates() {
      return signals.stream().filter(Long.class::isInstance).count();
    }
  }

  private static DeviceLoop device(LoopBench bench) {
    return bench.onLoopAsync(() -> bench.loop.device(bench.provider.devices().get(0)));
  }

  @Test
  void aDeviceIsOpenedOnceForALoop() {
    try (LoopBench bench = new LoopBench(true)) {
      assertThat(device(bench)).isSameAs(device(bench));
      assertThat(bench.fake.calls("ibv_alloc_pd")).hasSize(1);
    }
  }

  @Test
  void aDeviceThatCouldNotBeOpenedIsTriedAgain() {
    try (LoopBench bench = new LoopBench(true)) {
      bench.fake.failNext("ibv_create_comp_channel", 24);
      Future<DeviceLoop> failing =
          bench.onLoop(() -> bench.loop.device(bench.provider.devices().get(0)));
      LoopBench.until(failing::isComplete);
      assertThat(failing.cause()).hasMessageContaining("EMFILE");
      assertThat(bench.fake.live()).doesNotContainKey("protection domains");

      assertThat(device(bench)).isNotNull();
    }
  }

  private static List<CompletionQueueShare> fill(LoopBench bench, DeviceLoop device) {
    List<CompletionQueueShare> shares = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      shares.add(bench.onLoopAsync(() -> device.reserve(1024, 0)));
    }
    assertThat(shares).allMatch(share -> share.queue() == shares.get(0).queue());
    assertThat(bench.fake.calls("ibv_create_cq")).hasSize(1);
    return shares;
  }

  @Test
  void roomIsReservedGivenBackAndNeverOverdrawn() {
    try (LoopBench bench = new LoopBench(true)) {
      DeviceLoop device = device(bench);
      List<CompletionQueueShare> shares = fill(bench, device);
      CompletionQueue first = shares.get(0).queue();
      assertThat(bench.fake.calls("ibv_resize_cq")).isEmpty();

      CompletionQueueShare more = bench.onLoopAsync(() -> device.reserve(1, 0));
      assertThat(more.queue()).isSameAs(first);
      assertThat(first.capacity()).isGreaterThanOrEqualTo(4097);
      assertThat(bench.fake.calls("ibv_resize_cq")).hasSize(1);
      int room = first.capacity() - 4097;

      bench.runOnLoop(shares.get(0)::release);
      // Giving it back twice gives no more room.
      bench.runOnLoop(shares.get(0)::release);
      bench.onLoopAsync(() -> device.reserve(room + 1024, 0));
      assertThat(bench.fake.calls("ibv_resize_cq")).hasSize(1);
      bench.onLoopAsync(() -> device.reserve(1, 0));
      assertThat(bench.fake.calls("ibv_resize_cq")).hasSize(2);
      assertThat(bench.fake.calls("ibv_create_cq")).hasSize(1);
    }
  }

  @Test
  void aQueueGrowsUpToTheDevicesLimitAndThenThereIsAnother() {
    try (LoopBench bench = new LoopBench(true)) {
      DeviceLoop device = device(bench);
      CompletionQueue first = bench.onLoopAsync(() -> device.reserve(20_000, 0)).queue();
      assertThat(bench.onLoopAsync(() -> device.reserve(12_767, 0)).queue()).isSameAs(first);
      assertThat(first.capacity()).isEqualTo(32_767);

      assertThat(bench.onLoopAsync(() -> device.reserve(1, 0)).queue()).isNotSameAs(first);
      assertThat(bench.fake.calls("ibv_create_cq")).hasSize(2);
    }
  }

  @Test
  void aDeviceThatCanNotResizeIsAskedOnceAndGetsMoreQueues() {
    try (LoopBench bench = new LoopBench(true)) {
      DeviceLoop device = device(bench);
      CompletionQueue first = fill(bench, device).get(0).queue();
      bench.fake.failNext("ibv_resize_cq", 95);

      CompletionQueue second = bench.onLoopAsync(() -> device.reserve(4096, 0)).queue();
      CompletionQueue third = bench.onLoopAsync(() -> device.reserve(1, 0)).queue();

      assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
      assertThat(first.capacity()).isEqualTo(4096);
      assertThat(bench.fake.calls("ibv_resize_cq")).hasSize(1);
    }
  }

  @Test
  void manyWhoAskAtOnceAllGetRoomInOneQueue() {
    try (LoopBench bench = new LoopBench(true)) {
      DeviceLoop device = device(bench);
      List<Future<CompletionQueueShare>> asked =
          bench.onLoop(
              () -> IntStream.range(0, 20).mapToObj(i -> device.reserve(1000, 0)).toList());

      CompletionQueue first = LoopBench.get(asked.get(0)).queue();
      assertThat(asked).allMatch(each -> LoopBench.get(each).queue() == first);
      assertThat(first.capacity()).isGreaterThanOrEqualTo(20_000);
    }
  }

  @Test
  void whatCompletesWhileAQueueIsResizedIsTakenAfterwards() throws InterruptedException {
    try (LoopBench bench = new LoopBench(true)) {
      Noting noting = new Noting();
      int number = bench.connected(noting, 4000, 0).number();
      DeviceLoop device = device(bench);
      CountDownLatch read = new CountDownLatch(1);
      bench.fake.before(
          "ibv_resize_cq",
          call -> {
            bench.fake.asUsual("ibv_resize_cq");
            for (int i = 0; i < 100; i++) {
              bench.fake.completeReceiveWithImm(number, i, 0);
            }
            // The loop has read the event meanwhile and knows that it must look again.
            bench.context.runOnContext(nothing -> read.countDown());
          });

      bench.onLoopAsync(() -> device.reserve(1000, 0));

      assertThat(read.await(20, TimeUnit.SECONDS)).isTrue();
      LoopBench.until(() -> noting.immediates() == 100);
      bench.fake.completeReceiveWithImm(number, 100, 0);
      LoopBench.until(() -> noting.immediates() == 101);
    }
  }

  @Test
  void spinningUsersHaveQueuesOfTheirOwn() {
    try (LoopBench bench = new LoopBench(true)) {
      DeviceLoop device = device(bench);
      CompletionQueue plain = bench.onLoopAsync(() -> device.reserve(16, 0)).queue();
      CompletionQueue spinning = bench.onLoopAsync(() -> device.reserve(16, 1000)).queue();

      assertThat(spinning).isNotSameAs(plain);
      assertThat(bench.onLoopAsync(() -> device.reserve(16, 1000)).queue()).isSameAs(spinning);
    }
  }

  @Test
  void moreThanAQueueOfTheDeviceHoldsIsRefusedNamingTheNumbers() {
    try (LoopBench bench = new LoopBench(true)) {
      DeviceLoop device = device(bench);

      Future<CompletionQueueShare> refused = bench.onLoop(() -> device.reserve(32_768, 0));

      LoopBench.until(refused::isComplete);
      assertThat(refused.cause())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("32768")
          .hasMessageContaining("32767")
          .hasMessageContaining("fake0");
      assertThat(bench.fake.calls("ibv_create_cq")).isEmpty();
    }
  }

  @Test
  void twoWhoAskAtOnceWhenThereIsNoQueueBothGetRoom() {
    try (LoopBench bench = new LoopBench(true)) {
      DeviceLoop device = device(bench);
      List<Future<CompletionQueueShare>> asked =
          bench.onLoop(() -> List.of(device.reserve(3000, 0), device.reserve(3000, 0)));

      CompletionQueueShare one = LoopBench.get(asked.get(0));
      CompletionQueueShare two = LoopBench.get(asked.get(1));

      assertThat(one.queue()).isSameAs(two.queue());
      assertThat(one.queue().capacity()).isGreaterThanOrEqualTo(6000);
    }
  }

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void eachHandlerGetsItsOwnAndOneEndPerBatch(boolean epoll) throws InterruptedException {
    try (LoopBench bench = new LoopBench(epoll)) {
      Noting first = new Noting();
      Noting second = new Noting();
      int one = bench.connected(first, 16, 0).number();
      int two = bench.connected(second, 16, 0).number();
      bench.fake.before(
          "poll_cq",
          call -> {
            bench.fake.asUsual("poll_cq");
            bench.fake.completeReceiveWithImm(two, 2, 0);
            bench.fake.completeReceiveWithImm(one, 3, 0);
            bench.fake.completeReceiveWithImm(two, 4, 0);
          });

      bench.fake.completeReceiveWithImm(one, 1, 0);

      LoopBench.until(() -> first.signals.size() == 3 && second.signals.size() == 3);
      bench.runOnLoop(() -> {});
      assertThat(first.signals).containsExactly(1L, 3L, "end");
      assertThat(second.signals).containsExactly(2L, 4L, "end");
    }
  }

  @Test
  void aHandlerThatThrowsCostsNobodyACompletion() throws InterruptedException {
    try (LoopBench bench = new LoopBench(true)) {
      RuntimeException thrown = new IllegalStateException("of a handler");
      Noting good = new Noting();
      Noting bad =
          new Noting() {
            @Override
            public void completion(WorkCompletions completions, int index) {
              super.completion(completions, index);
              throw thrown;
            }

            @Override
            public void batchEnd() {
              super.batchEnd();
              throw thrown;
            }
          };
      int one = bench.connected(bad, 16, 0).number();
      int two = bench.connected(good, 16, 0).number();
      bench.fake.before(
          "poll_cq",
          call -> {
            bench.fake.asUsual("poll_cq");
            bench.fake.completeReceiveWithImm(one, 2, 0);
            bench.fake.completeReceiveWithImm(two, 3, 0);
          });
      bench.fake.completeReceiveWithImm(one, 1, 0);

      LoopBench.until(() -> good.signals.size() == 2);
      bench.runOnLoop(() -> {});
      assertThat(bad.signals).containsExactly(1L, 2L, "end");
      assertThat(bench.takeUncaught()).hasSize(3).containsOnly(thrown);
    }
  }

  @Test
  void completionsNobodyWaitsForAreDropped() throws InterruptedException {
    try (LoopBench bench = new LoopBench(true)) {
      Noting gone = new Noting();
      Noting stays = new Noting();
      QueuePair one = bench.connected(gone, 16, 0);
      QueuePair two = bench.connected(stays, 16, 0);
      DeviceLoop device = device(bench);
      bench.runOnLoop(() -> device.unregister(one.number(), stays));
      bench.fake.completeReceiveWithImm(one.number(), 1, 0);
      LoopBench.until(() -> gone.immediates() == 1);

      bench.runOnLoop(() -> device.unregister(one.number(), gone));
      bench.fake.completeReceiveWithImm(one.number(), 2, 0);
      bench.fake.completeReceiveWithImm(two.number(), 3, 0);

      LoopBench.until(() -> stays.immediates() == 1);
      assertThat(gone.immediates()).isEqualTo(1);
    }
  }

  @ParameterizedTest(name = "epoll {0}")
  @ValueSource(booleans = {true, false})
  void aBurstBeyondTheBudgetIsReadWithoutAnotherEvent(boolean epoll) throws InterruptedException {
    try (LoopBench bench = new LoopBench(epoll)) {
      Noting noting = new Noting();
      int number = bench.connected(noting, 4000, 0).number();
      AtomicInteger otherTasks = new AtomicInteger();
      bench.fake.before(
          "poll_cq",
          call -> {
            bench.fake.asUsual("poll_cq");
            bench.context.runOnContext(nothing -> otherTasks.set((int) noting.immediates()));
            for (int i = 1; i < 4000; i++) {
              bench.fake.completeReceiveWithImm(number, i, 0);
            }
          });

      bench.fake.completeReceiveWithImm(number, 0, 0);

      LoopBench.until(() -> noting.immediates() == 4000);
      // Somebody else had a turn before the end.
      LoopBench.until(() -> otherTasks.get() > 0);
      assertThat(otherTasks.get()).isLessThan(4000);
    }
  }

  @Test
  void aFailingPollIsReported() throws InterruptedException {
    try (LoopBench bench = new LoopBench(true)) {
      Noting noting = new Noting();
      int number = bench.connected(noting, 16, 0).number();
      bench.fake.failNext("poll_cq", 5);
      bench.fake.completeReceiveWithImm(number, 1, 0);
      List<Throwable> reported = new ArrayList<>();
      LoopBench.until(
          () -> {
            reported.addAll(bench.takeUncaught());
            return !reported.isEmpty();
          });
      assertThat(reported).singleElement().asString().contains("ibv_poll_cq");
    }
  }
}
