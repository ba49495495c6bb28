package io.vertxrdma.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.DeviceAttributes;
import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServer;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.ReceivePlan;
import io.vertxrdma.reactive.SharedReceiveOptions;
import io.vertxrdma.reactive.WorkRequest;
import io.vertxrdma.soft.SoftDeviceOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The numbers and the code of the chapter on shared receives are those of the library. */
class SharedReceivesTest {

  private static final int PEERS = 4;
  private static final int WINDOW = 64;

  /** Not the address of other tests: it has a soft device of its own. */
  private final SoftPairs pairs = new SoftPairs("127.0.0.90");

  private final DeviceAttributes device = SoftDeviceOptions.DEFAULT.attributes(1);

  @AfterEach
  void close() {
    pairs.close();
  }

  private static String chapter() throws IOException {
    return Files.readString(Path.of("src/main/asciidoc/receives.adoc")).replace('\n', ' ');
  }

  private List<SoftPairs.Pair> connect(RdmaServerOptions options, int count) {
    pairs.listen(options, new RdmaClientOptions());
    return IntStream.range(0, count).mapToObj(i -> pairs.connect()).toList();
  }

  private static List<Future<Void>> write(SoftPairs.Pair pair, int count) {
    return pair.client()
        .postAll(
            IntStream.range(0, count)
                .mapToObj(i -> WorkRequest.writeWithImmediate(null, i))
                .toList());
  }

  @Test
  void the_windows_of_all_peers_fit_even_when_nobody_reads() {
    List<SoftPairs.Pair> all =
        connect(new ReceivePlan(PEERS, WINDOW).shared(new RdmaServerOptions(), device), PEERS);
    long before = SharedReceives.refusals(all.get(0).server());

    List<Future<Void>> written = new ArrayList<>();
    all.forEach(pair -> written.addAll(write(pair, WINDOW)));

    SoftPairs.get(Future.all(written));
    assertThat(SharedReceives.refusals(all.get(0).server())).isEqualTo(before);
    pairs.until("all have come", () -> all.get(0).server().counters().receivesPosted() == 0);
    assertThat(SharedReceives.look(all.get(0).server()))
        .startsWith("0 posted, " + WINDOW + " held here, ");
  }

  @Test
  void with_fewer_receives_senders_are_refused_and_wait_and_nothing_is_lost() {
    List<SoftPairs.Pair> all =
        connect(new ReceivePlan(PEERS, WINDOW / 4).shared(new RdmaServerOptions(), device), PEERS);
    List<Future<Void>> written = new ArrayList<>();
    all.forEach(pair -> written.addAll(write(pair, WINDOW)));
    pairs.until("refused", () -> SharedReceives.refusals(all.get(0).server()) > 0);
    pairs.until("seen here", () -> all.get(0).server().counters().receivesPosted() == 0);
    assertThat(Future.all(written).isComplete()).isFalse();

    AtomicInteger come = new AtomicInteger();
    all.forEach(pair -> pair.server().immediates().subscribe(i -> come.incrementAndGet()));

    SoftPairs.get(Future.all(written));
    pairs.until("all have come", () -> come.get() == PEERS * WINDOW);
    assertThat(exhausted(all)).isPositive();
  }

  private static long exhausted(List<SoftPairs.Pair> all) {
    return all.stream().mapToLong(pair -> pair.server().counters().receivesExhausted()).sum();
  }

  @Test
  void a_connection_that_is_not_read_takes_no_more_than_its_share_from_the_others()
      throws IOException {
    RdmaServerOptions options = SharedReceives.pool();
    SharedReceiveOptions pool = options.getSharedReceives();
    List<SoftPairs.Pair> two = connect(options, 2);
    int most = pool.getMaxDepth() - pool.getDepth() + pool.getShare();
    int left = pool.getDepth() - pool.getShare();

    SoftPairs.get(Future.all(write(two.get(0), most)));

    pairs.until(
        "what it holds is replaced, but for its share",
        () -> two.get(1).server().counters().receivesPosted() == left);
    AtomicInteger come = new AtomicInteger();
    two.get(1).server().immediates().subscribe(i -> come.incrementAndGet());
    SoftPairs.get(Future.all(write(two.get(1), 1000)));
    pairs.until("the other one is served", () -> come.get() == 1000);
    assertThat(chapter())
        .contains("up to " + format(most) + " of its writes")
        .contains(left + " stay posted");
  }

  @Test
  void the_device_tells_when_a_pool_runs_low_and_tells_again() {
    RdmaServerOptions options =
        new RdmaServerOptions()
            .setSharedReceives(
                new SharedReceiveOptions().setDepth(64).setMaxDepth(64).setLowWatermark(16));
    RdmaServer server = pairs.listen(options, new RdmaClientOptions());
    List<String> told = new CopyOnWriteArrayList<>();
    SharedReceives.watch(server, told::add);
    SoftPairs.Pair pair = pairs.connect();

    SoftPairs.get(Future.all(write(pair, 60)));
    pairs.until("told", () -> told.size() == 1);
    assertThat(told.get(0)).endsWith(": few receives are left");

    // The limit is set again on a worker, so a round may come before that.
    for (int round = 0; round < 100 && told.size() < 2; round++) {
      pair.server().immediates().take(60).ignoreElements().blockingAwait();
      SoftPairs.get(Future.all(write(pair, 60)));
    }
    pairs.until("told again", () -> told.size() >= 2);
  }

  @Test
  void a_plan_that_the_device_cannot_hold_is_refused_in_the_words_of_the_text() throws IOException {
    Throwable refused =
        catchThrowable(() -> new ReceivePlan(64, 512).shared(new RdmaServerOptions(), device));

    assertThat(refused).isInstanceOf(IllegalArgumentException.class);
    assertThat(chapter().replace(" ", "")).contains(refused.getMessage().replace(" ", ""));
  }

  @Test
  void the_worked_example_counts_right() throws IOException {
    RdmaServerOptions shared =
        SharedReceives.shared(RdmaProviders.named("soft"), InetAddress.getByName("127.0.0.90"));
    RdmaServerOptions own = SharedReceives.own(device);
    int sends = 8 * own.getSendDepth();

    assertThat(own.getReceiveDepth()).isEqualTo(512);
    assertThat(shared.getSharedReceives().getDepth()).isEqualTo(8 * 512);
    assertThat(shared.getSharedReceives().getMaxDepth()).isEqualTo(8 * 512);
    assertThat(chapter())
        .contains("| 8 × 512 = " + format(8 * own.getReceiveDepth()))
        .contains("= " + format(sends + 8 * own.getReceiveDepth()) + " entries")
        .contains("is " + SharedReceives.window(100_000, 20) + " receives");
  }

  private static String format(int number) {
    return number < 1000 ? "" + number : number / 1000 + "," + String.format("%03d", number % 1000);
  }

  @Test
  void messages_need_memory_and_immediates_do_not() {
    List<SoftPairs.Pair> none = connect(new RdmaServerOptions(), 1);
    SoftPairs.get(none.get(0).client().writeImmediate(7));

    assertThat(catchThrowable(() -> none.get(0).server().messages()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("receiveBufferSize");
    Future<Void> sent =
        none.get(0)
            .client()
            .memory()
            .copyOf(Buffer.buffer("too long"))
            .compose(bytes -> none.get(0).client().send(bytes.all()));
    pairs.until("it is over", sent::isComplete);
    assertThat(sent.cause()).hasMessageContaining("remote invalid request error");
    SoftPairs.get(none.get(0).server().closed());
  }
}
