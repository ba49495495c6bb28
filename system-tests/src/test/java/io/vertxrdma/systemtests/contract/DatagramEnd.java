package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CompletionQueue;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.UdParam;
import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.core.WorkCompletions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;

/** The datagram queue pair of an id, with a domain, a completion queue and memory of its own. */
@SuppressWarnings("try") // what is closed may say that it was interrupted
final class DatagramEnd implements AutoCloseable {

  static final int HEADER = WorkCompletions.GLOBAL_ROUTING_HEADER_LENGTH;
  private static final int DEPTH = 16;
  private static final long SENDS = 1000;

  final CmId id;
  final ProtectionDomain domain;
  final QueuePair queuePair;
  private final CompletionQueue queue;
  private final WorkCompletions completion;
  private final Map<Long, MemoryRegion> inboxes = new HashMap<>();
  private final Deque<AutoCloseable> closing = new ArrayDeque<>();

  /** A datagram that was received. */
  record Arrived(
      long receive,
      String text,
      byte[] header,
      boolean hasHeader,
      boolean hasImmediate,
      int immediate,
      int source) {}

  DatagramEnd(CmId id) {
    this.id = id;
    DeviceContext device = id.device();
    domain = closing(device.allocateProtectionDomain());
    queue = closing(device.createCompletionQueue(4 * DEPTH, null));
    completion = queue.allocate(1);
    queuePair =
        closing(
            id.createQueuePair(
                domain,
                new QueuePairInit(
                    QueuePairType.UD,
                    queue,
                    queue,
                    null,
                    new QueuePairCapabilities(DEPTH, DEPTH, 1, 1, 0),
                    false)));
  }

  private <T extends AutoCloseable> T closing(T made) {
    closing.push(made);
    return made;
  }

  MemoryRegion region(int size) {
    ByteBuffer memory = ByteBuffer.allocateDirect(size);
    return closing(domain.register(memory, Set.of(AccessFlag.LOCAL_WRITE)));
  }

  /** Posts a receive with room for the header and so many bytes. */
  void receive(long number, int payload) {
    MemoryRegion inbox = region(HEADER + payload);
    inboxes.put(number, inbox);
    try (ReceiveBatch batch = queuePair.allocateReceiveBatch(1, 1)) {
      batch.add(number);
      batch.addScatterGather(inbox.address(), HEADER + payload, inbox.localKey());
      assertThat(batch.post()).as("errno of post_recv").isZero();
    }
  }

  MemoryRegion text(String text) {
    MemoryRegion region = region(text.length());
    region.buffer().put(text.getBytes(StandardCharsets.US_ASCII));
    return region;
  }

  /** Sends to a peer that answered, and sees the send complete, which it does in any case. */
  void send(String text, AddressHandle handle, UdParam peer) {
    send(SendOpcode.SEND, 0, text, handle, peer.queuePairNumber(), peer.queueKey());
  }

  void send(
      SendOpcode opcode, int immediate, String text, AddressHandle to, int number, int queueKey) {
    assertThat(post(opcode, immediate, text.isEmpty() ? null : text(text), to, number, queueKey))
        .as("errno of post_send")
        .isZero();
    sent();
  }

  /**
   * Posts one signalled request, without memory if there is none; the errno of the refusal, or 0.
   */
  int post(
      SendOpcode opcode,
      int immediate,
      MemoryRegion data,
      AddressHandle to,
      int number,
      int queueKey) {
    try (SendBatch batch = queuePair.allocateSendBatch(1, 1)) {
      batch.add(SENDS, opcode, SendFlag.SIGNALED, immediate, 0, 0);
      if (data != null) {
        batch.addScatterGather(data.address(), (int) data.length(), data.localKey());
      }
      if (to != null) {
        batch.setUdAddress(to, number, queueKey);
      }
      int errno = batch.post();
      assertThat(batch.posted()).isEqualTo(errno == 0 ? 1 : 0);
      return errno;
    }
  }

  /** The completion of a send. */
  void sent() {
    next();
    assertThat(completion.status(0)).as("status of the send").isZero();
    assertThat(completion.workRequestId(0)).isEqualTo(SENDS);
    assertThat(completion.opcode(0)).isEqualTo(WorkCompletionOpcode.SEND);
    assertThat(completion.queuePairNumber(0)).isEqualTo(queuePair.number());
  }

  private void next() {
    Awaitility.await("a work completion")
        .atMost(Duration.ofSeconds(ContractRig.TIMEOUT_SECONDS))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> queue.poll(completion) == 1);
  }

  /** The next completion's status, for those that are no success. */
  int nextStatus() {
    next();
    return completion.status(0);
  }

  boolean isQuiet() {
    return queue.poll(completion) == 0;
  }

  /** The next datagram. */
  Arrived arrived() {
    next();
    return lastArrived();
  }

  /** The datagram of the completion that was taken last. */
  Arrived lastArrived() {
    assertThat(completion.status(0)).as("status of the receive").isZero();
    assertThat(completion.opcode(0)).isEqualTo(WorkCompletionOpcode.RECV);
    assertThat(completion.queuePairNumber(0)).isEqualTo(queuePair.number());
    ByteBuffer inbox = inboxes.get(completion.workRequestId(0)).buffer();
    byte[] header = new byte[HEADER];
    byte[] payload = new byte[completion.byteLength(0) - HEADER];
    inbox.get(header).get(payload);
    boolean immediate = completion.hasImmediate(0);
    return new Arrived(
        completion.workRequestId(0),
        new String(payload, StandardCharsets.US_ASCII),
        header,
        completion.hasGlobalRoutingHeader(0),
        immediate,
        immediate ? completion.immediate(0) : 0,
        completion.sourceQueuePair(0));
  }

  /** An address handle that lives as long as this end. */
  AddressHandle handle(UdParam peer) {
    return closing(domain.createAddressHandle(peer.address()));
  }

  /** The way back to where the datagram came from that {@link #arrived} returned last. */
  AddressHandle back(Arrived datagram) {
    return closing(back(datagram, completion, 0));
  }

  /** The way back, from a completion that was kept. */
  AddressHandle back(Arrived datagram, WorkCompletions kept, int index) {
    return domain.createAddressHandle(
        kept, index, inboxes.get(datagram.receive()).buffer(), id.port());
  }

  /** Keeps the completion that was taken last, at place 2. */
  WorkCompletions keep() {
    WorkCompletions kept = queue.allocate(3);
    kept.keep(2, completion, 0);
    return kept;
  }

  @Override
  public void close() throws Exception {
    while (!closing.isEmpty()) {
      closing.pop().close();
    }
  }
}
