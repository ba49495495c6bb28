package io.vertxrdma.soft;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CompletionChannel;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.EventSource;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.core.WorkCompletions;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Writes numbered messages with immediate from one provider to another and checks every one: that
 * it comes once, in its turn, with its immediate, its length and each of its bytes. Should the
 * transport give a connection up, it says so of the right message, and the next connection goes on
 * behind what has arrived.
 *
 * <p>One thread plays both applications. What it reads was put there by the receiving device's
 * event loop.
 */
final class LossStream {

  /** As often as can be: three bits. */
  private static final int RETRIES = 7;

  private static final ConnParam PARAMETERS = new ConnParam(null, 0, 0, 0, RETRIES, 7, false, 0);
  static final int SECONDS_WITHOUT_PROGRESS = 60;

  /** Most messages are small, as those of an application; some take several packets. */
  private static final int PATH_MTU = 256;

  private static final int SLOT = 3 * PATH_MTU;

  private final SoftProvider sender;
  private final SoftProvider receiver;
  private final EventLoop loop;
  private final int number;
  private final int messages;
  private final int slots;
  private final Semaphore readable = new Semaphore(0);
  private final byte[] expected = new byte[SLOT];
  private final byte[] found = new byte[SLOT];
  private int posted;
  private int arrived;
  private int acknowledged;
  private int connections;

  /**
   * A stream of its own.
   *
   * @param number tells the contents of several streams apart
   * @param slots messages that may be under way
   */
  LossStream(
      SoftProvider sender,
      SoftProvider receiver,
      EventLoop loop,
      int number,
      int messages,
      int slots) {
    this.sender = sender;
    this.receiver = receiver;
    this.loop = loop;
    this.number = number;
    this.messages = messages;
    this.slots = slots;
  }

  static SoftDeviceOptions device() {
    SoftDeviceOptions usual = SoftDeviceOptions.DEFAULT;
    return new SoftDeviceOptions(
        usual.maxQueuePairs(),
        usual.maxQueuePairWorkRequests(),
        usual.maxScatterGather(),
        usual.maxCompletionQueueEntries(),
        usual.maxMemoryRegionSize(),
        usual.maxMemoryRegions(),
        usual.maxResponderResources(),
        usual.maxInitiatorDepth(),
        usual.maxSharedReceiveQueueWorkRequests(),
        PATH_MTU);
  }

  /** How many connections it took. */
  int connections() {
    return connections;
  }

  /** Messages that arrived. */
  int arrived() {
    return arrived;
  }

  /** Transfers everything. */
  void run() {
    try (Spi there = new Spi(receiver, loop);
        Spi here = new Spi(sender, loop)) {
      CmId listener = there.listen("127.0.0.1");
      while (acknowledged < messages) {
        CmId to = here.resolved(PortSpace.TCP, listener.localAddress());
        End source = here.track(new End(to, readable, slots, AccessFlag.LOCAL_WRITE));
        to.connect(PARAMETERS);
        CmId from = there.track(there.next(CmEventType.CONNECT_REQUEST).id());
        End target = there.track(new End(from, readable, slots, AccessFlag.REMOTE_WRITE));
        target.postReceives(arrived, slots);
        from.accept(PARAMETERS);
        here.next(CmEventType.ESTABLISHED);
        connections++;
        if (transfer(source, target)) {
          assertThat(source.completions.poll(source.polled)).isZero();
          assertThat(target.completions.poll(target.polled)).isZero();
        } else {
          // The peer answers what it has taken until it is told to stop.
          target.queuePair().toError();
          drain(target);
          assertThat(arrived).isBetween(acknowledged, posted);
          posted = arrived;
          acknowledged = arrived;
        }
        to.disconnect();
        awaitDisconnected(there);
        from.disconnect();
        here.next(CmEventType.DISCONNECTED);
        source.close();
        to.close();
        target.close();
        from.close();
      }
    }
  }

  /**
   * The receiving side takes data from accept on. Whether it hears of the connection is another
   * matter: after an MRA a lost RTU is asked for again only when the 65 s of the MRA are over, here
   * as in the kernel.
   */
  private static void awaitDisconnected(Spi there) {
    CmEvent event = there.next();
    if (event.type() == CmEventType.ESTABLISHED) {
      event = there.next();
    }
    assertThat(event.type()).as("%s", event).isEqualTo(CmEventType.DISCONNECTED);
  }

  /** Returns whether everything was written and acknowledged on this connection. */
  private boolean transfer(End source, End target) {
    while (acknowledged < messages || arrived < messages) {
      int before = posted + arrived + acknowledged;
      post(source, target);
      receive(target);
      if (!complete(source)) {
        return false;
      }
      if (before == posted + arrived + acknowledged) {
        waitForCompletions(source, target);
      }
    }
    return true;
  }

  private void post(End source, End target) {
    SendBatch batch = source.sends;
    batch.clear();
    while (posted < messages && posted - Math.min(arrived, acknowledged) < slots) {
      int length = length(posted);
      int slot = posted % slots * SLOT;
      fill(expected, posted, length);
      source.memory.buffer().put(slot, expected, 0, length);
      batch.add(
          posted,
          SendOpcode.RDMA_WRITE_WITH_IMM,
          SendFlag.SIGNALED,
          posted,
          target.memory.address() + slot,
          target.memory.remoteKey());
      if (length > 0) {
        batch.addScatterGather(source.memory.address() + slot, length, source.memory.localKey());
      }
      posted++;
    }
    assertThat(batch.post()).as("errno of post_send").isZero();
  }

  private void receive(End target) {
    int before = arrived;
    WorkCompletions polled = target.polled;
    while (target.completions.poll(polled) > 0) {
      for (int i = 0; i < polled.size(); i++) {
        assertThat(polled.status(i)).as("status of receive %d", arrived).isZero();
        check(target, polled, i);
      }
    }
    target.postReceives(before + slots, arrived - before);
  }

  /** Takes what the broken connection had received before its end. */
  private void drain(End target) {
    WorkCompletions polled = target.polled;
    boolean flushed = false;
    while (target.completions.poll(polled) > 0) {
      for (int i = 0; i < polled.size(); i++) {
        flushed |= polled.status(i) == WorkCompletionStatus.WR_FLUSH_ERR.ordinal();
        if (!flushed) {
          check(target, polled, i);
        }
      }
    }
    assertThat(flushed).as("receives are flushed when the connection is broken").isTrue();
  }

  private void check(End target, WorkCompletions polled, int i) {
    int length = length(arrived);
    if (polled.opcode(i) != WorkCompletionOpcode.RECV_RDMA_WITH_IMM
        || polled.workRequestId(i) != arrived
        || polled.immediate(i) != arrived
        || polled.byteLength(i) != length) {
      throw new AssertionError(
          "stream %d, message %d: opcode %d, receive %d, immediate %d, %d bytes instead of %d"
              .formatted(
                  number,
                  arrived,
                  polled.opcode(i),
                  polled.workRequestId(i),
                  polled.immediate(i),
                  polled.byteLength(i),
                  length));
    }
    fill(expected, arrived, length);
    target.memory.buffer().get(arrived % slots * SLOT, found, 0, length);
    for (int at = 0; at < length; at++) {
      if (expected[at] != found[at]) {
        throw new AssertionError(
            "stream %d, message %d, byte %d of %d: %d instead of %d"
                .formatted(number, arrived, at, length, found[at], expected[at]));
      }
    }
    arrived++;
  }

  /** Returns false when the transport has given up; then on the oldest message, and properly. */
  private boolean complete(End source) {
    WorkCompletions polled = source.polled;
    boolean failed = false;
    int next = acknowledged;
    while (source.completions.poll(polled) > 0) {
      for (int i = 0; i < polled.size(); i++) {
        assertThat(polled.workRequestId(i)).as("the next write to complete").isEqualTo(next++);
        if (polled.status(i) == 0 && !failed) {
          acknowledged++;
        } else {
          int expectedStatus =
              failed
                  ? WorkCompletionStatus.WR_FLUSH_ERR.ordinal()
                  : WorkCompletionStatus.RETRY_EXC_ERR.ordinal();
          assertThat(polled.status(i)).as("status of write %d", next - 1).isEqualTo(expectedStatus);
          failed = true;
        }
      }
    }
    assertThat(!failed || next == posted).as("everything posted has completed").isTrue();
    return !failed;
  }

  private void waitForCompletions(End source, End target) {
    source.arm();
    target.arm();
    int before = posted + arrived + acknowledged;
    receive(target);
    if (before != posted + arrived + acknowledged) {
      return;
    }
    try {
      if (!readable.tryAcquire(SECONDS_WITHOUT_PROGRESS, TimeUnit.SECONDS)) {
        throw new AssertionError(
            "stream %d stands still: %d posted, %d arrived, %d acknowledged"
                .formatted(number, posted, arrived, acknowledged));
      }
      readable.drainPermits();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    source.channel.drain(queue -> {});
    target.channel.drain(queue -> {});
  }

  /** One in six has no payload, one in six takes two or three packets. */
  private int length(int message) {
    int dice = mix(message) >>> 8;
    return switch (dice % 6) {
      case 0 -> 0;
      case 1 -> PATH_MTU + dice % (2 * PATH_MTU + 1);
      default -> 1 + dice % 64;
    };
  }

  private void fill(byte[] bytes, int message, int length) {
    int state = mix(message);
    for (int at = 0; at < length; at++) {
      state = state * 1_103_515_245 + 12_345;
      bytes[at] = (byte) (state >> 16);
    }
  }

  private int mix(int message) {
    int mixed = (message + 1) * 0x9E3779B9 + number * 0x85EBCA6B;
    mixed ^= mixed >>> 15;
    return mixed * 0x2C1B3C6D;
  }

  /** One end of a connection. */
  private static final class End implements AutoCloseable {
    private final CmId id;
    private final ProtectionDomain domain;
    private final CompletionChannel channel;
    private final CompletionQueue completions;
    private final WorkCompletions polled;
    private final MemoryRegion memory;
    private final SendBatch sends;
    private final ReceiveBatch receives;

    private End(CmId id, Semaphore readable, int slots, AccessFlag access) {
      this.id = id;
      domain = id.device().allocateProtectionDomain();
      channel = id.device().createCompletionChannel();
      ((EventSource) channel).setReadableListener(readable::release);
      completions = id.device().createCompletionQueue(2 * slots, channel);
      polled = completions.allocate(slots);
      id.createQueuePair(
          domain,
          new QueuePairInit(
              QueuePairType.RC,
              completions,
              completions,
              null,
              new QueuePairCapabilities(slots, slots, 1, 1, 0),
              false));
      sends = queuePair().allocateSendBatch(slots, 1);
      receives = queuePair().allocateReceiveBatch(slots, 0);
      memory =
          domain.register(
              ByteBuffer.allocateDirect(slots * SLOT), EnumSet.of(AccessFlag.LOCAL_WRITE, access));
    }

    private QueuePair queuePair() {
      return id.queuePair();
    }

    private void postReceives(int first, int count) {
      receives.clear();
      for (int i = 0; i < count; i++) {
        receives.add(first + i);
      }
      assertThat(receives.post()).as("errno of post_recv").isZero();
    }

    private void arm() {
      completions.requestNotification();
    }

    @Override
    public void close() {
      if (id.queuePair() != null) {
        id.queuePair().close();
      }
      memory.close();
      completions.close();
      channel.close();
      domain.close();
    }
  }
}
