package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.AsyncEventType;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.SharedReceiveQueue;
import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.core.WorkCompletions;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two ends in one fake library: data, completions, flushes and queue pair states over the SPI. */
class DataPathTest {

  private final FakeRig rig = new FakeRig();
  private CmId client;
  private CmId server;

  @AfterEach
  void nothing_is_left() {
    rig.close();
  }

  private void connect(int serverRnr) {
    rig.listener();
    client = rig.resolved();
    client.connect(new ConnParam(null, 1, 1, 0, 6, 7, false, 0));
    server = rig.closing(rig.next(CmEventType.CONNECT_REQUEST).id());
    rig.queuePair(server);
    server.accept(new ConnParam(null, 1, 1, 0, 0, serverRnr, false, 0));
    rig.next(CmEventType.ESTABLISHED);
    rig.next(CmEventType.ESTABLISHED);
  }

  private MemoryRegion region(String text, AccessFlag... access) {
    ByteBuffer memory = ByteBuffer.allocateDirect(64);
    memory.put(0, text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    return rig.closing(rig.domain().register(memory, Set.of(access)));
  }

  private static String text(MemoryRegion region, int length) {
    byte[] bytes = new byte[length];
    region.buffer().get(0, bytes);
    return new String(bytes, java.nio.charset.StandardCharsets.US_ASCII);
  }

  private void write(MemoryRegion from, MemoryRegion to, int length, int immediate) {
    try (SendBatch batch = client.queuePair().allocateSendBatch(1, 1)) {
      batch.add(
          100,
          SendOpcode.RDMA_WRITE_WITH_IMM,
          SendFlag.SIGNALED,
          immediate,
          to.address(),
          to.remoteKey());
      batch.addScatterGather(from.address(), length, from.localKey());
      assertThat(batch.post()).isZero();
    }
  }

  private WorkCompletions poll(int expected) {
    WorkCompletions completions = rig.queue().allocate(64);
    assertThat(rig.queue().poll(completions)).isEqualTo(expected);
    return completions;
  }

  @Test
  void a_write_with_immediate_moves_the_bytes_and_completes_on_both_ends() {
    connect(7);
    MemoryRegion from = region("hello");
    MemoryRegion to = region(".....", AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    rig.postReceives(server.queuePair(), 1, 500);
    write(from, to, 5, 0xCAFEBABE);
    assertThat(text(to, 5)).isEqualTo("hello");
    WorkCompletions completions = poll(2);
    assertThat(completions.isReceiveRdmaWithImmediate(0)).isTrue();
    assertThat(completions.workRequestId(0)).isEqualTo(500);
    assertThat(completions.immediate(0)).isEqualTo(0xCAFEBABE);
    assertThat(completions.byteLength(0)).isEqualTo(5);
    assertThat(completions.queuePairNumber(0)).isEqualTo(server.queuePair().number());
    assertThat(completions.workRequestId(1)).isEqualTo(100);
    assertThat(completions.opcode(1)).isEqualTo(WorkCompletionOpcode.RDMA_WRITE);
    assertThat(completions.isReceiveRdmaWithImmediate(1)).isFalse();
  }

  @Test
  void a_write_waits_for_a_receive_when_the_peer_allows_endless_retries() {
    connect(7);
    MemoryRegion from = region("late!");
    MemoryRegion to = region(".....", AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    write(from, to, 5, 1);
    poll(0);
    rig.postReceives(server.queuePair(), 1, 1);
    poll(2);
  }

  @Test
  void without_retries_a_missing_receive_ends_in_status_13_and_error_state() {
    connect(0);
    MemoryRegion from = region("lost");
    MemoryRegion to = region("....", AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    write(from, to, 4, 1);
    assertThat(poll(1).status(0)).isEqualTo(13);
    assertThat(client.queuePair().query().state()).isEqualTo(QueuePairState.ERR);
  }

  @Test
  void a_wrong_key_is_status_10_and_moves_nothing() {
    connect(7);
    MemoryRegion from = region("evil");
    MemoryRegion to = region("good", AccessFlag.LOCAL_WRITE);
    rig.postReceives(server.queuePair(), 2, 1);
    write(from, to, 4, 1);
    assertThat(text(to, 4)).isEqualTo("good");
    WorkCompletions completions = poll(3);
    assertThat(completions.status(0)).isEqualTo(5);
    assertThat(completions.status(1)).isEqualTo(5);
    assertThat(completions.status(2)).isEqualTo(10);
    assertThat(completions.vendorError(2)).isEqualTo(0x8A);
  }

  @Test
  void capabilities_are_those_the_device_gave() {
    rig.fake.roundCapacities();
    QueuePairCapabilities given = rig.resolved().queuePair().capabilities();
    assertThat(given.maxSendWorkRequests()).isEqualTo(31);
    assertThat(given.maxReceiveWorkRequests()).isEqualTo(63);
    assertThat(given.maxSendScatterGather()).isEqualTo(2);
    assertThat(given.maxInlineData()).isEqualTo(64);
  }

  @Test
  void the_attributes_of_a_queue_pair_are_read_field_by_field() {
    connect(5);
    QueuePair pair = client.queuePair();
    pair.setMinRnrTimer(12);
    assertThat(pair.query().state()).isEqualTo(QueuePairState.RTS);
    assertThat(pair.query().pathMtu()).isEqualTo(1024);
    assertThat(pair.query().minRnrTimer()).isEqualTo(12);
    assertThat(pair.query().timeout()).isEqualTo(17);
    assertThat(pair.query().retryCount()).isEqualTo(6);
    assertThat(pair.query().rnrRetryCount()).isEqualTo(5);
    assertThat(server.queuePair().query().rnrRetryCount()).isEqualTo(7);
    assertThat(pair.query().remoteQueuePairNumber()).isEqualTo(server.queuePair().number());
    assertThatThrownBy(() -> pair.setMinRnrTimer(32)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everything_outstanding_is_flushed_once_when_the_queue_pair_breaks() {
    CmId id = rig.connected();
    QueuePair pair = id.queuePair();
    rig.fake.holdSends(true);
    rig.postReceives(pair, 4, 1000);
    try (SendBatch batch = pair.allocateSendBatch(3, 0)) {
      for (int i = 0; i < 3; i++) {
        batch.add(i, SendOpcode.RDMA_WRITE_WITH_IMM, 0, 0, 0, 0);
      }
      assertThat(batch.post()).isZero();
    }
    poll(0);
    id.disconnect();
    WorkCompletions completions = poll(7);
    for (int i = 0; i < 7; i++) {
      assertThat(completions.status(i)).isEqualTo(5);
      assertThat(completions.workRequestId(i)).isEqualTo(i < 3 ? i : 1000 + i - 3);
    }
    poll(0);
  }

  @Test
  void a_disconnect_reaches_the_peer_and_comes_back_when_the_peer_answers() {
    connect(7);
    client.disconnect();
    assertThat(rig.next(CmEventType.DISCONNECTED).id()).isSameAs(server);
    assertThat(rig.channel().poll()).isNull();
    server.disconnect();
    assertThat(rig.next(CmEventType.DISCONNECTED).id()).isSameAs(client);
    server.disconnect();
    client.disconnect();
    assertThat(rig.channel().poll()).isNull();
  }

  @Test
  void a_reject_reaches_the_peer_with_its_data_padded() {
    rig.listener();
    client = rig.resolved();
    client.connect(ConnParam.ZERO);
    server = rig.closing(rig.next(CmEventType.CONNECT_REQUEST).id());
    server.reject(new byte[] {1, 2, 3});
    var event = rig.next(CmEventType.REJECTED);
    assertThat(event.id()).isSameAs(client);
    assertThat(event.status()).isEqualTo(28);
    assertThat(event.privateData()).hasSize(148).startsWith(1, 2, 3, 0);
  }

  @Test
  void nobody_listening_is_rejected_with_reason_8() {
    rig.fake.loopbackOnly();
    CmId id = rig.resolved();
    id.connect(ConnParam.ZERO);
    assertThat(rig.next(CmEventType.REJECTED).status()).isEqualTo(8);
  }

  @Test
  void a_shared_receive_queue_feeds_its_pairs_and_tells_once_when_it_runs_low() {
    SharedReceiveQueue shared = rig.domain().createSharedReceiveQueue(8, 1);
    CmId id = rig.id();
    id.resolveAddress(null, FakeRig.SERVER, 1000);
    rig.next(CmEventType.ADDR_RESOLVED);
    QueuePair pair =
        id.createQueuePair(
            rig.domain(),
            new QueuePairInit(
                QueuePairType.RC,
                rig.queue(),
                rig.queue(),
                shared,
                new QueuePairCapabilities(4, 0, 1, 0, 0),
                true));
    try (ReceiveBatch batch = shared.allocateReceiveBatch(9, 1)) {
      for (int i = 0; i < 9; i++) {
        batch.add(i);
      }
      assertThat(batch.post()).isEqualTo(12);
      assertThat(batch.posted()).isEqualTo(8);
    }
    shared.setLimit(7);
    assertThat(shared.queryLimit()).isEqualTo(7);
    rig.fake.completeReceiveWithImm(pair.number(), 1, 0);
    assertThat(rig.device().asyncEvents().poll()).isNull();
    rig.fake.completeReceiveWithImm(pair.number(), 2, 0);
    rig.fake.completeReceiveWithImm(pair.number(), 3, 0);
    AsyncEvent event = rig.device().asyncEvents().poll();
    assertThat(event.type()).isEqualTo(AsyncEventType.SRQ_LIMIT_REACHED);
    assertThat(event.element()).isSameAs(shared);
    assertThat(rig.device().asyncEvents().poll()).isNull();
    assertThat(shared.queryLimit()).isZero();
    assertThatThrownBy(shared::close).isInstanceOf(IllegalStateException.class);
    id.close();
    shared.close();
  }

  @Test
  void asynchronous_events_name_the_object_or_the_port_they_are_about() {
    QueuePair pair = rig.connected().queuePair();
    rig.fake.asyncEvent("fake0", 1, rig.fake.pointerOfQueuePair(pair.number()));
    rig.fake.asyncEvent("fake0", 10, 1);
    rig.fake.asyncEvent("fake0", 8, 0);
    rig.fake.asyncEvent("fake0", 99, 0x1234);
    rig.fake.asyncEvent("fake0", 0, 0x1234);
    var events = rig.device().asyncEvents();
    assertThat(events.poll())
        .isEqualTo(new AsyncEvent(rig.device(), AsyncEventType.QP_FATAL, 1, pair, 0));
    assertThat(events.poll())
        .isEqualTo(new AsyncEvent(rig.device(), AsyncEventType.PORT_ERR, 10, null, 1));
    assertThat(events.poll().type()).isEqualTo(AsyncEventType.DEVICE_FATAL);
    assertThat(events.poll().type()).isEqualTo(AsyncEventType.UNKNOWN);
    assertThat(events.poll().element()).isNull();
    assertThat(events.poll()).isNull();
  }

  @Test
  void unsignalled_sends_free_their_slots_when_a_later_signalled_one_is_polled() {
    QueuePair pair = rig.connected().queuePair();
    try (SendBatch batch = pair.allocateSendBatch(16, 0)) {
      for (int round = 0; round < 10; round++) {
        batch.clear();
        for (int i = 0; i < 16; i++) {
          int flags = i == 15 ? SendFlag.SIGNALED : 0;
          batch.add(i, SendOpcode.RDMA_WRITE_WITH_IMM, flags, i, 0, 0);
        }
        assertThat(batch.post()).isZero();
        assertThat(batch.post()).as("queue full").isEqualTo(12);
        assertThat(poll(1).workRequestId(0)).isEqualTo(15);
      }
    }
  }

  @Test
  void an_overrun_queue_is_reported_as_an_asynchronous_error() {
    var small = rig.device().createCompletionQueue(2, null);
    CmId id = rig.id();
    id.resolveAddress(null, FakeRig.SERVER, 1000);
    rig.next(CmEventType.ADDR_RESOLVED);
    QueuePair pair =
        id.createQueuePair(
            rig.domain(),
            new QueuePairInit(
                QueuePairType.RC,
                small,
                small,
                null,
                new QueuePairCapabilities(4, 4, 1, 0, 0),
                false));
    rig.postReceives(pair, 3, 0);
    pair.toError();
    AsyncEvent event = rig.device().asyncEvents().poll();
    assertThat(event.type()).isEqualTo(AsyncEventType.CQ_ERR);
    assertThat(event.element()).isSameAs(small);
    id.close();
    small.close();
  }

  @Test
  void the_descriptors_poll_readable_as_long_as_something_waits() {
    CmId id = rig.id();
    assertThat(Readable.now(rig.channel().fileDescriptor())).isFalse();
    id.resolveAddress(null, FakeRig.SERVER, 1000);
    assertThat(Readable.now(rig.channel().fileDescriptor())).isTrue();
    rig.next(CmEventType.ADDR_RESOLVED);
    assertThat(Readable.now(rig.channel().fileDescriptor())).isFalse();
  }
}
