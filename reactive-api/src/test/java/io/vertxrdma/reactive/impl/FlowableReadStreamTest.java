package io.vertxrdma.reactive.impl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.reactive.Bench;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FlowableReadStreamTest {

  private final List<Object> signals = new CopyOnWriteArrayList<>();
  private Vertx vertx;
  private ContextInternal context;
  private QueueFlowable<Integer> source;
  private FlowableReadStream<Integer> stream;

  @BeforeEach
  void setUp() {
    vertx = Vertx.vertx();
    context = ((VertxInternal) vertx).createEventLoopContext();
    source = new QueueFlowable<>(context, "numbers()");
    stream = new FlowableReadStream<>(source);
    stream.endHandler(nothing -> signals.add("end")).exceptionHandler(signals::add);
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

  private void offer(int... numbers) {
    onLoop(
        () -> {
          for (int number : numbers) {
            source.offer(number);
          }
        });
  }

  @Test
  void itFlowsFromTheBeginning() {
    onLoop(() -> stream.handler(signals::add));

    offer(1, 2, 3);

    assertThat(signals).containsExactly(1, 2, 3);
  }

  @Test
  void pausedItTakesNothingAndFetchTakesThatMany() {
    onLoop(() -> stream.pause().handler(signals::add));
    offer(1, 2, 3, 4);
    assertThat(signals).isEmpty();

    onLoop(() -> stream.fetch(2));
    assertThat(signals).containsExactly(1, 2);
    onLoop(() -> assertThat(source.size()).isEqualTo(2));

    onLoop(() -> stream.fetch(1));
    assertThat(signals).containsExactly(1, 2, 3);
    onLoop(() -> stream.fetch(0));
    assertThat(signals).containsExactly(1, 2, 3);

    onLoop(stream::resume);
    assertThat(signals).containsExactly(1, 2, 3, 4);
  }

  @Test
  void aPauseInsideTheHandlerHoldsAtTheNextItem() {
    onLoop(
        () ->
            stream.handler(
                number -> {
                  signals.add(number);
                  if (number == 2) {
                    stream.pause();
                  }
                }));

    offer(1, 2, 3, 4);

    assertThat(signals).containsExactly(1, 2);
    onLoop(() -> assertThat(source.size()).isEqualTo(2));
    onLoop(stream::resume);
    assertThat(signals).containsExactly(1, 2, 3, 4);
  }

  @Test
  void pausedAfterManyResumesItStillTakesNothing() {
    onLoop(() -> stream.handler(signals::add));
    for (int i = 0; i < 5; i++) {
      onLoop(() -> stream.pause().resume());
    }
    onLoop(stream::pause);

    offer(1, 2, 3, 4, 5, 6, 7, 8);
    onLoop(() -> {});

    assertThat(signals).isEmpty();
    onLoop(stream::resume);
    assertThat(signals).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void theEndComesOnceAfterTheLastItem() {
    onLoop(() -> stream.pause().handler(signals::add));
    offer(1);
    onLoop(() -> source.finish(null));
    assertThat(signals).isEmpty();

    onLoop(stream::resume);

    assertThat(signals).containsExactly(1, "end");
  }

  @Test
  void aFailureGoesToTheExceptionHandlerAndThenItEnds() {
    IllegalStateException lost = new IllegalStateException("lost");
    onLoop(() -> stream.handler(signals::add));
    offer(1);

    onLoop(() -> source.finish(lost));

    assertThat(signals).containsExactly(1, lost, "end");
  }

  @Test
  void withoutAHandlerItLetsGoAndAnotherMayTakeOver() {
    onLoop(() -> stream.handler(signals::add));
    offer(1);
    onLoop(() -> stream.handler(null));
    offer(2);
    assertThat(signals).containsExactly(1);

    source.test().awaitCount(1).assertValuesOnly(2);
  }

  @Test
  void theHandlerMayBeReplacedWhileItFlows() {
    onLoop(() -> stream.handler(signals::add));
    offer(1);
    onLoop(() -> stream.handler(number -> signals.add("new " + number)));

    offer(2);

    assertThat(signals).containsExactly(1, "new 2");
  }

  @Test
  void aNegativeFetchIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> stream.fetch(-1))
        .withMessageContaining("-1");
  }

  @Test
  void aSecondStreamOverTheSameSourceFailsAndTheFirstGoesOn() {
    onLoop(() -> stream.handler(signals::add));
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    onLoop(
        () ->
            new FlowableReadStream<>(source)
                .exceptionHandler(failures::add)
                .handler(number -> signals.add("second " + number)));

    offer(1);

    assertThat(failures).singleElement().isInstanceOf(IllegalStateException.class);
    assertThat(signals).containsExactly(1);
  }
}
