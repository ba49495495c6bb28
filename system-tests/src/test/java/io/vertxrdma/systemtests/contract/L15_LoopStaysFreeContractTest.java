package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** A connect that waits doesn't hold up the event loop it belongs to. */
class L15_LoopStaysFreeContractTest {

  private static final int CHECKED_MILLIS = 500;
  private static final int PERIOD_MILLIS = 10;

  @RegisterExtension final ContractRig rig = new ContractRig();
  private final Logger checker =
      (Logger) LoggerFactory.getLogger("io.vertx.core.impl.BlockedThreadChecker");
  private final ListAppender<ILoggingEvent> warnings = new ListAppender<>();
  private Vertx vertx;

  @BeforeEach
  void listen_to_the_checker() {
    warnings.start();
    checker.addAppender(warnings);
    vertx =
        Vertx.vertx(
            new VertxOptions()
                .setPreferNativeTransport(true)
                .setMaxEventLoopExecuteTime(CHECKED_MILLIS)
                .setMaxEventLoopExecuteTimeUnit(TimeUnit.MILLISECONDS)
                .setBlockedThreadCheckInterval(50));
  }

  @AfterEach
  void close() {
    checker.detachAppender(warnings);
    rig.await(vertx.close());
  }

  @Test
  void a_timer_of_the_same_loop_goes_on_while_nobody_answers_a_connect() {
    ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();
    // Once to load classes, which takes its time in an emulated machine.
    connectInVain(context);
    AtomicLong ticks = new AtomicLong();
    AtomicLong largestLateness = new AtomicLong();
    Promise<Long> ticking = Promise.promise();
    context.runOnContext(
        nothing -> {
          AtomicLong last = new AtomicLong(System.nanoTime());
          ticking.complete(
              vertx.setPeriodic(
                  PERIOD_MILLIS,
                  timer -> {
                    long now = System.nanoTime();
                    long lateness = now - last.getAndSet(now) - PERIOD_MILLIS * 1_000_000L;
                    largestLateness.accumulateAndGet(lateness, Math::max);
                    ticks.incrementAndGet();
                  }));
        });
    long timer = rig.await(ticking.future());
    warnings.list.clear();

    connectInVain(context);

    vertx.cancelTimer(timer);
    assertThat(warnings.list).as("blocked thread warnings").isEmpty();
    assertThat(ticks.get()).as("ticks").isPositive();
    System.out.printf(
        "%d ticks of %d ms during a connect of 1 s, the latest by %.1f ms%n",
        ticks.get(), PERIOD_MILLIS, largestLateness.get() / 1e6);
    assertThatTheCheckerIsHeard(context);
  }

  private void connectInVain(ContextInternal context) {
    Promise<RdmaConnection> outcome = Promise.promise();
    context.runOnContext(
        nothing -> {
          RdmaClient client =
              RdmaClient.create(
                  vertx, new RdmaClientOptions().setConnectTimeout(1_000), rig.provider());
          client
              .connect(18_515, rig.silentAddress())
              .onComplete(done -> client.close().onComplete(closed -> outcome.handle(done)));
        });
    assertThat(rig.awaitFailure(outcome.future())).isInstanceOf(ConnectTimeoutException.class);
  }

  /** Without this, silence would prove nothing. */
  private void assertThatTheCheckerIsHeard(ContextInternal context) {
    CountDownLatch heard = new CountDownLatch(1);
    context.runOnContext(
        nothing -> {
          try {
            heard.await(ContractRig.TIMEOUT_SECONDS, TimeUnit.SECONDS);
          } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
          }
        });
    Traffic.eventually("a blocked loop is warned of", () -> !warnings.list.isEmpty());
    heard.countDown();
  }
}
