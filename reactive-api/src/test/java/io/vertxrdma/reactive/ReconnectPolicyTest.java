package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.observers.TestObserver;
import io.reactivex.rxjava3.schedulers.TestScheduler;
import io.vertxrdma.cm.HandshakeRejectedException;
import io.vertxrdma.cm.HandshakeRejection;
import io.vertxrdma.cm.HandshakeRejection.Code;
import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.ConnectException;
import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.core.ConnectionRejectedException;
import io.vertxrdma.core.DeviceRemovedException;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.UnreachableException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReconnectPolicyTest {

  private static final Throwable NO_LISTENER = new ConnectionRejectedException(8, new byte[0]);

  private final TestScheduler time = new TestScheduler();

  private ReconnectPolicy policy(long first, long longest) {
    return ReconnectPolicy.exponential(first, longest, TimeUnit.MILLISECONDS)
        .withScheduler(time)
        .withJitter(0);
  }

  @Test
  void delaysDoubleUpToTheLongest() {
    ReconnectPolicy policy = policy(100, 1000);

    assertThat(IntStream.rangeClosed(1, 6).mapToLong(policy::delayMillis))
        .containsExactly(100L, 200L, 400L, 800L, 1000L, 1000L);
    assertThat(policy.delayMillis(Integer.MAX_VALUE)).isEqualTo(1000);
  }

  @Test
  void jitterTakesAwayUpToItsPartOfADelay() {
    ReconnectPolicy policy = policy(100, 1000).withJitter(0.5);

    assertThat(policy.withRandom(() -> 0).delayMillis(2)).isEqualTo(200);
    assertThat(policy.withRandom(() -> 0.5).delayMillis(2)).isEqualTo(150);
    assertThat(policy.withRandom(() -> 0.999_999).delayMillis(2)).isEqualTo(100);
    assertThat(IntStream.range(0, 1000).mapToLong(i -> policy.delayMillis(2)))
        .allMatch(delay -> delay >= 100 && delay <= 200)
        .anyMatch(delay -> delay != 200);
  }

  @Test
  void valuesOutOfRangeAreRefusedNamingThem() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReconnectPolicy.exponential(0, 5, TimeUnit.SECONDS))
        .withMessageContaining("were 0 and 5000 ms");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReconnectPolicy.exponential(2, 1, TimeUnit.SECONDS))
        .withMessageContaining("2000 and 1000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReconnectPolicy.exponential(1, 2, TimeUnit.DAYS));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReconnectPolicy.exponential().withMaxAttempts(0))
        .withMessageContaining("was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReconnectPolicy.exponential().withJitter(Double.NaN))
        .withMessageContaining("NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReconnectPolicy.exponential().delayMillis(0));
  }

  static Stream<Throwable> transientFailures() {
    ConnectException several = new ConnectException("rdma_connect", 0, "", "no address");
    several.addSuppressed(new IllegalArgumentException("bad"));
    several.addSuppressed(NO_LISTENER);
    return Stream.of(
        NO_LISTENER,
        new ConnectionRejectedException(10, new byte[148]),
        new ConnectionRejectedException(-111, new byte[0]),
        rejection(Code.BUSY),
        rejection(Code.SHUTTING_DOWN),
        new UnreachableException("rdma_connect", -110, "ETIMEDOUT", "x"),
        new ConnectTimeoutException("rdma_connect", -110, "ETIMEDOUT", "x"),
        new DeviceRemovedException("rdma_connect", 0, "", "x"),
        new ConnectionClosedException("rdma_connect", 0, "", "x"),
        new AddressException("rdma_resolve_addr", -19, "ENODEV", "x"),
        new AddressException("name lookup", 0, "", "x"),
        new ConnectException("rdma_connect", -110, "ETIMEDOUT", "RDMA_CM_EVENT_CONNECT_ERROR"),
        several);
  }

  static Stream<Throwable> lastingFailures() {
    return Stream.of(
        new ConnectionRejectedException(28, new byte[148]),
        new ConnectionRejectedException(28, new byte[] {1}),
        new ConnectionRejectedException(-111, new byte[] {1}),
        rejection(Code.VERSION),
        new IllegalArgumentException("private data too long"),
        new IllegalStateException("the client is closed"),
        new AddressException("rdma_resolve_addr", -97, "EAFNOSUPPORT", "x"),
        new ConnectException("rdma_connect", 22, "EINVAL", "x"),
        RdmaException.ofErrno("rdma_create_qp", 12));
  }

  private static Throwable rejection(Code code) {
    HandshakeRejection reason = HandshakeRejection.of(code, "because");
    return new HandshakeRejectedException(28, reason.encode(), reason);
  }

  @ParameterizedTest
  @MethodSource("transientFailures")
  void whatMayGoAwayByItselfIsWorthAnotherAttempt(Throwable failure) {
    assertThat(ReconnectPolicy.exponential().isWorthwhile(failure)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("lastingFailures")
  void whatAnApplicationDecidedOrThisSideDidWrongIsNot(Throwable failure) {
    assertThat(ReconnectPolicy.exponential().isWorthwhile(failure)).isFalse();
    assertThat(ReconnectPolicy.exponential().withRetryable(anything -> true).isWorthwhile(failure))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void retryWhenTriesAgainAfterEachDelayUntilItSucceeds(int failures) {
    AtomicInteger attempts = new AtomicInteger();
    TestObserver<Integer> observer =
        Single.fromCallable(
                () -> {
                  if (attempts.incrementAndGet() <= failures) {
                    throw (RuntimeException) NO_LISTENER;
                  }
                  return attempts.get();
                })
            .retryWhen(policy(100, 400))
            .test();

    for (int i = 1; i <= failures; i++) {
      long delay = Math.min(400, 50L << i);
      time.advanceTimeBy(delay - 1, TimeUnit.MILLISECONDS);
      assertThat(attempts).hasValue(i);
      time.advanceTimeBy(1, TimeUnit.MILLISECONDS);
      assertThat(attempts).hasValue(i + 1);
    }
    observer.assertResult(failures + 1);
  }

  @Test
  void retryWhenStopsAtTheMostAttemptsWithTheLastFailureAndCountsForEachSubscriberAnew() {
    AtomicInteger attempts = new AtomicInteger();
    Single<Object> connect =
        Single.error(
                () -> {
                  attempts.incrementAndGet();
                  return NO_LISTENER;
                })
            .retryWhen(policy(100, 400).withMaxAttempts(3));

    for (int i = 1; i <= 2; i++) {
      TestObserver<Object> observer = connect.test();
      time.advanceTimeBy(1, TimeUnit.HOURS);
      observer.assertError(NO_LISTENER);
      assertThat(attempts).hasValue(3 * i);
    }
  }

  @Test
  void retryWhenTellsALastingFailureAtOnce() {
    IllegalArgumentException lasting = new IllegalArgumentException("no");

    Single.error(lasting).retryWhen(policy(100, 400)).test().assertError(lasting);
  }
}
