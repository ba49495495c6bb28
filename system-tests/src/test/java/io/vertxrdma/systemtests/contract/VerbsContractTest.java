package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.reactive.Immediate;
import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RdmaServerOptions;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.RemoteMemory;
import io.vertxrdma.reactive.WorkRequest;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every verb of a connected application, through the reactive API. */
class VerbsContractTest {

  private static final Set<AccessFlag> ALL =
      Set.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_ATOMIC);

  @RegisterExtension final ContractRig rig = new ContractRig();
  private RdmaConnection server;
  private RdmaConnection client;
  private RegisteredBuffer there;
  private RegisteredBuffer here;

  @BeforeEach
  void connect() {
    ConnectionParameters reads = ConnectionParameters.READ_HEAVY;
    ContractRig.Pair pair =
        rig.pair(
            new RdmaServerOptions().setParameters(reads),
            new RdmaClientOptions().setParameters(reads).setMaxInlineData(64));
    server = pair.server();
    client = pair.client();
    there = rig.await(server.memory().allocate(65_536, ALL));
    here = rig.await(client.memory().allocate(65_536));
  }

  private static byte[] pattern(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (31 * i + (i >> 8));
    }
    return bytes;
  }

  @Test
  void a_read_brings_the_peers_bytes_and_scatters_them_in_order() {
    there.setBytes(0, pattern(65_536));

    rig.await(client.read(there.remote(), here.all()));
    assertThat(here.getBytes(0, 65_536)).isEqualTo(pattern(65_536));

    here.setBytes(0, new byte[300]);
    rig.await(
        client.post(
            WorkRequest.read(
                there.remote().slice(10, 150),
                here.slice(200, 100),
                here.slice(0, 1),
                here.slice(100, 49))));
    assertThat(Buffer.buffer(here.getBytes(200, 100)).appendByte(here.getBytes(0, 1)[0]))
        .isEqualTo(Buffer.buffer(there.getBytes(10, 101)));
    assertThat(here.getBytes(100, 49)).isEqualTo(there.getBytes(111, 49));
    assertThat(here.getBytes(149, 51)).as("nothing beside it").containsOnly(0);
  }

  @Test
  void a_gathered_write_arrives_as_one_piece_and_small_ones_too() {
    here.setBytes(0, pattern(65_536));
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, Long.MAX_VALUE);

    rig.await(
        client.post(
            WorkRequest.writeWithImmediate(
                there.remote(),
                0xFFFF_FFFFL,
                here.slice(40_000, 20_000),
                here.slice(0, 3),
                here.slice(5, 0),
                here.slice(9, 7_000))));
    // Small enough to travel inside the request.
    rig.await(
        client.post(
            WorkRequest.write(
                there.remote().slice(50_000, 40), here.slice(1, 20), here.slice(100, 20))));
    rig.await(client.post(WorkRequest.write(there.remote().slice(60_000, 1), here.slice(77, 1))));

    Traffic.eventually("the immediate", () -> subscriber.values().size() == 1);
    assertThat(subscriber.values().get(0).value()).isEqualTo(0xFFFF_FFFFL);
    assertThat(subscriber.values().get(0).byteLength()).isEqualTo(27_003);
    Buffer expected =
        Buffer.buffer(here.getBytes(40_000, 20_000))
            .appendBytes(here.getBytes(0, 3))
            .appendBytes(here.getBytes(9, 7_000));
    assertThat(there.getBuffer(0, 27_003)).isEqualTo(expected);
    assertThat(there.getBuffer(50_000, 40))
        .isEqualTo(Buffer.buffer(here.getBytes(1, 20)).appendBytes(here.getBytes(100, 20)));
    assertThat(there.getBytes(60_000, 1)).isEqualTo(here.getBytes(77, 1));
  }

  @Test
  void fetch_and_add_counts_and_brings_each_number_once() {
    there.byteBuffer().order(ByteOrder.nativeOrder()).putLong(16, Long.MAX_VALUE - 3);
    RemoteMemory counter = there.remote().slice(16, 8);

    List<Future<Long>> before = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      before.add(client.fetchAndAdd(counter, 2));
    }

    rig.await(Future.all(before));
    List<Long> values = before.stream().map(Future::result).toList();
    List<Long> expected = new ArrayList<>();
    for (long i = 0; i < 600; i++) {
      expected.add(Long.MAX_VALUE - 3 + 2 * i);
    }
    assertThat(values).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(there.byteBuffer().order(ByteOrder.nativeOrder()).getLong(16))
        .isEqualTo(Long.MAX_VALUE - 3 + 1_200);
    assertThat(there.byteBuffer().getLong(8)).as("beside it").isZero();
  }

  @Test
  void compare_and_swap_replaces_only_what_was_expected() {
    there.byteBuffer().order(ByteOrder.nativeOrder()).putLong(0, 0x1122_3344_5566_7788L);
    RemoteMemory word = there.remote().slice(0, 8);

    assertThat(rig.await(client.compareAndSwap(word, 5, 6))).isEqualTo(0x1122_3344_5566_7788L);
    assertThat(there.byteBuffer().order(ByteOrder.nativeOrder()).getLong(0))
        .isEqualTo(0x1122_3344_5566_7788L);
    assertThat(rig.await(client.compareAndSwap(word, 0x1122_3344_5566_7788L, -1)))
        .isEqualTo(0x1122_3344_5566_7788L);
    assertThat(there.byteBuffer().order(ByteOrder.nativeOrder()).getLong(0)).isEqualTo(-1);
  }

  @Test
  void a_fenced_write_sends_what_the_read_before_it_brought() {
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, Long.MAX_VALUE);
    for (int round = 0; round < 50; round++) {
      byte[] fresh = new byte[4_096];
      java.util.Arrays.fill(fresh, (byte) (round + 1));
      there.setBytes(0, fresh);
      rig.await(
          Future.all(
              client.postAll(
                  List.of(
                      WorkRequest.read(there.remote().slice(0, 4_096), here.slice(0, 4_096)),
                      WorkRequest.writeWithImmediate(
                              there.remote().slice(8_192, 4_096), round, here.slice(0, 4_096))
                          .fenced()))));
      assertThat(there.getBytes(8_192, 4_096)).isEqualTo(fresh);
    }
    Traffic.eventually("all immediates", () -> subscriber.values().size() == 50);
  }

  @Test
  void many_requests_posted_together_complete_each_and_in_order() {
    here.setBytes(0, pattern(65_536));
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, Long.MAX_VALUE);
    List<WorkRequest> requests = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      requests.add(
          WorkRequest.writeWithImmediate(there.remote().slice(i * 8L, 8), i, here.slice(i * 8, 8)));
    }
    List<Integer> ended = Collections.synchronizedList(new ArrayList<>());

    List<Future<Void>> futures = client.postAll(requests);
    for (int i = 0; i < futures.size(); i++) {
      int number = i;
      futures.get(i).onComplete(done -> ended.add(number));
    }

    rig.await(Future.all(futures));
    Traffic.eventually("all arrive", () -> subscriber.values().size() == 1_000);
    assertThat(Traffic.values(subscriber)).isEqualTo(Traffic.numbers(0, 1_000));
    assertThat(there.getBytes(0, 8_000)).isEqualTo(here.getBytes(0, 8_000));
    assertThat(ended).isSorted().hasSize(1_000);
  }

  @Test
  void a_publisher_is_written_out_with_no_more_under_way_than_allowed() {
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, Long.MAX_VALUE);
    AtomicInteger requested = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Flowable<WorkRequest> requests =
        Flowable.range(0, 500)
            .map(i -> WorkRequest.writeWithImmediate(null, i))
            .doOnNext(
                any ->
                    most.accumulateAndGet(
                        requested.incrementAndGet() - (int) client.counters().operationsCompleted(),
                        Math::max));

    client.rxPostAll(requests, 5).blockingAwait();

    Traffic.eventually("all arrive", () -> subscriber.values().size() == 500);
    assertThat(Traffic.values(subscriber)).isEqualTo(Traffic.numbers(0, 500));
    assertThat(most.get()).isLessThanOrEqualTo(5 + 1);
    assertThatThrownBy(() -> client.rxPostAll(requests, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0");
  }

  @Test
  void a_request_stream_ends_when_all_that_was_written_has_completed() {
    TestSubscriber<Immediate> subscriber = Traffic.subscribe(server, Long.MAX_VALUE);
    WriteStream<WorkRequest> stream = client.requestStream();
    for (int i = 0; i < 700; i++) {
      stream.write(WorkRequest.writeWithImmediate(null, i));
    }
    rig.await(stream.end());
    assertThat(client.counters().operationsCompleted()).isEqualTo(700);
    assertThat(client.isOpen()).isTrue();
    Traffic.eventually("all arrive", () -> subscriber.values().size() == 700);
    assertThatThrownBy(() -> stream.write(WorkRequest.write(null)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void requests_that_can_not_work_are_refused_at_once_and_harm_nothing() {
    RemoteMemory word = there.remote().slice(0, 8);
    RegisteredBuffer readOnly =
        rig.await(
            client
                .memory()
                .register(java.nio.ByteBuffer.allocateDirect(64).asReadOnlyBuffer(), Set.of()));
    assertThatThrownBy(() -> client.read(there.remote(), readOnly.all()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("LOCAL_WRITE");
    assertThatThrownBy(() -> WorkRequest.read(word, here.slice(0, 9)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("9", "8");
    assertThatThrownBy(() -> client.fetchAndAdd(there.remote().slice(4, 8), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("8 divides");
    assertThatThrownBy(() -> client.fetchAndAdd(there.remote().slice(0, 7), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("7");
    assertThatThrownBy(() -> WorkRequest.compareAndSwap(word, 1, 2, here.slice(0, 4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4");
    RegisteredBuffer.Slice[] five = new RegisteredBuffer.Slice[5];
    java.util.Arrays.fill(five, here.slice(0, 1));
    assertThatThrownBy(() -> client.post(WorkRequest.write(there.remote(), five)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("maxScatterGather", "4", "5");
    assertThatThrownBy(
            () ->
                client.postAll(
                    List.of(
                        WorkRequest.write(there.remote(), here.slice(0, 1)),
                        WorkRequest.write(there.remote(), there.slice(0, 1)))))
        .as("memory of the other side")
        .isInstanceOf(IllegalArgumentException.class);
    RegisteredBuffer closed = rig.await(client.memory().allocate(8));
    WorkRequest late = WorkRequest.write(there.remote(), closed.slice(0, 8));
    rig.await(closed.close());
    assertThatThrownBy(() -> client.post(late)).isInstanceOf(IllegalStateException.class);

    assertThat(client.counters().operationsCompleted()).isZero();
    rig.await(client.write(here.slice(0, 8), word));
    assertThat(client.counters().operationsCompleted()).isEqualTo(1);
  }

  @Test
  void a_connection_without_initiator_depth_refuses_reads_and_atomics_before_they_hang() {
    ConnectionParameters none = ConnectionParameters.SEND_RECEIVE.withInitiatorDepth(0);
    ContractRig.Pair pair =
        rig.pair(new RdmaServerOptions(), new RdmaClientOptions().setParameters(none));
    RegisteredBuffer target = rig.await(pair.client().memory().allocate(8));
    assertThatThrownBy(() -> pair.client().read(there.remote(), target.all()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("initiator depth is 0");
    assertThatThrownBy(() -> pair.client().fetchAndAdd(there.remote().slice(0, 8), 1))
        .isInstanceOf(IllegalStateException.class);
  }
}
