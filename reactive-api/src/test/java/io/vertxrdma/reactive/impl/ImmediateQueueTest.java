package io.vertxrdma.reactive.impl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.reactive.Bench;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaConnection;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImmediateQueueTest {

  private final List<Integer> credits = new ArrayList<>();
  private final RdmaConnection connection =
      (RdmaConnection)
          Proxy.newProxyInstance(
              ImmediateQueueTest.class.getClassLoader(),
              new Class<?>[] {RdmaConnection.class},
              (proxy, method, arguments) -> method.getName().equals("toString") ? "c" : null);
  private Vertx vertx;
  private ContextInternal context;

  @BeforeEach
  void setUp() {
    vertx = Vertx.vertx();
    context = ((VertxInternal) vertx).createEventLoopContext();
  }

  @AfterEach
  void tearDown() {
    Bench.get(vertx.close());
  }

  private void onLoop(Runnable task) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    context.runOnContext(
        nothing -> {
          try {
            task.run();
            done.complete(null);
          } catch (Throwable failure) {
            done.completeExceptionally(failure);
          }
        });
    done.orTimeout(20, TimeUnit.SECONDS).join();
  }

  private ImmediateQueue queue(int depth) {
    return new ImmediateQueue(context, connection, depth, credits::add);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8, 256})
  void aFullRingKeepsItsOrderOverManyRounds(int depth) {
    ImmediateQueue queue = queue(depth);
    TestSubscriber<Immediate> subscriber = queue.test(0);
    int next = 0;
    for (int round = 0; round < 5; round++) {
      int from = next;
      onLoop(
          () -> {
            for (int i = 0; i < depth; i++) {
              queue.push(from + i, from + i + 1, 0);
            }
            queue.deliver();
            assertThat(queue.size()).isEqualTo(depth);
          });
      next += depth;
      subscriber.request(depth);
      subscriber.awaitCount(next);
      onLoop(() -> assertThat(queue.size()).isZero());
    }
    for (int i = 0; i < next; i++) {
      Immediate immediate = subscriber.values().get(i);
      assertThat(immediate.value()).isEqualTo(i);
      assertThat(immediate.byteLength()).isEqualTo(i + 1);
      assertThat(immediate.connection()).isSameAs(connection);
    }
    int handed = next;
    onLoop(() -> assertThat(credits.stream().mapToInt(Integer::intValue).sum()).isEqualTo(handed));
  }

  @Test
  void aCreditIsReturnedOnceForEachThatWasHandedOverAndForNoOther() {
    ImmediateQueue queue = queue(8);
    TestSubscriber<Immediate> subscriber = queue.test(3);
    onLoop(
        () -> {
          for (int i = 0; i < 8; i++) {
            queue.push(i, 0, 0);
          }
          queue.deliver();
          queue.deliver();
          assertThat(credits).containsExactly(3);
        });

    subscriber.request(1);
    subscriber.awaitCount(4);
    onLoop(() -> assertThat(credits).containsExactly(3, 1));
    onLoop(() -> assertThat(queue.discard()).isEqualTo(4));
    onLoop(() -> assertThat(credits).containsExactly(3, 1));
  }

  @Test
  void aHandlerTakesAllThatWaitsAndStopsWhereItIsRemoved() {
    ImmediateQueue queue = queue(8);
    List<Integer> taken = new ArrayList<>();
    onLoop(
        () -> {
          for (int i = 0; i < 5; i++) {
            queue.push(i, 0, 0);
          }
          queue.setHandler(
              (on, immediate, length) -> {
                taken.add(immediate);
                if (immediate == 2) {
                  queue.setHandler(null);
                }
              });
          assertThat(taken).containsExactly(0, 1, 2);
          assertThat(credits).containsExactly(3);
          assertThat(queue.size()).isEqualTo(2);
        });

    queue.test().awaitCount(2).assertValueCount(2);
  }

  @Test
  void handlerAndSubscriberExcludeEachOther() {
    ImmediateQueue queue = queue(8);
    TestSubscriber<Immediate> subscriber = queue.test();
    onLoop(
        () -> {
          assertThatIllegalStateException()
              .isThrownBy(() -> queue.setHandler((on, immediate, length) -> {}));
          assertThat(queue.hasHandler()).isFalse();
        });

    subscriber.cancel();
    onLoop(() -> queue.setHandler((on, immediate, length) -> {}));

    onLoop(() -> assertThat(queue.hasHandler()).isTrue());
  }

  @Test
  void theEndWaitsForWhatIsQueued() {
    ImmediateQueue queue = queue(4);
    TestSubscriber<Immediate> subscriber = queue.test(0);
    onLoop(
        () -> {
          queue.push(1, 0, 0);
          queue.finish(null);
        });
    subscriber.assertNotComplete();

    subscriber.request(1);

    subscriber.awaitDone(20, TimeUnit.SECONDS).assertValueCount(1).assertComplete();
  }

  @ParameterizedTest(name = "by handler {0}")
  @ValueSource(booleans = {false, true})
  void aBacklogLeavesOthersTheirTurnAndEndsAfterItsLast(boolean byHandler) {
    ImmediateQueue queue = queue(1000);
    List<Integer> taken = new ArrayList<>();
    List<Integer> seenByOthers = new ArrayList<>();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    onLoop(
        () -> {
          for (int i = 0; i < 1000; i++) {
            queue.push(i, 0, 0);
          }
          context.nettyEventLoop().execute(() -> seenByOthers.add(taken.size()));
          if (byHandler) {
            queue.setHandler((on, value, length) -> taken.add(value));
          } else {
            queue.subscribe(
                each -> taken.add(each.intValue()), e -> {}, () -> ended.complete(null));
          }
          seenByOthers.add(taken.size());
          // More completions of the same turn don't lengthen it.
          queue.push(1000, 0, 0);
          queue.deliver();
          seenByOthers.add(taken.size());
          queue.finish(null);
        });
    if (byHandler) {
      onLoop(() -> queue.setHandler(null));
      onLoop(
          () -> {
            assertThat(taken.size() + queue.size()).isEqualTo(1001);
            queue.subscribe(
                each -> taken.add(each.intValue()), e -> {}, () -> ended.complete(null));
          });
    }
    ended.orTimeout(20, TimeUnit.SECONDS).join();
    // The last credits go back after the end was told, in the same turn.
    onLoop(() -> {});

    assertThat(seenByOthers).hasSize(3).allMatch(count -> count <= LoopFlowable.TURN);
    assertThat(taken).hasSize(1001).isSorted();
    assertThat(credits.stream().mapToInt(Integer::intValue).sum()).isEqualTo(1001);
  }
}
