package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertxrdma.core.nativeverbs.FakeCall;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class R3_SendQueueFullTest {

  private static final int DEPTH = 16;
  private static final int SIGNALED = 2;

  private final Bench bench = new Bench();
  private final List<Integer> completed = new CopyOnWriteArrayList<>();
  private final List<Throwable> failed = new CopyOnWriteArrayList<>();

  @AfterEach
  void tearDown() {
    bench.close();
  }

  private RdmaConnection connection() {
    return bench.connection(new RdmaClientOptions().setSendDepth(DEPTH));
  }

  private List<Future<Void>> write(RdmaConnection connection, int count) {
    List<Future<Void>> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      writes.add(
          connection
              .writeImmediate(i)
              .onSuccess(done -> completed.add(number))
              .onFailure(failed::add));
    }
    return writes;
  }

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void aThousandWritesOnADepthOfSixteenAllCompleteInOrder() {
    RdmaConnection connection = connection();

    Bench.get(Future.join(write(connection, 1000)));

    Bench.until("all handlers", () -> completed.size() == 1000);
    assertThat(completed).isEqualTo(numbers(1000));
    assertThat(connection.isOpen()).isTrue();
    assertThat(connection.counters().operationsCompleted()).isEqualTo(1000);
    assertThat(connection.counters().operationsOutstanding()).isZero();
  }

  @Test
  void theQueuePairNeverHoldsMoreThanItsDepthAndTheRestWaits() {
    bench.fake.holdSends(true);
    RdmaConnection connection = connection();
    write(connection, 100);
    int number = bench.lastQueuePair();
    Bench.until("the queue to fill", () -> bench.fake.pendingSends(number) == DEPTH);
    bench.settle();

    assertThat(bench.fake.pendingSends(number)).isEqualTo(DEPTH);
    assertThat(connection.counters().operationsOutstanding()).isEqualTo(DEPTH);
    assertThat(connection.counters().operationsWaiting()).isEqualTo(100 - DEPTH);
    assertThat(completed).isEmpty();

    bench.fake.holdSends(false);
    Bench.until("all handlers", () -> completed.size() == 100);
    assertThat(failed).isEmpty();
  }

  @Test
  void onlyTheLastOfAChainIsSignalledAndFreesThoseBeforeIt() {
    RdmaConnection connection = connection();

    // From the loop, so that they become one chain.
    bench.vertx.runOnContext(nothing -> write(connection, DEPTH));
    Bench.until("all handlers", () -> completed.size() == DEPTH);

    for (FakeCall post : bench.fake.calls("post_send")) {
      List<byte[]> chain = post.structs();
      for (int i = 0; i < chain.size(); i++) {
        int flags = ByteBuffer.wrap(chain.get(i)).order(ByteOrder.nativeOrder()).getInt(32);
        assertThat(flags & SIGNALED).isEqualTo(i == chain.size() - 1 ? SIGNALED : 0);
      }
    }
    assertThat(completed).isEqualTo(numbers(DEPTH));
    Bench.get(Future.join(write(connection, DEPTH)));
  }

  @ParameterizedTest
  @CsvSource({"0,12,12", "0,-1,12", "1,12,12", "5,12,12", "5,-1,12", "15,12,12"})
  void aFullDeviceQueueOnlyDelays(int accepted, int value, int errno) {
    RdmaConnection connection = connection();
    for (int i = 0; i < 20; i++) {
      bench.fake.refusePost("post_send", accepted, value, errno);
    }

    Bench.get(Future.join(write(connection, 1000)));

    Bench.until("all handlers", () -> completed.size() == 1000);
    assertThat(completed).isEqualTo(numbers(1000));
    assertThat(failed).isEmpty();
    assertThat(connection.isOpen()).isTrue();
    assertThat(bench.log.alarms()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1,12", "5,12"})
  void whatADeviceTookOfACutChainCompletesWithoutFurtherTraffic(int accepted, int value) {
    RdmaConnection connection = connection();
    bench.fake.refusePost("post_send", accepted, value, 12);

    bench.vertx.runOnContext(nothing -> write(connection, 10));

    Bench.until("all handlers", () -> completed.size() == 10);
    assertThat(completed).isEqualTo(numbers(10));
  }

  @ParameterizedTest
  @CsvSource({"0,22,22", "9,22,22", "5,-1,22"})
  void aRefusedOperationFailsAloneAndThoseBeforeItComplete(int accepted, int value, int errno) {
    RdmaConnection connection = connection();
    bench.fake.refusePost("post_send", accepted, value, errno);

    bench.vertx.runOnContext(nothing -> write(connection, 10));

    Bench.until("all handlers", () -> completed.size() + failed.size() == 10);
    assertThat(failed).singleElement().asString().contains("ibv_post_send", "EINVAL");
    assertThat(completed).hasSize(9).isSorted().doesNotContain(accepted);
    assertThat(connection.isOpen()).isTrue();
    Bench.get(connection.writeImmediate(1));
  }

  @Test
  void theWriteQueueTellsWhenItIsFullAndWhenItHasDrained() {
    bench.fake.holdSends(true);
    RdmaConnection connection = connection().setWriteQueueMaxSize(20);
    AtomicInteger drained = new AtomicInteger();
    connection.drainHandler(nothing -> drained.incrementAndGet());
    assertThat(connection.writeQueueFull()).isFalse();
    write(connection, 40);

    assertThat(connection.writeQueueFull()).isTrue();
    bench.settle();
    assertThat(drained).hasValue(0);

    bench.fake.holdSends(false);
    Bench.until("the drain handler", () -> drained.get() > 0);
    Bench.until("all handlers", () -> completed.size() == 40);
    bench.settle();
    assertThat(drained).hasValue(1);
    assertThat(connection.writeQueueFull()).isFalse();
  }
}
