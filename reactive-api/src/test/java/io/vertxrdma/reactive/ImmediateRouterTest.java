package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.observers.TestObserver;
import io.reactivex.rxjava3.plugins.RxJavaPlugins;
import io.reactivex.rxjava3.processors.PublishProcessor;
import io.reactivex.rxjava3.subjects.CompletableSubject;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ImmediateRouterTest {

  private static final ImmediateLayout LAYOUT =
      ImmediateLayout.builder().field("type", 8).field("index", 24).build();

  private final RdmaConnection connection =
      (RdmaConnection)
          Proxy.newProxyInstance(
              ImmediateRouterTest.class.getClassLoader(),
              new Class<?>[] {RdmaConnection.class},
              (proxy, method, arguments) -> method.getName().equals("toString") ? "c" : null);
  private final List<String> handled = new CopyOnWriteArrayList<>();
  private final List<Throwable> undelivered = new CopyOnWriteArrayList<>();
  private final LogLines log = new LogLines();
  private final PublishProcessor<Immediate> source = PublishProcessor.create();

  @BeforeEach
  void watch() {
    RxJavaPlugins.setErrorHandler(undelivered::add);
  }

  @AfterEach
  void close() {
    RxJavaPlugins.setErrorHandler(null);
    log.close();
    assertThat(undelivered).isEmpty();
  }

  private Immediate immediate(long type, long index) {
    return new Immediate(connection, LAYOUT.of("type", type).with("index", index).toInt(), 7);
  }

  private void note(String who, Immediate immediate) {
    handled.add(who + " " + LAYOUT.get(immediate.value(), "index"));
  }

  private ImmediateRouter router() {
    return LAYOUT
        .route("type")
        .on(1, immediate -> note("one", immediate))
        .on(255, immediate -> note("last", immediate));
  }

  @Test
  void each_goes_to_the_handler_of_its_type_in_order() {
    Flowable<Immediate> immediates =
        Flowable.just(immediate(1, 10), immediate(255, 11), immediate(1, 12), immediate(255, 13));

    router().route(immediates).test().assertComplete();

    assertThat(handled).containsExactly("one 10", "last 11", "one 12", "last 13");
  }

  @Test
  void a_hundred_thousand_in_one_go_need_no_deep_stack() {
    int[] count = {0};
    ImmediateRouter router = LAYOUT.route("type").on(0, immediate -> count[0]++);

    router.route(Flowable.range(0, 100_000).map(i -> immediate(0, i))).test().assertComplete();

    assertThat(count[0]).isEqualTo(100_000);
  }

  @Test
  void unknown_ones_are_counted_logged_once_and_no_failure() {
    ImmediateRouter router = router();
    Flowable<Immediate> immediates =
        Flowable.just(immediate(7, 1), immediate(1, 2), immediate(8, 3), immediate(7, 4));

    router.route(immediates).test().assertComplete();

    assertThat(handled).containsExactly("one 2");
    assertThat(router.unrouted()).isEqualTo(3);
    assertThat(log.warnings()).singleElement().asString().contains("type 7");
  }

  @Test
  void who_takes_all_others_gets_them_and_none_is_counted() {
    ImmediateRouter router = router().otherwise(immediate -> note("other", immediate));

    router.route(Flowable.just(immediate(7, 1), immediate(1, 2))).test().assertComplete();

    assertThat(handled).containsExactly("other 1", "one 2");
    assertThat(router.unrouted()).isZero();
    assertThat(log.warnings()).isEmpty();
  }

  @Test
  void the_next_is_asked_for_when_the_one_before_is_handled() {
    List<Long> asked = new ArrayList<>();
    CompletableSubject work = CompletableSubject.create();
    ImmediateRouter router = router().onCompletable(2, immediate -> work);
    Flowable<Immediate> immediates =
        Flowable.just(immediate(1, 1), immediate(2, 2), immediate(1, 3)).doOnRequest(asked::add);

    TestObserver<Void> outcome = router.route(immediates).test();

    assertThat(handled).containsExactly("one 1");
    assertThat(asked).containsExactly(1L, 1L);
    work.onComplete();
    outcome.assertComplete();
    assertThat(handled).containsExactly("one 1", "one 3");
    assertThat(asked).containsExactly(1L, 1L, 1L, 1L);
  }

  @Test
  void the_end_waits_for_what_is_being_handled() {
    CompletableSubject work = CompletableSubject.create();
    TestObserver<Void> outcome = router().onCompletable(2, immediate -> work).route(source).test();
    source.onNext(immediate(2, 1));
    source.onComplete();

    outcome.assertNotComplete();
    work.onComplete();
    outcome.assertComplete();
  }

  @Test
  void the_streams_failure_waits_for_what_is_being_handled_too() {
    CompletableSubject work = CompletableSubject.create();
    TestObserver<Void> outcome = router().onCompletable(2, immediate -> work).route(source).test();
    source.onNext(immediate(2, 1));
    source.onError(new IllegalStateException("broken"));

    outcome.assertNoErrors();
    work.onComplete();
    outcome.assertError(failure -> failure.getMessage().equals("broken"));
  }

  @Test
  void a_handler_that_throws_ends_the_routing_and_gives_the_stream_up() {
    ImmediateRouter router =
        router()
            .on(
                2,
                (on, immediate, length) -> {
                  throw new IllegalStateException("cannot do 2");
                });

    TestObserver<Void> outcome = router.route(source).test();
    source.onNext(immediate(1, 1));
    source.onNext(immediate(2, 2));

    outcome.assertError(failure -> failure.getMessage().equals("cannot do 2"));
    assertThat(source.hasSubscribers()).isFalse();
    assertThat(handled).containsExactly("one 1");
  }

  @Test
  void a_completable_that_fails_does_so_too_and_keeps_what_the_stream_said() {
    CompletableSubject work = CompletableSubject.create();
    TestObserver<Void> outcome = router().onCompletable(2, immediate -> work).route(source).test();
    source.onNext(immediate(2, 1));
    IllegalStateException broken = new IllegalStateException("broken");
    source.onError(broken);
    work.onError(new IllegalStateException("no room"));

    outcome.assertError(
        failure -> failure.getMessage().equals("no room") && failure.getSuppressed()[0] == broken);
  }

  @Test
  void to_dispose_gives_up_the_stream_and_the_work() {
    CompletableSubject work = CompletableSubject.create();
    TestObserver<Void> outcome = router().onCompletable(2, immediate -> work).route(source).test();
    source.onNext(immediate(2, 1));

    outcome.dispose();

    assertThat(source.hasSubscribers()).isFalse();
    assertThat(work.hasObservers()).isFalse();
  }

  @Test
  void as_a_handler_it_makes_no_object_for_those_who_want_none() {
    List<Integer> raw = new ArrayList<>();
    ImmediateHandler handler =
        router()
            .on(
                3,
                (on, immediate, length) -> {
                  assertThat(on).isSameAs(connection);
                  assertThat(length).isEqualTo(7);
                  raw.add(immediate);
                })
            .handler();

    handler.handle(connection, 0x0300_0005, 7);
    handler.handle(connection, 0xFF00_0006, 7);

    assertThat(raw).containsExactly(0x0300_0005);
    assertThat(handled).containsExactly("last 6");
  }

  @Test
  void a_handler_can_not_wait_for_a_completable() {
    ImmediateRouter router = router().onCompletable(2, immediate -> CompletableSubject.create());

    assertThatIllegalStateException()
        .isThrownBy(router::handler)
        .withMessageContaining("type 2")
        .withMessageContaining("route(connection.immediates())");
  }

  @Test
  void a_value_has_one_handler_and_fits_into_the_field() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> router().on(1, immediate -> {}))
        .withMessageContaining("has a handler for 1 already");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> router().on(256, immediate -> {}))
        .withMessageContaining("0..255, was 256");
    assertThatIllegalArgumentException().isThrownBy(() -> router().on(-1, immediate -> {}));
  }

  @Test
  void what_is_registered_later_is_for_what_is_routed_later() {
    ImmediateRouter router = router();
    router.route(source).test();
    router.on(2, immediate -> note("two", immediate));

    source.onNext(immediate(2, 1));
    router.route(Flowable.just(immediate(2, 2))).test().assertComplete();

    assertThat(handled).containsExactly("two 2");
    assertThat(router.unrouted()).isEqualTo(1);
  }
}
