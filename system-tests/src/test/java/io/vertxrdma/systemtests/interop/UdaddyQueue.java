package io.vertxrdma.systemtests.interop;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.AddressHandleAttributes;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CompletionQueue;
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
import io.vertxrdma.core.WorkCompletions;
import java.nio.ByteBuffer;
import java.util.Set;

/** The datagram queue pair of {@link UdaddyPeer}, with memory for everything it receives. */
final class UdaddyQueue implements AutoCloseable {

  private static final int HEADER = WorkCompletions.GLOBAL_ROUTING_HEADER_LENGTH;

  private final int count;
  private final int size;
  private final CmId id;
  private final ProtectionDomain domain;
  private final CompletionQueue completions;
  private final QueuePair queuePair;
  private final MemoryRegion outbox;
  private final MemoryRegion inbox;
  private final WorkCompletions first;
  private final WorkCompletions polled;
  private int sendsLeft;
  private int received;
  private int immediate;

  UdaddyQueue(CmId id, int count, int size) {
    this.id = id;
    this.count = count;
    this.size = size;
    domain = id.device().allocateProtectionDomain();
    completions = id.device().createCompletionQueue(2 * count, null);
    queuePair =
        id.createQueuePair(
            domain,
            new QueuePairInit(
                QueuePairType.UD,
                completions,
                completions,
                null,
                new QueuePairCapabilities(count, count, 1, 1, 0),
                false));
    ByteBuffer pattern = ByteBuffer.allocateDirect(size);
    for (int i = 0; i < size; i++) {
      pattern.put(i, pattern(i));
    }
    outbox = domain.register(pattern, Set.of());
    inbox =
        domain.register(
            ByteBuffer.allocateDirect(count * (HEADER + size)), Set.of(AccessFlag.LOCAL_WRITE));
    first = completions.allocate(1);
    polled = completions.allocate(1);
  }

  private static byte pattern(int index) {
    return (byte) (index * 31 + 7);
  }

  void postReceives() {
    try (ReceiveBatch batch = queuePair.allocateReceiveBatch(count, 1)) {
      for (int i = 0; i < count; i++) {
        batch.add(i);
        batch.addScatterGather(inbox.address() + slot(i), HEADER + size, inbox.localKey());
      }
      UdaddyPeer.require(batch.post() == 0, "receives were refused");
    }
  }

  private int slot(long number) {
    return (int) number * (HEADER + size);
  }

  AddressHandle handle(AddressHandleAttributes attributes) {
    return domain.createAddressHandle(attributes);
  }

  /** The way back to the sender of the first datagram. */
  AddressHandle wayBack() {
    ByteBuffer header = inbox.buffer().position(slot(first.workRequestId(0)));
    return domain.createAddressHandle(first, 0, header, id.port());
  }

  /** Sends all datagrams and sees them complete. */
  void send(AddressHandle handle, int number, int queueKey) {
    try (SendBatch batch = queuePair.allocateSendBatch(count, 1)) {
      for (int i = 0; i < count; i++) {
        batch.add(count + i, SendOpcode.SEND_WITH_IMM, SendFlag.SIGNALED, queuePair.number(), 0, 0);
        batch.addScatterGather(outbox.address(), size, outbox.localKey());
        batch.setUdAddress(handle, number, queueKey);
      }
      int errno = batch.post();
      UdaddyPeer.require(errno == 0, "a send was refused with errno " + errno);
    }
    sendsLeft += count;
    while (sendsLeft > 0) {
      poll();
    }
  }

  /** Waits for all datagrams; returns their immediate, which is the sender's number. */
  int receive() {
    while (received < count) {
      poll();
    }
    return immediate;
  }

  /** Takes one completion; the first datagram's is kept. */
  private void poll() {
    WorkCompletions next = received == 0 ? first : polled;
    UdaddyPeer.await("completion", () -> completions.poll(next) == 1 ? next : null);
    UdaddyPeer.require(next.status(0) == 0, "a completion has status " + next.status(0));
    if (next.workRequestId(0) >= count) {
      sendsLeft--;
      return;
    }
    received++;
    int length = next.byteLength(0);
    UdaddyPeer.require(length == HEADER + size, "a datagram has " + length + " bytes");
    UdaddyPeer.require(next.hasGlobalRoutingHeader(0), "a datagram has no header");
    UdaddyPeer.require(next.hasImmediate(0), "a datagram has no immediate");
    immediate = next.immediate(0);
    UdaddyPeer.require(
        immediate == next.sourceQueuePair(0),
        "the immediate is " + immediate + ", the sender " + next.sourceQueuePair(0));
  }

  /**
   * Checks that our bytes came back: udaddy answers with the memory it received into, which begins
   * with the header it saw.
   */
  void requireEchoes() {
    ByteBuffer bytes = inbox.buffer();
    for (int i = 0; i < count; i++) {
      for (int at = HEADER; at < size; at++) {
        byte found = bytes.get(slot(i) + HEADER + at);
        UdaddyPeer.require(
            found == pattern(at - HEADER), "answer " + i + " has " + found + " at " + at);
      }
    }
  }

  @Override
  public void close() {
    queuePair.close();
    inbox.close();
    outbox.close();
    completions.close();
    domain.close();
  }
}
