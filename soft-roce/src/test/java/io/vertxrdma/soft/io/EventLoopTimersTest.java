package io.vertxrdma.soft.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioIoHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventLoopTimersTest {

  private static final long MS = EventLoopTimers.TICK;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<String> ran = new ArrayList<>();
  private long now = 1_000_000_007L;
  private EventLoopTimers timers;

  @BeforeEach
  void stopTheClock() {
    channel.freezeTime();
    timers = new EventLoopTimers(channel.eventLoop(), () -> now);
  }

  @AfterEach
  void close() {
    channel.close();
  }

  private void advance(long nanos) {
    now += nanos;
    channel.advanceTimeBy(nanos, TimeUnit.NANOSECONDS);
    channel.runPendingTasks();
    channel.runScheduledPendingTasks();
  }

  private boolean isWakeupPlanned() {
    return channel.hasPendingTasks() || channel.runScheduledPendingTasks() >= 0;
  }

  @Test
  void a_timeout_runs_once_after_its_delay_and_never_before() {
    timers.schedule(5 * MS, () -> ran.add("a"));
    advance(5 * MS - 1);
    assertThat(ran).isEmpty();
    advance(1);
    assertThat(ran).containsExactly("a");
    advance(100 * MS);
    assertThat(ran).containsExactly("a");
  }

  @Test
  void a_delay_is_rounded_up_to_a_tick() {
    advance(MS / 2);
    timers.schedule(1, () -> ran.add("a"));
    timers.schedule(0, () -> ran.add("b"));
    assertThat(ran).isEmpty();
    advance(MS);
    assertThat(ran).containsExactly("a", "b");
  }

  @Test
  void timeouts_run_in_the_order_of_their_ticks() {
    timers.schedule(30 * MS, () -> ran.add("30"));
    timers.schedule(10 * MS, () -> ran.add("10"));
    timers.schedule(20 * MS, () -> ran.add("20"));
    advance(40 * MS);
    assertThat(ran).containsExactly("10", "20", "30");
  }

  @Test
  void a_cancelled_timeout_does_not_run_not_even_when_another_of_its_tick_cancels_it() {
    Timers.Timeout[] second = new Timers.Timeout[1];
    timers.schedule(
        MS,
        () -> {
          ran.add("first");
          second[0].cancel();
        });
    second[0] = timers.schedule(MS, () -> ran.add("second"));
    Timers.Timeout third = timers.schedule(MS, () -> ran.add("third"));
    third.cancel();
    third.cancel();
    advance(10 * MS);
    assertThat(ran).containsExactly("first");
    second[0].cancel();
  }

  @Test
  void without_timeouts_the_event_loop_has_nothing_to_do() {
    assertThat(isWakeupPlanned()).isFalse();
    Timers.Timeout timeout = timers.schedule(MS, () -> ran.add("a"));
    assertThat(isWakeupPlanned()).isTrue();
    timeout.cancel();
    advance(2 * MS);
    assertThat(isWakeupPlanned()).isFalse();
    timers.schedule(MS, () -> ran.add("b"));
    advance(2 * MS);
    assertThat(ran).containsExactly("b");
    assertThat(isWakeupPlanned()).isFalse();
  }

  @Test
  void an_earlier_timeout_brings_the_wakeup_forward_and_the_later_one_still_comes() {
    timers.schedule(500 * MS, () -> ran.add("late"));
    timers.schedule(2 * MS, () -> ran.add("early"));
    advance(2 * MS);
    assertThat(ran).containsExactly("early");
    advance(498 * MS);
    assertThat(ran).containsExactly("early", "late");
  }

  @Test
  void delays_longer_than_the_wheel_take_their_rounds() {
    long delay = 3L * EventLoopTimers.SLOTS * MS + 7 * MS;
    timers.schedule(delay, () -> ran.add("a"));
    timers.schedule(7 * MS, () -> ran.add("same slot"));
    for (long passed = 0; passed < delay - MS; passed += MS) {
      advance(MS);
    }
    assertThat(ran).containsExactly("same slot");
    advance(MS);
    assertThat(ran).containsExactly("same slot", "a");
    timers.schedule(Long.MAX_VALUE, () -> ran.add("never"));
    advance(10_000 * MS);
    assertThat(ran).hasSize(2);
  }

  @Test
  void a_timeout_that_throws_does_not_stop_the_others() {
    timers.schedule(
        MS,
        () -> {
          throw new IllegalStateException("expected by the test");
        });
    timers.schedule(MS, () -> ran.add("b"));
    timers.schedule(2 * MS, () -> ran.add("c"));
    advance(2 * MS);
    assertThat(ran).containsExactly("b", "c");
  }

  @Test
  void a_timeout_may_start_the_next_one() {
    timers.schedule(
        MS, () -> timers.schedule(MS, () -> timers.schedule(0, () -> ran.add("third"))));
    advance(MS);
    advance(MS);
    assertThat(ran).isEmpty();
    advance(MS);
    assertThat(ran).containsExactly("third");
  }

  @Test
  void after_close_nothing_runs() {
    timers.schedule(MS, () -> ran.add("a"));
    timers.close();
    timers.schedule(MS, () -> ran.add("b"));
    advance(10 * MS);
    assertThat(ran).isEmpty();
  }

  @Test
  void a_negative_delay_is_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> timers.schedule(-1, () -> {}));
  }

  @Test
  void thousands_started_and_cancelled_at_random_run_exactly_when_due() {
    SplittableRandom random = new SplittableRandom(7);
    AtomicInteger wrong = new AtomicInteger();
    int expected = 0;
    AtomicInteger count = new AtomicInteger();
    List<Timers.Timeout> toCancel = new ArrayList<>();
    long longest = 0;
    for (int i = 0; i < 20_000; i++) {
      long delay = random.nextLong(6_000) * MS / 3;
      long due = now + delay;
      longest = Math.max(longest, delay);
      Runnable task =
          () -> {
            count.incrementAndGet();
            if (now < due || now > due + 3 * MS) {
              wrong.incrementAndGet();
            }
          };
      Timers.Timeout timeout = timers.schedule(delay, task);
      if (random.nextInt(4) == 0 && delay > 20 * MS) {
        toCancel.add(timeout);
      } else {
        expected++;
      }
      if (i % 1000 == 0) {
        advance(MS);
        toCancel.forEach(Timers.Timeout::cancel);
        toCancel.clear();
      }
    }
    toCancel.forEach(Timers.Timeout::cancel);
    for (long passed = 0; passed <= longest + MS; passed += MS) {
      advance(MS);
    }
    assertThat(wrong).hasValue(0);
    assertThat(count).hasValue(expected);
  }

  @Test
  void any_thread_may_start_and_cancel_and_all_run_on_the_event_loop() throws Exception {
    MultiThreadIoEventLoopGroup group =
        new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      EventLoop loop = group.next();
      EventLoopTimers real = new EventLoopTimers(loop);
      int threads = 4;
      int each = 2_000;
      CountDownLatch all = new CountDownLatch(threads * each);
      AtomicInteger wrong = new AtomicInteger();
      List<Thread> started = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Thread thread =
            new Thread(
                () -> {
                  for (int i = 0; i < each; i++) {
                    real.schedule(60_000 * MS, wrong::incrementAndGet).cancel();
                    long delay = (i & 7) * MS / 4;
                    long from = real.nanoTime();
                    real.schedule(
                        delay,
                        () -> {
                          if (!loop.inEventLoop() || real.nanoTime() - from < delay) {
                            wrong.incrementAndGet();
                          }
                          all.countDown();
                        });
                  }
                });
        thread.start();
        started.add(thread);
      }
      for (Thread thread : started) {
        thread.join();
      }
      assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(wrong).hasValue(0);
      real.close();
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
  }
}
