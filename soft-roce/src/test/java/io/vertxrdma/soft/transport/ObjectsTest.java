package io.vertxrdma.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.SharedReceiveQueue;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.soft.SoftDeviceOptions;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Making, limiting, misusing and closing the objects of a device: as the native provider does it.
 */
class ObjectsTest {

  private static final SoftDeviceOptions SMALL =
      new SoftDeviceOptions(2, 8, 3, 16, 1 << 20, 3, 4, 4, 10, 1024);

  private final Rig rig = new Rig(SMALL);
  private final End end = rig.client;

  private Rig connected() {
    end.capabilities = new QueuePairCapabilities(8, 8, 2, 2, 16);
    rig.server.capabilities = end.capabilities;
    return rig.connect();
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
  void every_call_on_a_closed_object_throws_and_names_it() {
    CompletionChannel channel = end.engine.createCompletionChannel();
    CompletionQueue queue = end.engine.createCompletionQueue(4, channel);
    ProtectionDomain domain = end.engine.allocateProtectionDomain(end.device);
    WorkCompletions into = queue.allocate(1);
    ByteBuffer memory = ByteBuffer.allocateDirect(8);
    MemoryRegion region = domain.register(memory, Set.of());
    for (int i = 0; i < 2; i++) {
      queue.close();
      channel.close();
      region.close();
      domain.close();
    }
    throwsClosed(
        "completion queue",
        List.of(() -> queue.poll(into), queue::requestNotification, queue::capacity));
    throwsClosed(
        "completion channel",
        List.of(
            channel::fileDescriptor,
            () -> channel.drain(q -> {}),
            () -> channel.setReadableListener(null),
            () -> end.engine.createCompletionQueue(4, channel)));
    throwsClosed(
        "memory region",
        List.of(
            region::address, region::length, region::localKey, region::remoteKey, region::buffer));
    throwsClosed(
        "protection domain",
        List.of(
            () -> domain.register(memory, Set.of()), () -> domain.createSharedReceiveQueue(1, 0)));
  }

  @Test
  void every_call_on_a_closed_queue_pair_throws_and_names_it() {
    SoftQueuePair pair = connected().client.pair;
    SendBatch sends = pair.allocateSendBatch(1, 0);
    ReceiveBatch receives = pair.allocateReceiveBatch(1, 0);
    sends.add(1, SendOpcode.RDMA_WRITE_WITH_IMM, 0, 0, 0, 0);
    receives.add(1);
    pair.close();
    pair.close();
    throwsClosed(
        "queue pair",
        List.of(
            pair::query,
            pair::number,
            () -> pair.setMinRnrTimer(12),
            pair::toError,
            () -> pair.activate(1),
            () -> pair.allocateSendBatch(1, 1),
            () -> pair.allocateReceiveBatch(1, 1),
            sends::post,
            receives::post));
    assertThat(pair.isClosed()).isTrue();
    sends.close();
    receives.close();
    throwsClosed("batch", List.of(sends::post, sends::clear, receives::post));
  }

  @Test
  void nothing_is_closed_under_its_users() {
    CompletionChannel channel = end.engine.createCompletionChannel();
    end.setQueue(end.engine.createCompletionQueue(4, channel));
    end.capabilities = new QueuePairCapabilities(1, 1, 1, 1, 0);
    end.createPair();
    MemoryRegion region = end.memory(8);
    SharedReceiveQueue shared = end.domain.createSharedReceiveQueue(1, 0);
    assertThatThrownBy(end.queue::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("still in use: close its 1 queue pairs first");
    assertThatThrownBy(channel::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("close its 1 completion queues first");
    assertThatThrownBy(end.domain::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(
            "close its 1 memory regions, 1 queue pairs, 1 shared receive queues first");
    end.pair.close();
    region.close();
    shared.close();
    end.domain.close();
    end.queue.close();
    channel.close();
  }

  @Test
  void registration_refuses_what_the_native_provider_refuses() {
    ByteBuffer direct = ByteBuffer.allocateDirect(64);
    ByteBuffer heap = ByteBuffer.allocate(64);
    ByteBuffer empty = direct.duplicate().position(64);
    ByteBuffer readOnly = direct.asReadOnlyBuffer();
    assertThat(
            List.<ThrowingCallable>of(
                () -> end.domain.register(heap, Set.of()),
                () -> end.domain.register(empty, Set.of()),
                () -> end.domain.register(direct, Set.of(AccessFlag.REMOTE_WRITE)),
                () -> end.domain.register(direct, Set.of(AccessFlag.REMOTE_ATOMIC)),
                () -> end.domain.register(readOnly, Set.of(AccessFlag.LOCAL_WRITE))))
        .allSatisfy(use -> assertThatThrownBy(use).isInstanceOf(IllegalArgumentException.class));
    end.domain.register(readOnly, Set.of(AccessFlag.REMOTE_READ)).close();
  }

  @Test
  void a_region_is_the_bytes_from_position_to_limit() {
    ByteBuffer whole = ByteBuffer.allocateDirect(100);
    MemoryRegion region = end.domain.register(whole.position(10).limit(30), Set.of());
    assertThat(region.length()).isEqualTo(20);
    region.buffer().put(0, (byte) 7);
    assertThat(whole.get(10)).isEqualTo((byte) 7);
    region.buffer().position(5);
    assertThat(region.buffer().position()).isZero();
  }

  private static void assertRefused(ThrowingCallable use, int errno, String... parts) {
    assertThatThrownBy(use)
        .isInstanceOf(RdmaException.class)
        .hasMessageContainingAll(parts)
        .extracting("code")
        .isEqualTo(errno);
  }

  @Test
  void memory_over_the_limits_is_refused_and_a_smaller_one_still_works() {
    assertRefused(() -> end.memory((1 << 20) + 1), 22, "ibv_reg_mr", "1048577", "1048576");
    List<MemoryRegion> regions = Stream.generate(() -> end.memory(8)).limit(3).toList();
    assertRefused(() -> end.memory(8), 12, "ibv_reg_mr", "3 registrations");
    regions.get(0).close();
    end.memory(1 << 20);
  }

  static Stream<QueuePairCapabilities> tooMuch() {
    return Stream.of(
        new QueuePairCapabilities(9, 1, 1, 1, 0),
        new QueuePairCapabilities(1, 9, 1, 1, 0),
        new QueuePairCapabilities(1, 1, 4, 1, 0),
        new QueuePairCapabilities(1, 1, 1, 4, 0),
        new QueuePairCapabilities(1, 1, 1, 1, 513));
  }

  @ParameterizedTest
  @MethodSource("tooMuch")
  void capabilities_over_the_limits_are_refused(QueuePairCapabilities asked) {
    end.capabilities = asked;
    assertRefused(end::createPair, 22, "rdma_create_qp", "8 work requests", "3 scatter/gather");
    end.queue.close();
  }

  @Test
  void queue_pairs_over_the_limit_are_refused_until_one_is_closed() {
    end.capabilities = new QueuePairCapabilities(8, 8, 3, 3, 512);
    SoftQueuePair first = end.createPair();
    end.createPair();
    assertRefused(end::createPair, 12, "rdma_create_qp", "2 queue pairs");
    first.close();
    assertThat(end.createPair().capabilities()).isEqualTo(end.capabilities);
  }

  @Test
  void completion_queues_and_shared_receive_queues_have_limits_too() {
    for (int entries : new int[] {0, -1, 17}) {
      assertThatThrownBy(() -> end.engine.createCompletionQueue(entries, null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1..16")
          .hasMessageContaining("was " + entries);
    }
    assertRefused(() -> end.domain.createSharedReceiveQueue(11, 1), 22, "ibv_create_srq", "10");
    assertRefused(() -> end.domain.createSharedReceiveQueue(1, 4), 22, "ibv_create_srq");
    assertThatThrownBy(() -> end.domain.createSharedReceiveQueue(0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(end.domain.createSharedReceiveQueue(10, 3).maxWorkRequests()).isEqualTo(10);
  }

  @Test
  void objects_of_another_device_are_refused() {
    assertThatThrownBy(
            () ->
                end.engine.createQueuePair(
                    end.domain,
                    new QueuePairInit(
                        QueuePairType.RC,
                        end.queue,
                        rig.server.queue,
                        null,
                        new QueuePairCapabilities(1, 1, 1, 1, 0),
                        false)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not belong to device");
    end.queue.close();
  }

  @Test
  void numbers_of_queue_pairs_differ_and_do_not_come_back_soon() {
    end.capabilities = new QueuePairCapabilities(1, 1, 1, 1, 0);
    Set<Integer> numbers = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      SoftQueuePair pair = end.createPair();
      assertThat(numbers.add(pair.number())).isTrue();
      assertThat(pair.number()).isBetween(16, 0xFFFFFE);
      pair.close();
    }
  }

  @Test
  void a_full_queue_takes_part_of_a_chain_and_says_how_many() {
    connected();
    try (SendBatch batch = end.pair.allocateSendBatch(10, 0)) {
      for (int i = 0; i < 10; i++) {
        batch.add(i, SendOpcode.RDMA_WRITE_WITH_IMM, SendFlag.SIGNALED, i, 0, 0);
      }
      assertThat(batch.post()).isEqualTo(12);
      assertThat(batch.posted()).isEqualTo(8);
      rig.server.receive(8, 0);
      rig.network.run(700);
      assertThat(rig.server.poll()).hasSize(8);
      assertThat(end.pollIds()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }
    try (ReceiveBatch batch = end.pair.allocateReceiveBatch(10, 0)) {
      for (int i = 0; i < 10; i++) {
        batch.add(i);
      }
      assertThat(batch.post()).isEqualTo(12);
      assertThat(batch.posted()).isEqualTo(8);
    }
  }

  @Test
  void requests_with_too_many_pieces_or_too_many_bytes_are_refused_and_stop_the_chain() {
    connected();
    try (SendBatch batch = end.pair.allocateSendBatch(3, 3)) {
      batch.add(1, SendOpcode.RDMA_WRITE, SendFlag.SIGNALED, 0, 0, 0);
      batch.add(2, SendOpcode.RDMA_WRITE, SendFlag.SIGNALED, 0, 0, 0);
      for (int i = 0; i < 3; i++) {
        batch.addScatterGather(0, 0, 0);
      }
      batch.add(3, SendOpcode.RDMA_WRITE, SendFlag.SIGNALED, 0, 0, 0);
      assertThat(batch.post()).isEqualTo(22);
      assertThat(batch.posted()).isEqualTo(1);
      rig.deliver();
      assertThat(end.pollIds()).containsExactly(1L);
      batch.clear();
      batch.add(4, SendOpcode.RDMA_WRITE, 0, 0, 0, 0);
      batch.addScatterGather(0, 0x80000000, 0);
      batch.addScatterGather(0, 1, 0);
      assertThat(batch.post()).isEqualTo(22);
    }
    try (ReceiveBatch batch = end.pair.allocateReceiveBatch(1, 3)) {
      batch.add(1);
      for (int i = 0; i < 3; i++) {
        batch.addScatterGather(0, 1, 0);
      }
      assertThat(batch.post()).isEqualTo(22);
      assertThat(batch.posted()).isZero();
    }
  }

  @Test
  void sends_before_the_connection_are_refused_and_receives_are_taken() {
    end.capabilities = new QueuePairCapabilities(4, 4, 1, 1, 0);
    end.createPair();
    assertThat(end.writeImmediate(1, 1)).isEqualTo(22);
    assertThat(end.receive(4, 0)).isZero();
    assertThat(end.pair.query().state()).isEqualTo(QueuePairState.INIT);
    assertRefused(() -> end.pair.setMinRnrTimer(12), 22, "ibv_modify_qp", "min_rnr_timer=12");
  }

  @Test
  void the_attributes_are_those_of_the_connection() {
    rig.readDepth = 3;
    rig.retryCount = 5;
    rig.clientRnrRetryCount = 6;
    connected();
    end.pair.setMinRnrTimer(12);
    var attributes = end.pair.query();
    assertThat(attributes.state()).isEqualTo(QueuePairState.RTS);
    assertThat(attributes.pathMtu()).isEqualTo(1024);
    assertThat(attributes.remoteQueuePairNumber()).isEqualTo(rig.server.pair.number());
    assertThat(attributes.maxReadAtomic()).isEqualTo(3);
    assertThat(attributes.maxDestinationReadAtomic()).isEqualTo(3);
    assertThat(attributes.minRnrTimer()).isEqualTo(12);
    assertThat(attributes.timeout()).isEqualTo(14);
    assertThat(attributes.retryCount()).isEqualTo(5);
    assertThat(attributes.rnrRetryCount()).isEqualTo(6);
    assertThatThrownBy(() -> end.pair.setMinRnrTimer(32))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void batches_refuse_what_does_not_fit() {
    connected();
    try (SendBatch batch = end.pair.allocateSendBatch(1, 1)) {
      assertThat(batch.post()).isZero();
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
      assertThat(batch.size()).isEqualTo(1);
      assertThat(batch.capacity()).isEqualTo(1);
      batch.clear();
      assertThat(batch.size()).isZero();
    }
    assertThatThrownBy(() -> end.pair.allocateSendBatch(0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> end.pair.allocateReceiveBatch(1, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void closing_everything_leaves_nothing_and_tells_that_the_device_is_unused() {
    AtomicInteger unused = new AtomicInteger();
    end.engine.setUnusedListener(unused::incrementAndGet);
    connected();
    MemoryRegion region = end.memory(8);
    assertThatThrownBy(() -> end.memory(2 << 20)).isInstanceOf(RdmaException.class);
    end.pair.close();
    region.close();
    assertThat(end.engine.memory().size()).isZero();
    assertThat(end.engine.queuePairCount()).isZero();
    assertThat(rig.network.timers.running()).isZero();
    end.queue.close();
    assertThatThrownBy(end::createPair)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("completion queue");
    assertThat(unused).hasValue(0);
    end.domain.close();
    assertThat(unused).hasValue(1);
    assertThat(end.engine.objectCount()).isZero();
  }
}
