package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.AsyncEvent;
import io.vertxrdma.core.AsyncEventType;
import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Shared receives, completion channels, and that nothing can be closed under its users. */
class SpiResourcesContractTest {

  private static final int EINVAL = 22;

  @RegisterExtension final ContractRig rig = new ContractRig();
  private SpiRig spi;

  @BeforeEach
  void listen() {
    spi = new SpiRig(rig);
  }

  @AfterEach
  void close() throws Exception {
    spi.close();
  }

  @Test
  void a_shared_receive_queue_fires_its_limit_event_once_for_each_arming() {
    DeviceContext device = rig.device();
    drain(device);
    spi.request(SpiRig.PARAMETERS);
    SharedReceiveQueue shared = spi.closing(spi.domain.createSharedReceiveQueue(8, 1));
    spi.queuePair(spi.server, spi.serverQueue, shared);
    spi.accept(SpiRig.PARAMETERS);
    try (ReceiveBatch batch = shared.allocateReceiveBatch(8, 1)) {
      assertThat(SpiRig.postReceives(batch, 100, 8)).isZero();
      for (int round = 0; round < 2; round++) {
        shared.setLimit(4);
        assertThat(shared.queryLimit()).isEqualTo(4);
        use(4, round * 10);
        assertThat(limitEvents(device, shared)).as("four are left, not fewer").isZero();
        use(2, round * 10 + 4);
        Traffic.eventually("the event", () -> limitEvents(device, shared) == 1);
        assertThat(shared.queryLimit()).isZero();
        use(1, round * 10 + 6);
        assertThat(limitEvents(device, shared)).as("it is not armed any more").isZero();
        assertThat(SpiRig.postReceives(batch, 100, 7)).isZero();
      }
    }
  }

  /** Sends so many immediates and sees them arrive. */
  private void use(int count, int first) {
    for (int i = 0; i < count; i++) {
      spi.send(first + i, SendOpcode.RDMA_WRITE_WITH_IMM, first + i, null, null);
      SpiRig.nextSuccess(spi.clientQueue, first + i);
      SpiRig.Completion received = SpiRig.next(spi.serverQueue);
      assertThat(received.status()).isZero();
      assertThat(received.immediate()).isEqualTo(first + i);
    }
  }

  private static List<AsyncEvent> drain(DeviceContext device) {
    List<AsyncEvent> events = new ArrayList<>();
    for (AsyncEvent event = device.asyncEvents().poll();
        event != null;
        event = device.asyncEvents().poll()) {
      events.add(event);
    }
    return events;
  }

  private static long limitEvents(DeviceContext device, SharedReceiveQueue shared) {
    return drain(device).stream()
        .filter(event -> event.type() == AsyncEventType.SRQ_LIMIT_REACHED)
        .filter(event -> event.element() == shared)
        .count();
  }

  @Test
  void a_completion_queue_given_more_room_keeps_what_is_in_it_and_holds_more() {
    spi.connected().postReceives(0, 9);
    int before = spi.serverQueue.capacity();
    for (int i = 0; i < 8; i++) {
      spi.send(i, SendOpcode.RDMA_WRITE_WITH_IMM, 100 + i, null, null);
      SpiRig.nextSuccess(spi.clientQueue, i);
    }

    spi.serverQueue.resize(before + 1000);

    assertThat(spi.serverQueue.capacity()).isGreaterThanOrEqualTo(before + 1000);
    for (int i = 0; i < 8; i++) {
      assertThat(SpiRig.next(spi.serverQueue).immediate()).isEqualTo(100 + i);
    }
    spi.send(8, SendOpcode.RDMA_WRITE_WITH_IMM, 108, null, null);
    SpiRig.nextSuccess(spi.clientQueue, 8);
    assertThat(SpiRig.next(spi.serverQueue).immediate()).isEqualTo(108);
  }

  @Test
  void a_completion_queue_can_not_shrink_nor_outgrow_the_device() {
    spi.connected();
    int capacity = spi.serverQueue.capacity();
    long most = rig.device().attributes().maxCompletionQueueEntries();
    assertThatThrownBy(() -> spi.serverQueue.resize(capacity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(capacity));
    assertThatThrownBy(() -> spi.serverQueue.resize((int) most + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(most));
    assertThat(spi.serverQueue.capacity()).isEqualTo(capacity);
  }

  @Test
  void a_receive_posted_on_a_queue_pair_that_has_a_shared_queue_is_refused() {
    spi.request(SpiRig.PARAMETERS);
    SharedReceiveQueue shared = spi.closing(spi.domain.createSharedReceiveQueue(8, 1));
    spi.queuePair(spi.server, spi.serverQueue, shared);
    spi.accept(SpiRig.PARAMETERS);
    try (ReceiveBatch batch = spi.server.queuePair().allocateReceiveBatch(1, 1)) {
      assertThat(SpiRig.postReceives(batch, 1, 1)).isEqualTo(EINVAL);
      assertThat(batch.posted()).isZero();
    }
    assertThatThrownBy(shared::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("queue pairs");
  }

  @Test
  void queues_domain_and_channel_can_not_be_closed_while_they_are_in_use() {
    spi.connected();
    assertThatThrownBy(spi.serverQueue::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("queue pairs");
    assertThatThrownBy(spi.domain::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("queue pairs");
    assertThatThrownBy(spi.clientChannel::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cm ids");

    // The refusal changed nothing: data still flows.
    spi.postReceives(0, 1);
    spi.send(1, SendOpcode.RDMA_WRITE_WITH_IMM, 5, null, null);
    assertThat(SpiRig.nextSuccess(spi.serverQueue, 0).immediate()).isEqualTo(5);
  }

  @Test
  void a_domain_can_not_be_closed_while_memory_is_registered() {
    spi.connected();
    MemoryRegion region = spi.region(64, AccessFlag.LOCAL_WRITE);
    spi.client.close();
    spi.server.close();
    assertThatThrownBy(spi.domain::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("memory regions");
    region.close();
    spi.domain.close();
    assertThatThrownBy(region::buffer).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> spi.region(64, AccessFlag.LOCAL_WRITE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void everything_closes_twice_in_the_right_order() {
    spi.connected();
    for (int i = 0; i < 2; i++) {
      spi.client.close();
      spi.server.close();
      spi.listener.close();
      spi.clientQueue.close();
      spi.serverQueue.close();
      spi.domain.close();
      spi.clientChannel.close();
      spi.serverChannel.close();
    }
    assertThat(spi.client.isClosed()).isTrue();
    assertThatThrownBy(spi.clientChannel::poll).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> spi.clientQueue.poll(spi.clientQueue.allocate(1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_completion_channel_tells_of_an_armed_queue_once_and_not_of_an_unarmed_one() {
    spi.request(SpiRig.PARAMETERS);
    DeviceContext device = spi.server.device();
    CompletionChannel channel = spi.closing(device.createCompletionChannel());
    CompletionQueue watched = spi.closing(device.createCompletionQueue(64, channel));
    spi.queuePair(spi.server, watched, null);
    spi.accept(SpiRig.PARAMETERS);
    spi.postReceives(0, 3);
    List<CompletionQueue> fired = new ArrayList<>();
    assertThat(channel.drain(fired::add)).isZero();

    spi.send(1, SendOpcode.RDMA_WRITE_WITH_IMM, 1, null, null);
    SpiRig.nextSuccess(spi.clientQueue, 1);
    SpiRig.nextSuccess(watched, 0);
    assertThat(channel.drain(fired::add)).as("not armed").isZero();

    watched.requestNotification();
    spi.send(2, SendOpcode.RDMA_WRITE_WITH_IMM, 2, null, null);
    spi.send(3, SendOpcode.RDMA_WRITE_WITH_IMM, 3, null, null);
    SpiRig.nextSuccess(spi.clientQueue, 2);
    SpiRig.nextSuccess(spi.clientQueue, 3);
    Traffic.eventually("it fires", () -> channel.drain(fired::add) > 0);
    assertThat(channel.drain(fired::add)).as("once for each arming").isZero();
    assertThat(fired).containsExactly(watched);
    SpiRig.nextSuccess(watched, 1);
    SpiRig.nextSuccess(watched, 2);
    assertThatThrownBy(channel::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("completion queues");
  }
}
