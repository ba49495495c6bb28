package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.DefaultSubscriber;
import io.vertxrdma.reactive.ConnectionCounters;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.WorkRequest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A sender without throttle and a subscriber that is slower: an RNR costs little, no cliff. */
class S1_RnrTimerContractTest {

  private static final int WRITES = Integer.getInteger("vertx.rdma.test.writes", 100_000);
  private static final int PORTION = 2_000;
  private static final long LOOK_MILLIS = 2;
  private static final long HANDLER_NANOS = 20_000;
  private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** What one RNR costs with the timer that the connection manager leaves: 655.36 ms. */
  private static final long CLIFF_NANOS = TimeUnit.MILLISECONDS.toNanos(600);

  @RegisterExtension final ContractRig rig = new ContractRig();
  private final AtomicLong received = new AtomicLong();
  private final AtomicLong pauses = new AtomicLong();
  private final AtomicLong cliffs = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();
  private final AtomicReference<String> wrong = new AtomicReference<>();

  /** Takes a portion, rests until the peer has met an empty receive queue, takes the next. */
  private final class Slow extends DefaultSubscriber<Immediate> {

    private final RdmaConnection server;
    private long last;

    Slow(RdmaConnection server) {
      this.server = server;
    }

    @Override
    protected void onStart() {
      request(PORTION);
    }

    @Override
    public void onNext(Immediate immediate) {
      long now = System.nanoTime();
      if (last != 0) {
        longest.accumulateAndGet(now - last, Math::max);
        if (now - last > LONG_NANOS) {
          pauses.incrementAndGet();
        }
        if (now - last > CLIFF_NANOS) {
          cliffs.incrementAndGet();
        }
      }
      while (System.nanoTime() - now < HANDLER_NANOS) {
        Thread.onSpinWait();
      }
      if (immediate.value() != received.get()) {
        wrong.compareAndSet(null, immediate.value() + " came at place " + received.get());
      }
      last = System.nanoTime();
      if (received.incrementAndGet() % PORTION == 0) {
        rest(server.counters().receivesExhausted());
      }
    }

    private void rest(long exhaustedBefore) {
      rig.vertx()
          .setPeriodic(
              LOOK_MILLIS,
              timer -> {
                ConnectionCounters now = server.counters();
                if (now.receivesExhausted() > exhaustedBefore
                    || now.receivesPosted() == 0
                    || now.immediatesReceived() == WRITES) {
                  rig.vertx().cancelTimer(timer);
                  // The rest is meant; what comes after the 256 that wait here is what counts.
                  last = 0;
                  request(PORTION);
                }
              });
    }

    @Override
    public void onError(Throwable failure) {
      wrong.compareAndSet(null, failure.toString());
    }

    @Override
    public void onComplete() {}
  }

  @Test
  void running_out_of_receives_does_not_cost_the_timer_that_the_connection_manager_leaves() {
    ContractRig.Pair pair = rig.pair(new RdmaServerOptions(), new RdmaClientOptions());
    assertThat(pair.server().negotiated().minRnrTimer()).as("0.64 ms").isEqualTo(12);
    pair.server().immediates().subscribe(new Slow(pair.server()));

    long begun = System.nanoTime();
    pair.client()
        .rxPostAll(Flowable.range(0, WRITES).map(i -> WorkRequest.writeWithImmediate(null, i)), 512)
        .blockingAwait();
    rig.until("all arrive", () -> received.get() == WRITES || wrong.get() != null);

    System.out.printf(
        "%d immediates in %d ms, %d times no receive was left, %d pauses above 100 ms, longest %d ms%n",
        received.get(),
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun),
        pair.server().counters().receivesExhausted(),
        pauses.get(),
        TimeUnit.NANOSECONDS.toMillis(longest.get()));
    assertThat(wrong).hasNullValue();
    assertThat(pair.server().counters().receivesExhausted())
        .as("times the receives were too few")
        .isPositive();
    // With that timer each of them would cost it; a busy machine may halt a few times, too.
    assertThat(cliffs.get())
        .as("pauses as long as that timer")
        .isLessThanOrEqualTo(pair.server().counters().receivesExhausted() / 10);
    assertThat(pair.server().isOpen()).isTrue();
    assertThat(pair.client().isOpen()).isTrue();
  }
}
