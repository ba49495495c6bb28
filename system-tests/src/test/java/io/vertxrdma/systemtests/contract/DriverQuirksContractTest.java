package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.cm.DriverQuirks;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmOption;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.core.WorkCompletions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The table of driver quirks says what the driver under test does: each entry is provoked, and the
 * driver has to misbehave exactly if the table says so. (That solicited-only events miss errors has
 * no test here: the SPI can't ask for them.)
 */
class DriverQuirksContractTest {

  /** How long a completion that the table rules out is waited for. */
  private static final long NEVER_MILLIS = 1_500;

  @RegisterExtension final ContractRig rig = new ContractRig();
  private DriverQuirks quirks;
  private SpiRig spi;

  @BeforeEach
  void open() {
    quirks = DriverQuirks.forDriver(rig.device().driver());
    spi = new SpiRig(rig);
  }

  @AfterEach
  void close() throws Exception {
    spi.close();
  }

  private void connect(ConnParam parameters, int ackTimeout) {
    spi.client = spi.resolve(spi.listener.localAddress().getPort());
    spi.client.setOption(CmOption.ACK_TIMEOUT, ackTimeout);
    spi.queuePair(spi.client, spi.clientQueue, null);
    spi.client.connect(parameters);
    spi.server = spi.closing(spi.next(spi.serverChannel, CmEventType.CONNECT_REQUEST).id());
    spi.queuePair(spi.server, spi.serverQueue, null);
    spi.accept(parameters);
  }

  private static ConnParam depthAndRetries(int depth, int retryCount) {
    return new ConnParam(null, depth, depth, 0, retryCount, 7, false, 0);
  }

  private void assertNothingCompletes(CompletionQueue queue) {
    rig.pause(NEVER_MILLIS);
    WorkCompletions one = queue.allocate(1);
    assertThat(queue.poll(one)).as("completions the table rules out").isZero();
  }

  /** Writes to a peer whose queue pair is gone; a packet is repeated after 16.8 ms. */
  private void writeToNobody(int retryCount) {
    connect(depthAndRetries(1, retryCount), 12);
    MemoryRegion memory = spi.region(8, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    spi.server.queuePair().close();
    spi.send(1, SendOpcode.RDMA_WRITE, 0, memory, memory);
  }

  @Test
  void the_highest_retry_count_of_the_table_gives_up() {
    writeToNobody(quirks.maxRetryCount());

    assertThat(WorkCompletionStatus.of(SpiRig.next(spi.clientQueue).status()))
        .isEqualTo(WorkCompletionStatus.RETRY_EXC_ERR);
  }

  @Test
  void a_retry_count_above_that_of_the_table_never_gives_up() {
    if (quirks.maxRetryCount() == 7) {
      // There is none above; that 7 itself gives up is the test before.
      assertThat(depthAndRetries(1, 7).retryCount()).isEqualTo(quirks.maxRetryCount());
      return;
    }
    writeToNobody(quirks.maxRetryCount() + 1);

    assertNothingCompletes(spi.clientQueue);
  }

  @Test
  void receives_posted_in_the_error_state_are_flushed_if_the_table_says_so() {
    connect(depthAndRetries(1, 6), 14);
    try (ReceiveBatch batch = spi.server.queuePair().allocateReceiveBatch(1, 1)) {
      assertThat(SpiRig.postReceives(batch, 49, 1)).isZero();
      spi.server.queuePair().toError();
      assertThat(SpiRig.next(spi.serverQueue).workRequestId()).isEqualTo(49);
      // The driver flushes in a task of its own, which must be over.
      rig.pause(NEVER_MILLIS);
      assertThat(SpiRig.postReceives(batch, 50, 1)).isZero();
    }

    if (quirks.flushesReceivesPostedInError()) {
      SpiRig.Completion flushed = SpiRig.next(spi.serverQueue);
      assertThat(flushed.workRequestId()).isEqualTo(50);
      assertThat(WorkCompletionStatus.of(flushed.status()))
          .isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
    } else {
      assertNothingCompletes(spi.serverQueue);
    }
  }

  @Test
  void a_read_with_depth_zero_ends_with_an_error_unless_the_table_says_that_it_hangs() {
    connect(depthAndRetries(0, 6), 14);
    MemoryRegion there = spi.region(8, AccessFlag.REMOTE_READ);
    MemoryRegion here = spi.region(8, AccessFlag.LOCAL_WRITE);
    int refused;
    try (SendBatch batch = spi.client.queuePair().allocateSendBatch(1, 1)) {
      batch.clear();
      batch.add(7, SendOpcode.RDMA_READ, SendFlag.SIGNALED, 0, there.address(), there.remoteKey());
      batch.addScatterGather(here.address(), 8, here.localKey());
      refused = batch.post();
    }

    if (quirks.readWithDepthZeroHangs()) {
      assertThat(refused).isZero();
      assertNothingCompletes(spi.clientQueue);
    } else if (refused == 0) {
      assertThat(SpiRig.next(spi.clientQueue).status()).isNotZero();
    }
  }
}
