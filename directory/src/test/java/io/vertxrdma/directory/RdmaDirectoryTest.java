package io.vertxrdma.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.streams.ReadStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RdmaDirectoryTest {

  private static final RdmaEndpoint ONE = new RdmaEndpoint("chat", "10.0.0.1", 18515);
  private static final RdmaEndpoint TWO = new RdmaEndpoint("chat", "10.0.0.2", 18515);

  private final Vertx vertx = Vertx.vertx();
  private final RdmaDirectory directory =
      RdmaDirectory.create(vertx, new RdmaDirectoryOptions().setWatchInterval(100).setLease(1_000));

  @AfterEach
  void close() {
    get(vertx.close());
  }

  static <T> T get(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  private static void until(String what, java.util.concurrent.Callable<Boolean> holds) {
    Awaitility.await(what).atMost(Duration.ofSeconds(30)).until(holds);
  }

  @Test
  void whatIsRegisteredIsFoundUntilItIsTakenBack() {
    RdmaEndpoint rich = new RdmaEndpoint("chat", "fd77::1", 1, Map.of("rooms", "4", "größe", "π"));
    EndpointRegistration first = get(directory.register(TWO));
    get(directory.register(ONE));
    get(directory.register(rich));
    get(directory.register(new RdmaEndpoint("other", "10.0.0.1", 18515)));

    assertThat(get(directory.lookup("chat"))).containsExactly(ONE, TWO, rich);
    assertThat(get(directory.lookup("nobody"))).isEmpty();

    get(first.close());
    get(first.close());
    assertThat(get(directory.lookup("chat"))).containsExactly(ONE, rich);
  }

  @Test
  void theSameEndpointTwiceIsRefusedNamingIt() {
    EndpointRegistration first = get(directory.register(ONE));

    assertThatThrownBy(() -> get(directory.register(ONE)))
        .hasCauseInstanceOf(EndpointTakenException.class)
        .hasMessageContaining("chat at 10.0.0.1:18515")
        .hasMessageContaining("already");

    get(first.close());
    get(directory.register(ONE));
  }

  @Test
  void anEntryOutlivesItsLeaseAsLongAsItsOwnerIsThere() {
    // Long enough that a busy machine is in time to renew it.
    RdmaDirectory patient =
        RdmaDirectory.create(
            vertx, new RdmaDirectoryOptions().setWatchInterval(100).setLease(2_000));
    get(patient.register(ONE));
    TestSubscriber<List<RdmaEndpoint>> seen = patient.watch("chat").test();
    seen.awaitCount(1);

    // Half as long again as the lease, nobody has seen it missing.
    get(vertx.timer(3_000, TimeUnit.MILLISECONDS).mapEmpty());

    seen.assertValue(List.of(ONE)).assertNotComplete();
    assertThat(get(patient.lookup("chat"))).containsExactly(ONE);
  }

  @Test
  void anEndpointThatAnotherHasTakenMeanwhileIsGivenUpAndOneThatWasLostIsPutBack() {
    var map = get(vertx.sharedData().<String, String>getAsyncMap("io.vertxrdma.directory"));
    get(directory.register(ONE));
    String key = get(map.keys()).iterator().next();
    get(map.remove(key));
    until("it is back", () -> get(map.get(key)) != null);
    String foreign = get(map.get(key)).replace("\"node\":\"\"", "\"node\":\"other\"");
    assertThat(foreign).contains("other");
    get(map.put(key, foreign));

    // Given up: the address can be registered again only by the other.
    get(vertx.timer(1_000, TimeUnit.MILLISECONDS).mapEmpty());
    assertThat(get(map.get(key))).isEqualTo(foreign);
    get(directory.close());
    assertThat(get(map.get(key))).isEqualTo(foreign);
  }

  @Test
  void handlersOfTheStreamRunOnTheContextWhoeverResumes() {
    get(directory.register(ONE));
    List<String> threads = new CopyOnWriteArrayList<>();
    ReadStream<List<RdmaEndpoint>> stream = directory.watchStream("chat").pause();
    stream.handler(seen -> threads.add(Thread.currentThread().getName()));
    stream.resume();
    until("the state", () -> threads.size() == 1);
    stream.handler(null);
    stream.handler(seen -> threads.add(Thread.currentThread().getName()));
    until("the state again", () -> threads.size() == 2);

    assertThat(threads).allMatch(name -> name.contains("eventloop"));
  }

  @Test
  void whoWatchesSeesThePresentStateAndEachChange() {
    get(directory.register(ONE));
    TestSubscriber<List<RdmaEndpoint>> seen = directory.watch("chat").test();
    seen.awaitCount(1);
    EndpointRegistration two = get(directory.register(TWO));
    seen.awaitCount(2);
    get(directory.register(new RdmaEndpoint("other", "10.0.0.3", 1)));
    get(two.close());
    seen.awaitCount(3);

    seen.assertValues(List.of(ONE), List.of(ONE, TWO), List.of(ONE));
    get(directory.close());
    seen.awaitDone(30, TimeUnit.SECONDS).assertComplete();
  }

  @Test
  void whoIsSlowGetsTheNewestState() {
    TestSubscriber<List<RdmaEndpoint>> all = directory.watch("chat").test();
    TestSubscriber<List<RdmaEndpoint>> slow = directory.watch("chat").test(1);
    all.awaitCount(1);
    slow.awaitCount(1);
    get(directory.register(ONE));
    all.awaitCount(2);
    get(directory.register(TWO));
    all.awaitCount(3);
    // Both watches look at each announcement; another round trip, and the slow one has looked, too.
    get(directory.lookup("chat"));
    until("the slow one has the newest", () -> newest(slow).equals(List.of(ONE, TWO)));
  }

  private static List<RdmaEndpoint> newest(TestSubscriber<List<RdmaEndpoint>> slow) {
    if (slow.values().size() == 1 || !slow.values().get(1).equals(List.of(ONE, TWO))) {
      slow.request(1);
    }
    return slow.values().get(slow.values().size() - 1);
  }

  @Test
  void theStreamPausesAndFetchesSingleStates() {
    List<List<RdmaEndpoint>> taken = new CopyOnWriteArrayList<>();
    TestSubscriber<List<RdmaEndpoint>> all = directory.watch("chat").test();
    ReadStream<List<RdmaEndpoint>> stream = directory.watchStream("chat").pause();
    stream.handler(taken::add);
    get(directory.register(ONE));
    all.awaitCount(2);
    assertThat(taken).isEmpty();

    stream.fetch(1);
    until("one state", () -> taken.size() == 1);
    get(directory.register(TWO));
    all.awaitCount(3);
    assertThat(taken).hasSize(1);

    stream.resume();
    until("the newest", () -> taken.get(taken.size() - 1).equals(List.of(ONE, TWO)));
    stream.handler(null);
  }

  @Test
  void aDirectoryEndsWithItsVerticle() {
    String id =
        get(
            vertx.deployVerticle(
                new AbstractVerticle() {
                  @Override
                  public void start(io.vertx.core.Promise<Void> started) {
                    RdmaDirectory.create(vertx)
                        .register(TWO)
                        .<Void>mapEmpty()
                        .onComplete(started::complete, started::fail);
                  }
                }));
    assertThat(get(directory.lookup("chat"))).containsExactly(TWO);

    get(vertx.undeploy(id));

    assertThat(get(directory.lookup("chat"))).isEmpty();
  }

  @Test
  void aClosedDirectoryRefusesWhatComesAndHasTakenBackWhatItHad() {
    RdmaDirectory another = RdmaDirectory.create(vertx);
    get(another.register(TWO));

    get(another.close());
    get(another.close());

    assertThat(get(directory.lookup("chat"))).isEmpty();
    assertThatIllegalStateException().isThrownBy(() -> another.register(ONE));
    assertThatIllegalStateException().isThrownBy(() -> another.lookup("chat"));
    assertThatIllegalStateException().isThrownBy(() -> another.watch("chat"));
  }

  @Test
  void whatIsNoEntryOfOursIsLeftAlone() {
    var map = get(vertx.sharedData().<String, String>getAsyncMap("io.vertxrdma.directory"));
    get(map.put("chat\n10.0.0.9:1", "{\"version\":9}"));
    get(directory.register(ONE));

    assertThat(get(directory.lookup("chat"))).containsExactly(ONE);
    assertThat(get(map.get("chat\n10.0.0.9:1"))).isEqualTo("{\"version\":9}");
    assertThatThrownBy(() -> get(directory.register(new RdmaEndpoint("chat", "10.0.0.9", 1))))
        .hasCauseInstanceOf(EndpointTakenException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\nb"})
  void aNameOutOfRangeIsRefused(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> new RdmaEndpoint(name, "h", 1));
    assertThatIllegalArgumentException().isThrownBy(() -> directory.lookup(name));
    assertThatIllegalArgumentException().isThrownBy(() -> directory.watch(name));
    assertThatIllegalArgumentException().isThrownBy(() -> new RdmaEndpoint("s", name, 1));
  }

  @Test
  void anEndpointThatNobodyCouldReachIsRefusedNamingValueAndLimit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RdmaEndpoint("s", "h", 65_536))
        .withMessage("port must be 1..65535, was 65536");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RdmaEndpoint("s", "0.0.0.0", 1))
        .withMessageContaining("0.0.0.0");
    for (String nobody : List.of(" ", "a b", "*", "0", "::", "::0", "0:0:0:0:0:0:0:0")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new RdmaEndpoint("s", nobody, 1))
          .withMessageContaining(nobody);
    }
    assertThat(new RdmaEndpoint("s", "::1", 1).address()).isEqualTo("[::1]:1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RdmaEndpoint("s", "h", 1, Map.of("k", "x".repeat(4_096))))
        .withMessage("attributes must have at most 4096 bytes, were 4097");
  }

  @Test
  void optionsComeBackFromJson() {
    RdmaDirectoryOptions options =
        new RdmaDirectoryOptions().setLease(2_000).setWatchInterval(200).setMapName("m");
    assertThat(new RdmaDirectoryOptions(options.toJson()).toJson()).isEqualTo(options.toJson());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RdmaDirectoryOptions(new JsonObject().put("leese", 1)))
        .withMessageContaining("leese");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.setLease(999))
        .withMessage("lease must be 1000..600000, was 999");
  }
}
