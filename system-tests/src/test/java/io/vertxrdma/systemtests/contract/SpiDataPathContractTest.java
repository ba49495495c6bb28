package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.systemtests.contract.SpiRig.Completion;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every operation straight on the SPI, and the completions it makes on either side. */
class SpiDataPathContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();
  private SpiRig spi;

  @BeforeEach
  void connect() {
    spi = new SpiRig(rig).connected();
  }

  @AfterEach
  void close() throws Exception {
    spi.close();
  }

  private MemoryRegion text(String text) {
    MemoryRegion region = spi.region(text.length(), AccessFlag.LOCAL_WRITE);
    region.buffer().put(text.getBytes(StandardCharsets.US_ASCII));
    return region;
  }

  private static String text(MemoryRegion region, int length) {
    byte[] bytes = new byte[length];
    region.buffer().get(bytes);
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  @Test
  void a_write_with_immediate_places_its_bytes_and_uses_a_receive() {
    MemoryRegion target = spi.region(64, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    spi.postReceives(70, 1);
    spi.send(1, SendOpcode.RDMA_WRITE_WITH_IMM, 0xDEAD_BEEF, text("written"), target);

    Completion received = SpiRig.nextSuccess(spi.serverQueue, 70);
    assertThat(received.opcode()).isEqualTo(WorkCompletionOpcode.RECV_RDMA_WITH_IMM);
    assertThat(received.byteLength()).isEqualTo(7);
    assertThat(received.hasImmediate()).isTrue();
    assertThat(received.immediate()).isEqualTo(0xDEAD_BEEF);
    assertThat(text(target, 7)).isEqualTo("written");
    Completion sent = SpiRig.nextSuccess(spi.clientQueue, 1);
    assertThat(sent.opcode()).isEqualTo(WorkCompletionOpcode.RDMA_WRITE);
  }

  @Test
  void a_send_lands_in_the_memory_of_a_receive_with_and_without_immediate() {
    MemoryRegion first = spi.region(64, AccessFlag.LOCAL_WRITE);
    MemoryRegion second = spi.region(64, AccessFlag.LOCAL_WRITE);
    try (ReceiveBatch batch = spi.server.queuePair().allocateReceiveBatch(2, 1)) {
      batch.clear();
      batch.add(80);
      batch.addScatterGather(first.address(), (int) first.length(), first.localKey());
      batch.add(81);
      batch.addScatterGather(second.address(), (int) second.length(), second.localKey());
      assertThat(batch.post()).isZero();
      assertThat(batch.posted()).isEqualTo(2);
    }
    spi.send(2, SendOpcode.SEND, 0, text("plain"), null);
    spi.send(3, SendOpcode.SEND_WITH_IMM, 9, text("and numbered"), null);

    Completion plain = SpiRig.nextSuccess(spi.serverQueue, 80);
    assertThat(plain.opcode()).isEqualTo(WorkCompletionOpcode.RECV);
    assertThat(plain.byteLength()).isEqualTo(5);
    assertThat(plain.hasImmediate()).isFalse();
    assertThat(text(first, 5)).isEqualTo("plain");
    Completion numbered = SpiRig.nextSuccess(spi.serverQueue, 81);
    assertThat(numbered.opcode()).isEqualTo(WorkCompletionOpcode.RECV);
    assertThat(numbered.hasImmediate()).isTrue();
    assertThat(numbered.immediate()).isEqualTo(9);
    assertThat(text(second, 12)).isEqualTo("and numbered");
    assertThat(SpiRig.nextSuccess(spi.clientQueue, 2).opcode())
        .isEqualTo(WorkCompletionOpcode.SEND);
    SpiRig.nextSuccess(spi.clientQueue, 3);
  }

  @Test
  void a_read_fetches_the_peers_bytes_without_the_peers_doing() {
    MemoryRegion there = spi.region(8, AccessFlag.REMOTE_READ);
    there.buffer().put("far away".getBytes(StandardCharsets.US_ASCII));
    MemoryRegion here = spi.region(8, AccessFlag.LOCAL_WRITE);
    spi.send(4, SendOpcode.RDMA_READ, 0, here, there);
    assertThat(SpiRig.nextSuccess(spi.clientQueue, 4).opcode())
        .isEqualTo(WorkCompletionOpcode.RDMA_READ);
    assertThat(text(here, 8)).isEqualTo("far away");
  }

  @Test
  void fetch_and_add_adds_there_and_returns_what_was() {
    MemoryRegion counter = spi.region(8, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC);
    counter.buffer().putLong(0, 0x1_0000_0005L);
    MemoryRegion before = spi.region(8, AccessFlag.LOCAL_WRITE);
    spi.send(5, SendOpcode.ATOMIC_FETCH_AND_ADD, 0, before, counter, 7);
    assertThat(SpiRig.nextSuccess(spi.clientQueue, 5).opcode())
        .isEqualTo(WorkCompletionOpcode.FETCH_ADD);
    assertThat(before.buffer().getLong(0)).isEqualTo(0x1_0000_0005L);
    assertThat(counter.buffer().getLong(0)).isEqualTo(0x1_0000_000CL);
  }

  @Test
  void compare_and_swap_swaps_only_when_the_value_is_the_expected_one() {
    MemoryRegion value = spi.region(8, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC);
    value.buffer().putLong(0, 42);
    MemoryRegion before = spi.region(8, AccessFlag.LOCAL_WRITE);
    spi.send(6, SendOpcode.ATOMIC_CMP_AND_SWP, 0, before, value, 41, 1000);
    assertThat(SpiRig.nextSuccess(spi.clientQueue, 6).opcode())
        .isEqualTo(WorkCompletionOpcode.COMP_SWAP);
    assertThat(before.buffer().getLong(0)).isEqualTo(42);
    assertThat(value.buffer().getLong(0)).isEqualTo(42);

    spi.send(7, SendOpcode.ATOMIC_CMP_AND_SWP, 0, before, value, 42, 1000);
    SpiRig.nextSuccess(spi.clientQueue, 7);
    assertThat(before.buffer().getLong(0)).isEqualTo(42);
    assertThat(value.buffer().getLong(0)).isEqualTo(1000);
  }

  @Test
  void a_full_send_queue_refuses_with_enomem_and_says_how_many_it_took() {
    assertThat(spi.client.queuePair().capabilities().maxSendWorkRequests())
        .isGreaterThanOrEqualTo(SpiRig.DEPTH);
    spi.server.queuePair().setMinRnrTimer(12);
    // Without a receive nothing completes, so nothing leaves the queue. A device may have more room
    // than it says, but not four times as much.
    int tooMany = 4 * SpiRig.DEPTH;
    int taken;
    try (SendBatch batch = spi.client.queuePair().allocateSendBatch(tooMany, 1)) {
      batch.clear();
      for (int i = 0; i < tooMany; i++) {
        batch.add(i, SendOpcode.RDMA_WRITE_WITH_IMM, SendFlag.SIGNALED, i, 0, 0);
      }
      assertThatThrownBy(() -> batch.add(0, SendOpcode.SEND, 0, 0, 0, 0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("full");
      assertThat(batch.post()).isEqualTo(12);
      taken = batch.posted();
    }
    assertThat(taken).isBetween(SpiRig.DEPTH, tooMany - 1);
    for (int i = 0; i < taken; i++) {
      spi.postReceives(i, 1);
      assertThat(SpiRig.nextSuccess(spi.serverQueue, i).immediate()).isEqualTo(i);
      SpiRig.nextSuccess(spi.clientQueue, i);
    }
  }

  @Test
  void what_is_posted_when_the_queue_pair_goes_to_error_comes_back_flushed() {
    spi.postReceives(30, 3);
    spi.server.queuePair().toError();
    for (int i = 0; i < 3; i++) {
      Completion flushed = SpiRig.next(spi.serverQueue);
      assertThat(WorkCompletionStatus.of(flushed.status()))
          .isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
      assertThat(flushed.workRequestId()).isEqualTo(30 + i);
    }
    assertThat(spi.server.queuePair().query().state()).isEqualTo(QueuePairState.ERR);
  }
}
