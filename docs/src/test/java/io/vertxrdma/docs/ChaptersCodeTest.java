package io.vertxrdma.docs;

import static io.vertxrdma.docs.SoftPairs.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.reactivex.rxjava3.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.reactive.ConnectionCounters;
import io.vertxrdma.reactive.Handshake;
import io.vertxrdma.reactive.HandshakeMessage;
import io.vertxrdma.reactive.InboxRing;
import io.vertxrdma.reactive.RdmaClient;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.reactive.RingChannel;
import io.vertxrdma.reactive.WorkRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The code of the short chapters does what they say, on the soft provider. */
class ChaptersCodeTest {

  /** Not the address of other tests: it has a soft device of its own. */
  private final SoftPairs pairs = new SoftPairs("127.0.0.92");

  @AfterEach
  void close() {
    pairs.close();
  }

  private SoftPairs.Pair connect(RdmaServerOptions options) {
    pairs.listen(options, new RdmaClientOptions());
    return pairs.connect();
  }

  @Test
  void concepts_a_line_is_written_into_memory_and_told() {
    List<String> lines = new CopyOnWriteArrayList<>();
    pairs.listen(
        new RdmaServerOptions(),
        new RdmaClientOptions(),
        request -> Concepts.receive(request, line -> lines.add(line.toString())));
    SoftPairs.Pair pair = pairs.connect();

    get(Concepts.send(pair.client(), "hello"));

    pairs.until("it is read", () -> lines.equals(List.of("hello")));
  }

  @Test
  void write_with_immediate_the_last_immediate_tells_of_all_writes_before_it() {
    SoftPairs.Pair pair = connect(new RdmaServerOptions());
    RegisteredBuffer inbox = get(pair.server().memory().allocateInbox(128));
    List<Buffer> seen = new CopyOnWriteArrayList<>();
    WriteWithImmediate.read(pair.server(), inbox).subscribe(seen::add);

    get(
        WriteWithImmediate.write(
            pair.client(),
            get(pair.client().memory().copyOf(Buffer.buffer("body"))),
            get(pair.client().memory().copyOf(Buffer.buffer("header"))),
            inbox.remote()));

    pairs.until("it is read", () -> seen.size() == 1);
    assertThat(seen.get(0).getString(0, 6)).isEqualTo("header");
    assertThat(seen.get(0).getString(64, 68)).isEqualTo("body");
  }

  @Test
  void write_with_immediate_a_handler_gets_plain_numbers() {
    SoftPairs.Pair pair = connect(new RdmaServerOptions());
    RegisteredBuffer inbox = get(pair.server().memory().allocateInbox(64));
    AtomicLong total = new AtomicLong();
    WriteWithImmediate.handle(pair.server(), total::set);
    RegisteredBuffer bytes = get(pair.client().memory().copyOf(Buffer.buffer("12345")));

    get(pair.client().writeWithImmediate(bytes, inbox.remote(), 0xFFFFFFFFL));
    get(pair.client().writeWithImmediate(bytes, inbox.remote(), 1));

    pairs.until("both came", () -> total.get() == 10);
  }

  @Test
  void immediates_each_goes_to_the_handler_of_its_type() {
    SoftPairs.Pair pair = connect(new RdmaServerOptions());
    RegisteredBuffer inbox = get(pair.server().memory().allocateInbox(64));
    RegisteredBuffer record = get(pair.client().memory().copyOf(Buffer.buffer("record")));
    List<Long> stored = new CopyOnWriteArrayList<>();
    AtomicInteger pings = new AtomicInteger();
    Immediates.route(
            pair.server(),
            index -> Completable.fromAction(() -> stored.add(index)),
            pings::incrementAndGet)
        .subscribe();

    get(Immediates.send(pair.client(), record, inbox.remote(), 5));
    get(pair.client().writeImmediate(Immediates.LAYOUT.of("type", Immediates.PING).toLong()));

    pairs.until("both are handled", () -> stored.equals(List.of(5L)) && pings.get() == 1);
  }

  @Test
  void immediates_a_field_is_read_without_objects() {
    SoftPairs.Pair pair = connect(new RdmaServerOptions());
    List<Long> seen = new CopyOnWriteArrayList<>();
    pair.server().immediateHandler(Immediates.hotPath(seen::add));
    get(pair.client().writeImmediate(Immediates.LAYOUT.of("type", 1).with("index", 7).toLong()));
    pairs.until("it came", () -> seen.equals(List.of(7L)));
  }

  @Test
  void immediates_a_ring_shares_its_connection_with_other_immediates() {
    SoftPairs.Pair pair = connect(new RdmaServerOptions());
    InboxRing inbox = get(InboxRing.allocate(pair.server().memory(), 8, 256));
    List<String> lines = new CopyOnWriteArrayList<>();
    List<String> others = new CopyOnWriteArrayList<>();
    RingChannel there =
        Immediates.shared(pair.server(), inbox, null, what -> others.add(what.toString()));
    RingChannel here = Immediates.shared(pair.client(), null, inbox.descriptor(), what -> {});
    Immediates.readInPlace(
        there, bytes -> lines.add(StandardCharsets.US_ASCII.decode(bytes).toString()));

    get(here.write(Buffer.buffer("a line")));
    get(pair.client().writeImmediate(Immediates.LAYOUT.of("type", Immediates.PING).toLong()));

    pairs.until(
        "both came", () -> lines.equals(List.of("a line")) && others.equals(List.of("ping")));
  }

  @Test
  void choosing_parameters_client_and_server_tell_each_other_who_they_are() {
    get(ChoosingParameters.server(pairs.vertx()).listen(18515, pairs.address()));
    HandshakeMessage reply = get(ChoosingParameters.client(pairs.vertx(), pairs.address()));
    assertThat(reply.role()).isEqualTo(2);
    assertThat(reply.version()).isEqualTo(3);
  }

  @Test
  void backpressure_work_that_does_not_end_leaves_the_sender_without_receives() {
    SoftPairs.Pair pair = connect(new RdmaServerOptions().setReceiveDepth(4));
    AtomicInteger begun = new AtomicInteger();
    Backpressure.oneByOne(
            pair.server(),
            immediate -> Completable.never().doOnSubscribe(x -> begun.incrementAndGet()))
        .subscribe();

    List<Future<Void>> written = pair.client().postAll(writes(20));

    pairs.until(
        "no receive is left",
        () -> {
          ConnectionCounters now = pair.server().counters();
          return now.receivesPosted() == 0 && now.immediatesWaiting() == 4;
        });
    assertThat(begun).hasValue(1);
    assertThat(written.get(19).isComplete()).isFalse();
  }

  private static List<WorkRequest> writes(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> WorkRequest.writeWithImmediate(null, i))
        .toList();
  }

  @Test
  void backpressure_a_stream_that_pauses_for_each_gets_all_in_order() {
    SoftPairs.Pair pair = connect(new RdmaServerOptions().setReceiveDepth(4));
    List<Long> stored = new CopyOnWriteArrayList<>();
    Backpressure.pausing(
        pair.server(),
        immediate -> {
          stored.add(immediate.value());
          return pairs.vertx().timer(1).mapEmpty();
        });

    get(Future.all(pair.client().postAll(writes(20))));

    pairs.until("all are stored", () -> stored.size() == 20);
    assertThat(stored).isSorted();
  }

  @Test
  void backpressure_a_writer_that_waits_for_the_drain_writes_all() {
    SoftPairs.Pair pair = connect(new RdmaServerOptions().setReceiveDepth(4));
    pair.client().setWriteQueueMaxSize(8);
    AtomicInteger come = new AtomicInteger();
    pair.server().immediates().subscribe(i -> come.incrementAndGet());

    Backpressure.writeAll(pair.client(), writes(200).iterator());

    pairs.until("all have come", () -> come.get() == 200);
  }

  @Test
  void native_setup_this_machine_is_described_whatever_it_has() {
    assertThat(NativeSetup.look().get(0)).matches("[A-Z_]+: .+");
  }

  @Test
  void security_who_knows_the_key_may_read_and_nobody_may_write() {
    Handshake hello = handshake("the key");
    AtomicReference<RegisteredBuffer> offered = new AtomicReference<>();
    pairs.listen(
        new RdmaServerOptions(),
        new RdmaClientOptions(),
        request -> Security.offer(hello, request, offered::set));
    SoftPairs.Pair pair = pairs.connect(hello.encode(Buffer.buffer()));
    HandshakeMessage reply = get(hello.verifyReply(pair.client()));
    RemoteMemory there = RemoteMemory.decode(reply.application());
    offered.get().setBuffer(0, Buffer.buffer("a secret"));
    RegisteredBuffer here = get(pair.client().memory().allocate(8));

    get(pair.client().read(there.slice(0, 8), here.all()));
    assertThat(here.getBuffer(0, 8)).hasToString("a secret");

    assertThat(catchThrowable(() -> get(pair.client().write(here.all(), there))))
        .hasStackTraceContaining("remote access error");
  }

  @Test
  void security_a_stranger_is_told_why_not() {
    Handshake hello = handshake("the key");
    pairs.listen(
        new RdmaServerOptions(),
        new RdmaClientOptions(),
        request -> Security.offer(hello, request, region -> {}));

    Throwable refused =
        catchThrowable(() -> pairs.connect(handshake("another").encode(Buffer.buffer())));

    assertThat(refused).hasStackTraceContaining("the token is not right");
    assertThat(Failures.advice(refused.getCause())).startsWith("refused: consumer defined");
  }

  private static Handshake handshake(String key) {
    return Handshake.builder(0x5345434B)
        .token(message -> key.getBytes(StandardCharsets.US_ASCII))
        .build();
  }

  @Test
  void security_a_length_that_is_a_lie_is_refused() {
    SoftPairs.Pair pair = connect(new RdmaServerOptions());
    RegisteredBuffer inbox = get(pair.server().memory().allocateInbox(64));
    assertThat(Security.checked(inbox, 16, 32).length()).isEqualTo(16);
    assertThat(catchThrowable(() -> Security.checked(inbox, 0xFFFFFFFFL, 32)))
        .hasMessageContaining("at most 32 bytes: 4294967295");
  }

  @Test
  void troubleshooting_nobody_listening_is_told_from_other_refusals() {
    RdmaClient client =
        RdmaClient.create(pairs.vertx(), new RdmaClientOptions().setProvider("soft"));
    connect(new RdmaServerOptions());
    Throwable refused = catchThrowable(() -> get(client.connect(9, pairs.address())));
    assertThat(Failures.advice(refused.getCause())).isEqualTo("nobody listens there");
  }

  @Test
  void disni_the_server_answers_with_what_it_got() {
    get(ComingFromDisni.server(pairs.vertx(), pairs.address()));
    RdmaClient client =
        RdmaClient.create(pairs.vertx(), new RdmaClientOptions().setReceiveBufferSize(1024));
    assertThat(get(ComingFromDisni.client(client, pairs.address()))).hasToString("ping");
  }

  @Test
  void api_tour_all_forms_take_what_comes() {
    for (int form = 0; form < 3; form++) {
      SoftPairs.Pair pair = connect(new RdmaServerOptions());
      List<Long> seen = new CopyOnWriteArrayList<>();
      ApiTour.goesOn(pair.server(), (from, value, length) -> seen.add((long) value), form)
          .subscribe(immediate -> seen.add(immediate.value()));

      ApiTour.once(pair.client()).blockingAwait();

      pairs.until("both came", () -> seen.equals(List.of(1L, 2L)));
    }
  }

  @Test
  void performance_bursts_and_spinning_lose_nothing() {
    pairs.listen(new RdmaServerOptions(), Performance.latency());
    SoftPairs.Pair pair = pairs.connect();
    List<Long> seen = new ArrayList<>();
    pair.server().immediates().subscribe(immediate -> seen.add(immediate.value()));

    Performance.burst(pair.client(), 1000);

    pairs.until("all came", () -> pair.server().counters().immediatesReceived() == 1000);
    pairs.until("all were handed over", () -> pair.server().counters().immediatesWaiting() == 0);
    assertThat(seen).hasSize(1000).isSorted();
  }
}
