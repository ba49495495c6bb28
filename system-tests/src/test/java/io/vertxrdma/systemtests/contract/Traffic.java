package io.vertxrdma.systemtests.contract;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;

/** What the data path tests send, read and wait for. */
final class Traffic {

  private static final Duration LIMIT = Duration.ofSeconds(ContractRig.TIMEOUT_SECONDS);

  private Traffic() {}

  /** Waits until it is so; the test fails with the text when it never is. */
  static void eventually(String what, Callable<Boolean> condition) {
    Awaitility.await(what).atMost(LIMIT).pollInterval(Duration.ofMillis(5)).until(condition);
  }

  /** Waits until it is so, and checks that it stays so for a while. */
  static void eventuallyForGood(String what, Callable<Boolean> condition) {
    Awaitility.await(what)
        .during(Duration.ofMillis(400))
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(10))
        .until(condition);
  }

  /** Waits until the stream has ended one way or the other. */
  static void eventuallyEnded(TestSubscriber<?> subscriber) {
    eventually("the stream ends", () -> hasEnded(subscriber));
  }

  /** Waits until the stream has ended well. */
  static void eventuallyCompleted(TestSubscriber<?> subscriber) {
    eventuallyEnded(subscriber);
    subscriber.assertComplete();
  }

  /** Whether the stream has completed or failed. */
  static boolean hasEnded(TestSubscriber<?> subscriber) throws InterruptedException {
    return subscriber.await(0, TimeUnit.MILLISECONDS);
  }

  /** Sends immediates first, first + 1, ... without waiting for any. */
  static List<Future<Void>> send(RdmaConnection from, long first, int count) {
    List<Future<Void>> sent = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      sent.add(from.writeImmediate(first + i));
    }
    return sent;
  }

  /** The values that a subscriber got, in order. */
  static List<Long> values(TestSubscriber<Immediate> subscriber) {
    return subscriber.values().stream().map(Immediate::value).toList();
  }

  /** From first up to, but not including, end. */
  static List<Long> numbers(long first, long end) {
    return LongStream.range(first, end).boxed().toList();
  }

  /** Subscribes with an initial demand. */
  static TestSubscriber<Immediate> subscribe(RdmaConnection connection, long demand) {
    TestSubscriber<Immediate> subscriber = new TestSubscriber<>(demand);
    connection.immediates().subscribe(subscriber);
    return subscriber;
  }
}
