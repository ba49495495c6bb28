package io.vertxrdma.systemtests.soft.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.SkipException;
import org.testng.annotations.Test;

/**
 * The rules of the Reactive Streams TCK over one publisher, each a test of its own.
 *
 * <p>The TCK skips a rule that it cannot check, or that is optional and not kept. Which those are
 * is said here, and checked: nothing is skipped that is not expected to be, and nothing expected to
 * be skipped runs.
 */
final class Verification {

  /** What the TCK never checks, for any publisher. */
  static final Set<String> UNTESTED =
      Set.of(
          "untested_spec106_mustConsiderSubscriptionCancelledAfterOnErrorOrOnCompleteHasBeenCalled",
          "untested_spec107_mustNotEmitFurtherSignalsOnceOnErrorHasBeenSignalled",
          "untested_spec108_possiblyCanceledSubscriptionShouldNotReceiveOnErrorOrOnCompleteSignals",
          "untested_spec109_subscribeShouldNotThrowNonFatalThrowable",
          "untested_spec110_rejectASubscriptionRequestIfTheSameSubscriberSubscribesTwice",
          "untested_spec304_requestShouldNotPerformHeavyComputations",
          "untested_spec305_cancelMustNotSynchronouslyPerformHeavyComputation");

  /** Optional rules that a publisher which refuses a second subscriber does not keep. */
  static final Set<String> SINGLE_SUBSCRIBER =
      Set.of(
          "optional_spec111_maySupportMultiSubscribe",
          "optional_spec111_registeredSubscribersMustReceiveOnNextOrOnCompleteSignals",
          "optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingOneByOne",
          "optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingManyUpfront",
          "optional_spec111_multicast_mustProduceTheSameElementsInTheSameSequenceToAllOfItsSubscribersWhenRequestingManyUpfrontAndCompleteAsExpected");

  /**
   * Optional rules that a publisher does not keep which has items of its own for each subscriber.
   */
  static final Set<String> EACH_ITS_OWN =
      SINGLE_SUBSCRIBER.stream()
          .filter(rule -> rule.contains("_multicast_"))
          .collect(Collectors.toUnmodifiableSet());

  /** Rules about a publisher that has failed already, for publishers of which there is none. */
  static final Set<String> NEVER_FAILED =
      Set.of(
          "optional_spec104_mustSignalOnErrorWhenFails",
          "required_spec109_mayRejectCallsToSubscribeIfPublisherIsUnableOrUnwillingToServeThemRejectionMustTriggerOnErrorAfterOnSubscribe");

  private static final int TIMEOUT_MILLIS = 5000;
  private static final int NO_SIGNAL_MILLIS = 25;
  private static final int POLL_MILLIS = 5;
  private static final int COLLECTED_MILLIS = 300;

  /**
   * The rule that a subscriber who cancelled is forgotten. The TCK gives the collector a tenth of a
   * second to say so, too little on a busy machine; a publisher that remembers fails every time.
   */
  private static final String COLLECTED =
      "required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber";

  private static final int COLLECTIONS = 5;

  /** What is verified. */
  abstract static class Source implements AutoCloseable {

    /** A publisher of so many elements, after which it completes; of some hundreds at most. */
    abstract <T> Publisher<T> publisher(long elements);

    /** A publisher that fails whoever subscribes, or null where there is none. */
    abstract <T> Publisher<T> failed();

    /** Ends what the last rule used. */
    @Override
    public abstract void close();
  }

  private Verification() {}

  /** One test for each rule. */
  static Stream<DynamicTest> of(Source source, List<Set<String>> skipped) {
    Set<String> expected = new TreeSet<>(UNTESTED);
    skipped.forEach(expected::addAll);
    List<Method> rules =
        Arrays.stream(PublisherVerification.class.getMethods())
            .filter(method -> method.isAnnotationPresent(Test.class))
            .sorted(Comparator.comparing(Method::getName))
            .toList();
    assertThat(rules).extracting(Method::getName).containsAll(expected).hasSizeGreaterThan(35);
    return rules.stream()
        .map(
            rule ->
                DynamicTest.dynamicTest(
                    expected.contains(rule.getName())
                        ? rule.getName() + " does not apply, says the TCK too"
                        : rule.getName(),
                    () -> check(source, rule, expected.contains(rule.getName()))));
  }

  private static void check(Source source, Method rule, boolean skipExpected) throws Throwable {
    int left = rule.getName().equals(COLLECTED) ? COLLECTIONS : 1;
    while (true) {
      left--;
      try {
        checkOnce(source, rule, skipExpected);
        return;
      } catch (AssertionError notYet) {
        if (left == 0) {
          throw notYet;
        }
      }
    }
  }

  private static void checkOnce(Source source, Method rule, boolean skipExpected) throws Throwable {
    try {
      // One for each: it remembers what went wrong.
      Rules rules = new Rules(source);
      rules.setUp();
      rule.invoke(rules);
      if (skipExpected) {
        fail("the TCK does not skip this rule any more");
      }
    } catch (InvocationTargetException thrown) {
      if (!(thrown.getCause() instanceof SkipException)) {
        throw thrown.getCause();
      }
      if (!skipExpected) {
        throw new AssertionError("the TCK skipped this rule", thrown.getCause());
      }
    } finally {
      source.close();
    }
  }

  private static final class Rules extends PublisherVerification<Object> {

    private final Source source;

    Rules(Source source) {
      super(new TestEnvironment(TIMEOUT_MILLIS, NO_SIGNAL_MILLIS, POLL_MILLIS), COLLECTED_MILLIS);
      this.source = source;
    }

    @Override
    public Publisher<Object> createPublisher(long elements) {
      return source.publisher(elements);
    }

    @Override
    public Publisher<Object> createFailedPublisher() {
      return source.failed();
    }
  }
}
