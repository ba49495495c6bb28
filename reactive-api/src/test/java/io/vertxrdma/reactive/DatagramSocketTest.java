package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.core.ConnectionClosedException;
import io.vertxrdma.core.DeviceRemovedException;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.reactive.metrics.RdmaMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagram sockets over a fake library: what is called when, and what is left after failures. */
class DatagramSocketTest {

  private final Bench bench = new Bench();

  @AfterEach
  void tearDown() {
    bench.close();
  }

  private RdmaDatagramSocket socket(RdmaDatagramOptions options) {
    return bench.elsewhere(() -> RdmaDatagramSocket.create(bench.vertx, options, bench.provider));
  }

  private RdmaDatagramSocket service(RdmaDatagramOptions options) {
    return Bench.get(socket(options).listen(0, Bench.HOST));
  }

  private static Future<DatagramPeer> lookup(RdmaDatagramSocket from, RdmaDatagramSocket service) {
    return from.lookup(service.actualPort(), Bench.HOST);
  }

  private static RegisteredBuffer bytes(RdmaDatagramSocket socket) {
    return Bench.get(socket.memory().copyOf(Buffer.buffer("bytes")));
  }

  @Test
  void all_receives_are_posted_before_anybody_learns_of_the_queue_pair() {
    AtomicInteger atAnswer = new AtomicInteger();
    RdmaDatagramSocket service = service(new RdmaDatagramOptions().setReceiveDepth(100));
    int number = service.queuePairNumber();
    bench.fake.before("rdma_accept", call -> atAnswer.set(bench.fake.postedReceives(number)));

    DatagramPeer peer = Bench.get(lookup(socket(new RdmaDatagramOptions()), service));

    assertThat(peer.queuePairNumber()).isEqualTo(number);
    assertThat(atAnswer).hasValue(100);
    assertThat(service.counters().receivesPosted()).isEqualTo(100);
  }

  @Test
  void many_lookups_and_answers_make_one_queue_pair_at_each_end_and_leave_no_ids() {
    RdmaDatagramSocket service = service(new RdmaDatagramOptions());
    RdmaDatagramSocket client = socket(new RdmaDatagramOptions());
    List<Future<DatagramPeer>> asking = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      asking.add(lookup(client, service));
    }
    asking.forEach(Bench::get);

    assertThat(bench.fake.queuePairs()).hasSize(2);
    Bench.until("two of queue pairs, one that listens", () -> bench.fake.live().get("ids") == 3);
    assertThat(client.counters().peers()).isEqualTo(10);
    Bench.get(Bench.get(asking.get(0)).close());
    assertThat(client.counters().peers()).isEqualTo(9);
  }

  @Test
  void a_device_that_takes_no_receives_fails_the_bind_which_can_be_tried_again() {
    RdmaDatagramSocket socket = socket(new RdmaDatagramOptions());
    bench.fake.refusePost("post_recv", 0, 12, 12);

    assertThat(Bench.failure(socket.bind(Bench.HOST))).hasMessageContaining("ibv_post_recv");
    bench.assertNoConnectionLeft();

    Bench.get(socket.bind(Bench.HOST));
    assertThat(socket.counters().receivesPosted()).isEqualTo(RdmaOptions.DEFAULT_RECEIVE_DEPTH);
  }

  @Test
  void an_address_handle_outlives_the_sends_that_were_posted_with_it() {
    RdmaDatagramSocket service = service(new RdmaDatagramOptions());
    RdmaDatagramSocket client = socket(new RdmaDatagramOptions());
    DatagramPeer peer = Bench.get(lookup(client, service));
    RegisteredBuffer bytes = bytes(client);
    bench.fake.holdSends(true);
    Future<Void> send = client.send(bytes, peer);
    Bench.until("it to be posted", () -> client.counters().sendsOutstanding() == 1);

    Future<Void> closing = peer.close();
    bench.settle();

    assertThat(peer.isClosed()).isTrue();
    assertThat(closing.isComplete()).isFalse();
    assertThat(bench.fake.calls("ibv_destroy_ah")).isEmpty();
    assertThatThrownBy(() -> client.send(bytes, peer)).isInstanceOf(IllegalStateException.class);
    bench.fake.holdSends(false);
    Bench.get(send);
    Bench.get(closing);
    assertThat(bench.fake.calls("ibv_destroy_ah")).hasSize(1);
  }

  @Test
  void a_full_send_queue_is_waited_for_and_a_send_that_the_device_refuses_fails_alone() {
    RdmaDatagramSocket service = service(new RdmaDatagramOptions());
    RdmaDatagramSocket client = socket(new RdmaDatagramOptions().setSendDepth(4));
    DatagramPeer peer = Bench.get(lookup(client, service));
    List<Datagram> datagrams = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      datagrams.add(new Datagram(WorkRequest.sendWithImmediate(i), peer));
    }
    bench.fake.refusePost("post_send", 1, 12, 12);
    bench.fake.refusePost("post_send", 2, 22, 22);
    List<Future<Void>> sends = client.postAll(datagrams);
    sends.forEach(Bench::settled);

    assertThat(sends.stream().filter(Future::failed).map(Future::cause))
        .singleElement()
        .asString()
        .contains("ibv_post_send", "EINVAL");
    assertThat(client.counters().sendsCompleted()).isEqualTo(19);
    Bench.get(client.sendImmediate(peer, 1));
  }

  @Test
  void a_send_that_breaks_the_queue_pair_ends_the_socket_and_says_why_everywhere() {
    RdmaDatagramSocket service = service(new RdmaDatagramOptions());
    RdmaDatagramSocket client = socket(new RdmaDatagramOptions());
    DatagramPeer peer = Bench.get(lookup(client, service));
    AtomicReference<Throwable> told = new AtomicReference<>();
    client.exceptionHandler(told::set);
    var received = client.datagrams().test();
    int number = client.queuePairNumber();
    bench.fake.holdSends(true);
    List<Future<Void>> sends = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      sends.add(client.sendImmediate(peer, i));
    }
    Bench.until("them to be posted", () -> bench.fake.pendingSends(number) == 3);

    bench.fake.completeSends(number, 1, 2);

    assertThat(Bench.failure(sends.get(0)))
        .isInstanceOf(WorkCompletionException.class)
        .hasMessageContaining("local QP operation error");
    assertThat(Bench.failure(sends.get(1))).isInstanceOf(FlushedException.class);
    assertThat(Bench.failure(sends.get(2))).isInstanceOf(FlushedException.class);
    Bench.get(client.close());
    assertThat(told.get()).isSameAs(Bench.failure(sends.get(0)));
    received.awaitDone(20, TimeUnit.SECONDS).assertError(told.get());
    bench.fake.holdSends(false);
  }

  @Test
  void a_removed_device_ends_the_socket() {
    RdmaDatagramSocket service = service(new RdmaDatagramOptions());
    var received = service.datagrams().test();
    bench.fake.removeDevice("fake0");
    received.awaitDone(20, TimeUnit.SECONDS).assertError(DeviceRemovedException.class);
    Bench.get(service.close());
  }

  @Test
  void no_answer_ends_with_the_deadline_and_a_close_ends_it_at_once() {
    RdmaDatagramSocket service = service(new RdmaDatagramOptions());
    bench.fake.silence("rdma_connect");
    int timeout = 15;
    do {
      // As long as this machine needs to ask.
      timeout *= 2;
      RdmaDatagramSocket hasty = socket(new RdmaDatagramOptions().setLookupTimeout(timeout));
      assertThat(Bench.failure(lookup(hasty, service))).isInstanceOf(ConnectTimeoutException.class);
    } while (bench.fake.calls("rdma_connect").isEmpty());
    int asked = bench.fake.calls("rdma_connect").size();
    RdmaDatagramSocket patient = socket(new RdmaDatagramOptions());
    Future<DatagramPeer> asking = lookup(patient, service);
    Bench.until("it to ask", () -> bench.fake.calls("rdma_connect").size() == asked + 1);
    Bench.get(patient.close());
    assertThat(Bench.failure(asking)).isInstanceOf(ConnectionClosedException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 8, 13})
  void a_close_at_any_moment_leaves_nothing(int turns) {
    RdmaDatagramSocket service = service(new RdmaDatagramOptions());
    RdmaDatagramSocket client = socket(new RdmaDatagramOptions());
    List<Future<?>> outcomes = new CopyOnWriteArrayList<>();
    outcomes.add(lookup(client, service));
    outcomes.add(client.bind(Bench.HOST));
    outcomes.add(client.listen(0, Bench.HOST));
    for (int i = 0; i < turns; i++) {
      bench.elsewhere(() -> true);
    }
    Future<Void> closing = client.close();
    Bench.get(closing);
    outcomes.forEach(Bench::settled);
    Bench.get(service.close());
    assertThat(bench.fake.live()).doesNotContainKeys("ids", "queue pairs", "address handles");
  }

  @Test
  void metrics_and_receives_follow_what_is_released() {
    List<Integer> low = new CopyOnWriteArrayList<>();
    AtomicInteger posted = new AtomicInteger();
    RdmaDatagramSocket service =
        service(
            new RdmaDatagramOptions()
                .setReceiveDepth(4)
                .setMetrics(
                    new RdmaMetrics() {
                      @Override
                      public void receivesPosted(int change) {
                        posted.addAndGet(change);
                      }

                      @Override
                      public void receivesLow(int left) {
                        low.add(left);
                      }
                    }));
    List<ReceivedDatagram> got = new CopyOnWriteArrayList<>();
    service.datagrams().subscribe(got::add);
    RdmaDatagramSocket client = socket(new RdmaDatagramOptions());
    DatagramPeer peer = Bench.get(lookup(client, service));
    for (int i = 0; i < 4; i++) {
      Bench.get(client.sendImmediate(peer, i));
    }
    Bench.until("all", () -> got.size() == 4);
    Bench.until("the count", () -> posted.get() == 0);
    assertThat(low).contains(0);
    assertThat(service.counters().receivesExhausted()).isEqualTo(1);
    assertThat(bench.log.alarms()).singleElement().asString().contains("the card drops");

    got.get(0).release();
    got.get(0).release();
    Bench.until("one receive", () -> posted.get() == 1);
    assertThatThrownBy(() -> got.get(0).byteBuffer()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> got.get(0).sender()).isInstanceOf(IllegalStateException.class);
    Future<DatagramPeer> sender = got.get(1).sender();
    got.get(1).release();
    assertThat(Bench.get(sender).queuePairNumber()).isEqualTo(client.queuePairNumber());
    Bench.until("two receives", () -> posted.get() == 2);
    Bench.get(service.close());
    assertThat(posted).hasValue(0);
    assertThat(Bench.failure(got.get(2).sender())).isInstanceOf(IllegalStateException.class);
    got.get(2).release();
  }
}
