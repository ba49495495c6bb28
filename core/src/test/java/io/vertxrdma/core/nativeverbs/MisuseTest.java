package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CmOption;
import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong use (case P8 and use after close) throws at once and never reaches native code. */
class MisuseTest {

  private final FakeRig rig = new FakeRig();

  @AfterEach
  void nothing_is_left() {
    rig.close();
  }

  private static void throwsClosed(String name, List<ThrowingCallable> uses) {
    assertThat(uses)
        .allSatisfy(
            use ->
                assertThatThrownBy(use)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(name)
                    .hasMessageContaining("closed"));
  }

  @Test
  void accept_without_a_queue_pair_would_crash_librdmacm_and_never_gets_there() {
    CmId listener = rig.listener();
    rig.fake.incomingRequest(rig.pointer(listener)).enqueue();
    CmId child = rig.closing(rig.next(CmEventType.CONNECT_REQUEST).id());
    assertThatThrownBy(() -> child.accept(ConnParam.ZERO))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("queue pair");
    assertThat(rig.fake.calls("rdma_accept")).isEmpty();
  }

  @Test
  void connect_without_a_queue_pair_never_reaches_native() {
    CmId id = rig.id();
    id.resolveAddress(null, FakeRig.SERVER, 1000);
    rig.next(CmEventType.ADDR_RESOLVED);
    id.resolveRoute(1000);
    rig.next(CmEventType.ROUTE_RESOLVED);
    assertThatThrownBy(() -> id.connect(ConnParam.ZERO))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("queue pair");
    assertThat(rig.fake.calls("rdma_connect")).isEmpty();
  }

  @Test
  void accept_after_the_queue_pair_was_closed_never_reaches_native() {
    CmId child = rig.requested(rig.listener());
    child.queuePair().close();
    assertThat(child.queuePair()).isNull();
    assertThatThrownBy(() -> child.accept(ConnParam.ZERO))
        .isInstanceOf(IllegalStateException.class);
    assertThat(rig.fake.calls("rdma_accept")).isEmpty();
  }

  @Test
  void a_queue_pair_needs_a_device_and_an_id_has_one_at_most() {
    CmId id = rig.id();
    assertThatThrownBy(() -> rig.queuePair(id))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("device");
    id.resolveAddress(null, FakeRig.SERVER, 1000);
    rig.next(CmEventType.ADDR_RESOLVED);
    rig.queuePair(id);
    assertThatThrownBy(() -> rig.queuePair(id)).isInstanceOf(IllegalStateException.class);
    assertThat(rig.fake.calls("rdma_create_qp")).hasSize(1);
  }

  @Test
  void the_second_connect_or_accept_is_refused_and_the_first_goes_on() {
    CmId client = rig.connected();
    assertThatThrownBy(() -> client.connect(ConnParam.ZERO)).isInstanceOf(RdmaException.class);
    CmId server = rig.requested(rig.listener());
    server.accept(ConnParam.ZERO);
    assertThatThrownBy(() -> server.accept(ConnParam.ZERO)).isInstanceOf(RdmaException.class);
    assertThatThrownBy(() -> server.reject(null)).isInstanceOf(RdmaException.class);
    assertThat(rig.next(CmEventType.ESTABLISHED).id()).isSameAs(server);
  }

  @Test
  void every_call_on_a_closed_id_throws_and_names_it() {
    CmId id = rig.connected();
    CmEventChannel channel = rig.channel();
    id.close();
    id.close();
    rig.fake.clearCalls();
    throwsClosed(
        "cm id",
        List.of(
            () -> id.setOption(CmOption.TOS, 1),
            () -> id.bind(FakeRig.SERVER),
            () -> id.listen(1),
            () -> id.resolveAddress(null, FakeRig.SERVER, 1),
            () -> id.resolveRoute(1),
            () -> rig.queuePair(id),
            () -> id.connect(ConnParam.ZERO),
            () -> id.accept(ConnParam.ZERO),
            () -> id.reject(null),
            id::disconnect,
            () -> id.migrate(channel),
            id::device,
            id::localAddress,
            id::remoteAddress,
            id::port));
    assertThat(id.isClosed()).isTrue();
    assertThat(rig.fake.calls()).isEmpty();
  }

  @Test
  void every_call_on_a_closed_queue_pair_throws_and_names_it() {
    QueuePair pair = rig.connected().queuePair();
    SendBatch sends = pair.allocateSendBatch(1, 0);
    ReceiveBatch receives = pair.allocateReceiveBatch(1, 0);
    sends.add(1, SendOpcode.RDMA_WRITE_WITH_IMM, 0, 0, 0, 0);
    receives.add(1);
    pair.close();
    pair.close();
    rig.fake.clearCalls();
    throwsClosed(
        "queue pair",
        List.of(
            pair::query,
            () -> pair.setMinRnrTimer(12),
            pair::toError,
            () -> pair.allocateSendBatch(1, 1),
            () -> pair.allocateReceiveBatch(1, 1),
            sends::post,
            receives::post));
    sends.close();
    receives.close();
    assertThat(rig.fake.calls()).isEmpty();
  }

  @Test
  void every_call_on_a_closed_channel_queue_region_or_domain_throws_and_names_it() {
    CmEventChannel channel = rig.channel();
    CompletionQueue queue = rig.queue();
    CompletionChannel completions = rig.completions();
    ProtectionDomain domain = rig.domain();
    WorkCompletions into = queue.allocate(1);
    ByteBuffer memory = ByteBuffer.allocateDirect(8);
    MemoryRegion region = rig.closing(domain.register(memory, Set.of(AccessFlag.LOCAL_WRITE)));
    rig.closeAll();
    rig.fake.clearCalls();
    throwsClosed(
        "event channel",
        List.of(channel::poll, channel::fileDescriptor, () -> channel.createId(PortSpace.TCP)));
    throwsClosed(
        "completion queue",
        List.of(() -> queue.poll(into), queue::requestNotification, queue::capacity));
    throwsClosed(
        "completion channel",
        List.of(completions::fileDescriptor, () -> completions.drain(q -> {})));
    throwsClosed(
        "memory region",
        List.of(
            region::address, region::length, region::localKey, region::remoteKey, region::buffer));
    throwsClosed(
        "protection domain",
        List.of(
            () -> domain.register(memory, Set.of()), () -> domain.createSharedReceiveQueue(1, 0)));
    channel.close();
    queue.close();
    completions.close();
    domain.close();
    region.close();
    assertThat(rig.fake.calls()).isEmpty();
  }

  @Test
  void nothing_is_destroyed_under_its_users() {
    CmId id = rig.resolved();
    assertThatThrownBy(() -> rig.channel().close()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> rig.queue().close())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1 queue pairs");
    assertThatThrownBy(() -> rig.completions().close()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> rig.domain().close()).isInstanceOf(IllegalStateException.class);
    id.connect(ConnParam.ZERO);
    rig.next(CmEventType.ESTABLISHED);
  }

  @Test
  void a_destroy_that_fails_can_be_tried_again() {
    CompletionQueue queue = rig.device().createCompletionQueue(4, null);
    rig.fake.failNext("ibv_destroy_cq", 16);
    assertThatThrownBy(queue::close)
        .isInstanceOf(RdmaException.class)
        .extracting("code")
        .isEqualTo(16);
    queue.close();
  }

  @Test
  void options_go_out_with_the_width_the_kernel_wants() {
    CmId id = rig.id();
    id.setOption(CmOption.TOS, 200);
    assertThat(rig.fake.lastCall("rdma_set_option").struct()).containsExactly(200);
    id.setOption(CmOption.REUSE_ADDRESS, 1);
    assertThat(rig.fake.lastCall("rdma_set_option").struct()).hasSize(4);
    assertThat(rig.fake.lastCall("rdma_set_option").i32(0)).isEqualTo(1);
    id.setOption(CmOption.ACK_TIMEOUT, 14);
    assertThat(rig.fake.lastCall("rdma_set_option").argument(2)).isEqualTo(3);
    assertThatThrownBy(() -> id.setOption(CmOption.TOS, 256))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "-1, 0", "128, 128", "5000, 5000"})
  void a_backlog_of_0_or_less_asks_for_the_kernels_maximum(int given, int asked) {
    CmId id = rig.id();
    id.bind(FakeRig.SERVER);
    id.listen(given);
    assertThat(rig.fake.lastCall("rdma_listen").argument(1)).isEqualTo(asked);
  }

  @Test
  void batches_refuse_what_does_not_fit() {
    QueuePair pair = rig.connected().queuePair();
    try (SendBatch batch = pair.allocateSendBatch(1, 1)) {
      assertThatThrownBy(() -> batch.addScatterGather(0, 1, 1))
          .isInstanceOf(IllegalStateException.class);
      batch.add(1, SendOpcode.SEND, 0, 0, 0, 0);
      assertThatThrownBy(() -> batch.setAtomicOperands(1, 2))
          .isInstanceOf(IllegalStateException.class);
      batch.addScatterGather(0, 1, 1);
      assertThatThrownBy(() -> batch.addScatterGather(0, 1, 1))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> batch.add(2, SendOpcode.SEND, 0, 0, 0, 0))
          .isInstanceOf(IllegalStateException.class);
      batch.clear();
      assertThat(batch.size()).isZero();
      assertThat(batch.post()).isZero();
    }
    assertThat(rig.fake.calls("post_send")).isEmpty();
  }
}
