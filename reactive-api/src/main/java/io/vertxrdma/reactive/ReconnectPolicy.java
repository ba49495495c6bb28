package io.vertxrdma.reactive;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Scheduler;
import io.reactivex.rxjava3.functions.Function;
import io.reactivex.rxjava3.schedulers.Schedulers;
import io.vertx.core.internal.ContextInternal;
import io.vertxrdma.reactive.impl.ConnectFailures;
import io.vertxrdma.reactive.impl.ContextScheduler;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import org.reactivestreams.Publisher;

/**
 * When to connect again after a failure, and when not: exponential backoff with jitter, a most
 * number of attempts, and which failures are worth it. Immutable.
 *
 * <p>It is the function that {@code retryWhen} takes. Each attempt has a fresh id and queue pair:
 *
 * <pre>{@code
 * client.rxConnect(18515, "server.example")
 *     .retryWhen(ReconnectPolicy.exponential(100, 30_000, TimeUnit.MILLISECONDS));
 * }</pre>
 *
 * <p>To have a connection again and again, see {@link RdmaClient#connections}.
 */
public final class ReconnectPolicy implements Function<Flowable<Throwable>, Publisher<?>> {

  /** The default first delay, milliseconds. */
  public static final long DEFAULT_FIRST_DELAY = 100;

  /** The default longest delay, milliseconds. */
  public static final long DEFAULT_LONGEST_DELAY = 30_000;

  /** The default part of a delay that is left to chance. */
  public static final double DEFAULT_JITTER = 0.5;

  /** No limit to the attempts. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  private static final long MAX_DELAY = TimeUnit.DAYS.toMillis(1);

  private final long firstDelay;
  private final long longestDelay;
  private final double jitter;
  private final int maxAttempts;
  private final Predicate<? super Throwable> worthwhile;
  private final Scheduler scheduler;
  private final DoubleSupplier random;

  private ReconnectPolicy(
      long firstDelay,
      long longestDelay,
      double jitter,
      int maxAttempts,
      Predicate<? super Throwable> worthwhile,
      Scheduler scheduler,
      DoubleSupplier random) {
    this.firstDelay = firstDelay;
    this.longestDelay = longestDelay;
    this.jitter = jitter;
    this.maxAttempts = maxAttempts;
    this.worthwhile = worthwhile;
    this.scheduler = scheduler;
    this.random = random;
  }

  /** From {@value #DEFAULT_FIRST_DELAY} ms to half a minute, without end. */
  public static ReconnectPolicy exponential() {
    return exponential(DEFAULT_FIRST_DELAY, DEFAULT_LONGEST_DELAY, TimeUnit.MILLISECONDS);
  }

  /**
   * A delay that doubles with each failure in a row, half of it left to chance, without end, after
   * {@linkplain #isTransient transient} failures.
   *
   * @param firstDelay the first delay, at least a millisecond
   * @param longestDelay where it stops growing, at most a day
   * @throws IllegalArgumentException when these are out of range or contradict
   */
  public static ReconnectPolicy exponential(long firstDelay, long longestDelay, TimeUnit unit) {
    long first = unit.toMillis(firstDelay);
    long longest = unit.toMillis(longestDelay);
    if (first < 1 || longest > MAX_DELAY || first > longest) {
      throw new IllegalArgumentException(
          "delays must be at least 1 ms, at most a day, and the first not above the longest, were "
              + first
              + " and "
              + longest
              + " ms");
    }
    return new ReconnectPolicy(
        first,
        longest,
        DEFAULT_JITTER,
        UNLIMITED,
        ReconnectPolicy::isTransient,
        null,
        () -> ThreadLocalRandom.current().nextDouble());
  }

  /**
   * Limits the attempts that may fail in a row, the first one included; then the last failure is
   * told.
   *
   * @param maxAttempts 1 or more; {@link #UNLIMITED} for no limit
   */
  public ReconnectPolicy withMaxAttempts(int maxAttempts) {
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("maxAttempts must be 1 or more, was " + maxAttempts);
    }
    return new ReconnectPolicy(
        firstDelay, longestDelay, jitter, maxAttempts, worthwhile, scheduler, random);
  }

  /**
   * Sets which part of a delay is left to chance, so that clients that lost their server together
   * do not come back together.
   *
   * @param jitter 0 for none, 1 for anything from nothing to the whole delay
   */
  public ReconnectPolicy withJitter(double jitter) {
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("jitter must be 0..1, was " + jitter);
    }
    return new ReconnectPolicy(
        firstDelay, longestDelay, jitter, maxAttempts, worthwhile, scheduler, random);
  }

  /**
   * Sets which failures are worth another attempt, instead of {@link #isTransient}. For a rejection
   * by the application, which is not, say for example {@code failure ->
   * ReconnectPolicy.isTransient(failure) || failure instanceof ConnectionRejectedException}.
   */
  public ReconnectPolicy withRetryable(Predicate<? super Throwable> worthwhile) {
    Objects.requireNonNull(worthwhile, "worthwhile");
    return new ReconnectPolicy(
        firstDelay, longestDelay, jitter, maxAttempts, worthwhile, scheduler, random);
  }

  /**
   * Sets whose clock the delays go by, instead of the Vert.x context on which the failure is told;
   * for tests with virtual time.
   */
  public ReconnectPolicy withScheduler(Scheduler scheduler) {
    Objects.requireNonNull(scheduler, "scheduler");
    return new ReconnectPolicy(
        firstDelay, longestDelay, jitter, maxAttempts, worthwhile, scheduler, random);
  }

  /** Sets what the jitter is drawn from: values from 0 to below 1. */
  public ReconnectPolicy withRandom(DoubleSupplier random) {
    Objects.requireNonNull(random, "random");
    return new ReconnectPolicy(
        firstDelay, longestDelay, jitter, maxAttempts, worthwhile, scheduler, random);
  }

  /**
   * Whether a failure to connect may go away by itself: nobody listens there, the peer is
   * unreachable or takes too long, it or the device went away meanwhile, a name or an address is
   * not known at present, or a server of this library is busy or shutting down. Not so when the
   * application over there said no, and not for what is wrong on this side: arguments, parameters,
   * memory limits, a closed client, no provider.
   */
  public static boolean isTransient(Throwable failure) {
    return ConnectFailures.isTransient(failure);
  }

  /** Whether a failure is worth another attempt. */
  public boolean isWorthwhile(Throwable failure) {
    return worthwhile.test(failure);
  }

  /** Attempts that may fail in a row. */
  public int maxAttempts() {
    return maxAttempts;
  }

  /** The longest delay, without jitter, in milliseconds. */
  public long longestDelayMillis() {
    return longestDelay;
  }

  /** The scheduler that was set, or null. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /**
   * The delay after so many failures in a row, in milliseconds; each call draws anew.
   *
   * @param failures 1 or more
   */
  public long delayMillis(int failures) {
    if (failures < 1) {
      throw new IllegalArgumentException("failures must be 1 or more, were " + failures);
    }
    int doublings = Math.min(failures - 1, Long.numberOfLeadingZeros(firstDelay) - 1);
    long delay = Math.min(longestDelay, firstDelay << doublings);
    return Math.round(delay - delay * jitter * random.getAsDouble());
  }

  /** The form that {@code retryWhen} takes: called once for each subscription. */
  @Override
  public Publisher<?> apply(Flowable<Throwable> failures) {
    int[] inRow = {0};
    return failures.concatMap(
        failure ->
            isWorthwhile(failure) && ++inRow[0] < maxAttempts
                ? Flowable.timer(delayMillis(inRow[0]), TimeUnit.MILLISECONDS, timers())
                : Flowable.error(failure));
  }

  private Scheduler timers() {
    if (scheduler != null) {
      return scheduler;
    }
    ContextInternal context = ContextInternal.current();
    return context == null ? Schedulers.computation() : new ContextScheduler(context);
  }
}
