package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every event is acknowledged exactly once, whatever it is and whoever closes meanwhile (L2-L4).
 */
class L3_AcknowledgementTest {

  private final FakeRig rig = new FakeRig();

  @AfterEach
  void nothing_is_left() {
    // Closing the rig compares the counts of fetched and acknowledged events.
    rig.close();
  }

  @Test
  void an_event_is_acknowledged_before_it_is_handed_out_so_its_id_can_be_closed_at_once() {
    CmId id = rig.connected();
    rig.fake.event(rig.fake.lastId()).type(10).enqueue();
    CmEvent event = rig.next(CmEventType.DISCONNECTED);
    assertThat(rig.fake.eventsAcknowledged()).isEqualTo(rig.fake.eventsFetched());
    event.id().close();
    assertThat(id.isClosed()).isTrue();
    assertThat(rig.fake.violations()).isEmpty();
  }

  @Test
  void a_listener_can_be_closed_while_its_request_is_being_handled() {
    CmId listener = rig.listener();
    rig.fake.incomingRequest(rig.pointer(listener)).enqueue();
    CmEvent request = rig.next(CmEventType.CONNECT_REQUEST);
    listener.close();
    rig.queuePair(request.id());
    request.id().accept(ConnParam.ZERO);
    assertThat(rig.next(CmEventType.ESTABLISHED).id()).isSameAs(request.id());
    request.id().close();
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 77, 255, 1000, -1, Integer.MIN_VALUE})
  void an_event_number_without_a_name_is_acknowledged_and_reported_as_unknown(int number) {
    CmId id = rig.connected();
    rig.fake.event(rig.fake.lastId()).type(number).status(-5).enqueue();
    CmEvent event = rig.next(CmEventType.UNKNOWN);
    assertThat(event.rawType()).isEqualTo(number);
    assertThat(event.status()).isEqualTo(-5);
    assertThat(event.id()).isSameAs(id);
    assertThat(event.toString()).contains(Integer.toString(number));
  }

  @ParameterizedTest
  @CsvSource({
    "16, ADDRINFO_RESOLVED",
    "17, ADDRINFO_ERROR",
    "18, USER",
    "19, INTERNAL",
    "12, MULTICAST_JOIN",
    "14, ADDR_CHANGE",
    "15, TIMEWAIT_EXIT"
  })
  void rare_events_have_their_names(int number, CmEventType type) {
    rig.connected();
    rig.fake.event(rig.fake.lastId()).type(number).enqueue();
    assertThat(rig.next(type).rawType()).isEqualTo(number);
  }

  @ParameterizedTest
  @CsvSource({
    "rdma_resolve_addr, 1, -110",
    "rdma_resolve_addr, 1, -19",
    "rdma_resolve_addr, 1, -99",
    "rdma_resolve_route, 3, -110",
    "rdma_resolve_route, 3, 28",
    "rdma_connect, 6, -110",
    "rdma_connect, 7, -110",
    "rdma_connect, 8, 8",
    "rdma_connect, 8, 10",
    "rdma_connect, 8, 28",
    "rdma_connect, 8, -111"
  })
  void every_failing_event_of_every_stage_arrives_with_its_status(
      String stage, int type, int status) {
    rig.fake.replyTo(stage).type(type).status(status);
    CmId id = rig.id();
    id.resolveAddress(null, FakeRig.SERVER, 1000);
    if (!stage.equals("rdma_resolve_addr")) {
      rig.next(CmEventType.ADDR_RESOLVED);
      rig.queuePair(id);
      id.resolveRoute(1000);
      if (!stage.equals("rdma_resolve_route")) {
        rig.next(CmEventType.ROUTE_RESOLVED);
        id.connect(ConnParam.ZERO);
      }
    }
    CmEvent event = rig.next(CmEventType.of(type));
    assertThat(event.status()).isEqualTo(status);
    assertThat(event.id()).isSameAs(id);
    id.close();
    rig.fake.event(rig.fake.calls("rdma_destroy_id").get(1).argument(0)).type(10).enqueue();
    assertThat(rig.channel().poll()).as("a late event of the closed id").isNull();
  }

  @Test
  void an_event_of_a_closed_id_is_acknowledged_and_skipped_and_the_next_one_comes() {
    CmId closed = rig.connected();
    long pointer = rig.fake.lastId();
    CmId other = rig.connected();
    closed.close();
    rig.fake.event(pointer).type(10).enqueue();
    rig.fake.event(pointer).type(15).enqueue();
    rig.fake.event(rig.fake.lastId()).type(10).enqueue();
    assertThat(rig.next(CmEventType.DISCONNECTED).id()).isSameAs(other);
    assertThat(rig.channel().poll()).isNull();
  }

  @Test
  void a_request_that_arrives_for_a_closed_listener_is_destroyed_and_so_rejected() {
    CmId listener = rig.listener();
    long pointer = rig.pointer(listener);
    listener.close();
    int live = rig.fake.ids().size();
    rig.fake.incomingRequest(pointer).enqueue();
    assertThat(rig.channel().poll()).isNull();
    assertThat(rig.fake.ids()).hasSize(live);
  }

  @Test
  void events_not_fetched_are_gone_with_their_id() {
    CmId id = rig.id();
    id.resolveAddress(null, FakeRig.SERVER, 1000);
    assertThat(rig.fake.eventsWaiting()).isEqualTo(1);
    id.close();
    assertThat(rig.fake.eventsWaiting()).isZero();
    assertThat(rig.channel().poll()).isNull();
  }

  @Test
  void a_close_in_another_thread_waits_for_the_poll_that_holds_an_event_of_the_id()
      throws Exception {
    CmId id = rig.connected();
    rig.fake.event(rig.fake.lastId()).type(10).enqueue();
    CountDownLatch fetched = new CountDownLatch(1);
    CountDownLatch destroying = new CountDownLatch(1);
    rig.fake.before("rdma_destroy_id", call -> destroying.countDown());
    rig.fake.before(
        "rdma_ack_cm_event",
        call -> {
          fetched.countDown();
          await(destroying);
        });
    AtomicReference<CmEvent> event = new AtomicReference<>();
    CmEventChannel channel = rig.channel();
    CompletableFuture<Void> polling = CompletableFuture.runAsync(() -> event.set(channel.poll()));
    await(fetched);
    id.close();
    polling.get(10, TimeUnit.SECONDS);
    rig.fake.asUsual("rdma_ack_cm_event").asUsual("rdma_destroy_id");
    // Delivered or dropped: both are right, an event lost un-acknowledged is not.
    assertThat(rig.fake.eventsAcknowledged()).isEqualTo(rig.fake.eventsFetched());
    assertThat(rig.fake.violations()).isEmpty();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_failing_acknowledgement_does_not_lose_the_event() {
    rig.connected();
    rig.fake.event(rig.fake.lastId()).type(10).enqueue();
    // The call fails after it was done, so that the counts stay equal.
    rig.fake.after("rdma_ack_cm_event", call -> rig.fake.setErrno(5));
    assertThat(rig.next(CmEventType.DISCONNECTED)).isNotNull();
    rig.fake.asUsual("rdma_ack_cm_event");
  }

  @Test
  void closing_from_inside_the_handling_of_each_event_of_a_whole_life_never_hangs() {
    for (int step = 0; step < 3; step++) {
      CmId id = rig.id();
      id.resolveAddress(null, FakeRig.SERVER, 1000);
      rig.next(CmEventType.ADDR_RESOLVED);
      if (step > 0) {
        rig.queuePair(id);
        id.resolveRoute(1000);
        rig.next(CmEventType.ROUTE_RESOLVED);
      }
      if (step > 1) {
        id.connect(ConnParam.ZERO);
        rig.next(CmEventType.ESTABLISHED);
      }
      id.close();
      id.close();
    }
    assertThat(rig.channel().liveIds()).isZero();
  }

  @Test
  void many_loops_of_connect_disconnect_and_close_leave_no_count_behind() {
    CmId listener = rig.listener();
    for (int i = 0; i < 300; i++) {
      CmId client = rig.resolved();
      client.connect(ConnParam.ZERO);
      CmId server = rig.next(CmEventType.CONNECT_REQUEST).id();
      rig.queuePair(server);
      server.accept(ConnParam.ZERO);
      assertThat(rig.next(CmEventType.ESTABLISHED).id()).isSameAs(client);
      if (i % 3 != 0) {
        assertThat(rig.next(CmEventType.ESTABLISHED).id()).isSameAs(server);
        client.disconnect();
      }
      if (i % 3 == 2) {
        assertThat(rig.next(CmEventType.DISCONNECTED).id()).isSameAs(server);
        server.disconnect();
        assertThat(rig.next(CmEventType.DISCONNECTED).id()).isSameAs(client);
      }
      server.close();
      client.close();
      assertThat(rig.channel().liveIds()).isEqualTo(1);
      while (rig.channel().poll() != null) {
        // What is left is about closed ids and must not come out.
        throw new AssertionError("an event of a closed id was handed out");
      }
    }
    listener.close();
  }

  @Test
  void a_queue_pair_is_not_destroyed_while_an_event_that_may_be_about_it_is_fetched()
      throws Exception {
    CmId id = rig.connected();
    CountDownLatch fetching = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicReference<Boolean> destroyedMeanwhile = new AtomicReference<>();
    CountDownLatch destroyed = new CountDownLatch(1);
    rig.fake.before("rdma_destroy_qp", call -> destroyed.countDown());
    rig.fake.before(
        "rdma_get_cm_event",
        call -> {
          fetching.countDown();
          await(goOn);
          destroyedMeanwhile.compareAndSet(null, destroyed.getCount() == 0);
        });
    CompletableFuture<CmEvent> polled = CompletableFuture.supplyAsync(rig.channel()::poll);
    await(fetching);
    CompletableFuture<Void> closing = CompletableFuture.runAsync(id::close);
    assertThat(destroyed.await(100, TimeUnit.MILLISECONDS)).isFalse();
    goOn.countDown();
    polled.get(10, TimeUnit.SECONDS);
    closing.get(10, TimeUnit.SECONDS);
    assertThat(destroyedMeanwhile.get()).isFalse();
    assertThat(destroyed.getCount()).isZero();
    rig.fake.asUsual("rdma_get_cm_event").asUsual("rdma_destroy_qp");
  }

  @Test
  void polling_does_not_wait_for_a_queue_pair_that_is_being_destroyed() throws Exception {
    CmId id = rig.connected();
    CmId other = rig.connected();
    long otherPointer = rig.fake.lastId();
    CountDownLatch destroying = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    rig.fake.before(
        "rdma_destroy_qp",
        call -> {
          destroying.countDown();
          await(goOn);
        });
    CompletableFuture<Void> closing = CompletableFuture.runAsync(id::close);
    await(destroying);
    rig.fake.event(otherPointer).type(10).enqueue();
    assertThat(rig.channel().poll()).isNull();
    goOn.countDown();
    closing.get(10, TimeUnit.SECONDS);
    assertThat(rig.next(CmEventType.DISCONNECTED).id()).isSameAs(other);
    rig.fake.asUsual("rdma_destroy_qp");
  }
}
