package io.vertxrdma.systemtests.interop;

import static io.vertxrdma.systemtests.interop.Operations.ATOMICS;
import static io.vertxrdma.systemtests.interop.Operations.MESSAGE;
import static io.vertxrdma.systemtests.interop.Operations.SENDS;

import io.vertxrdma.core.AccessFlag;
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
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;

/** Queue pair, completion queues and memory of {@link OperationsPeer}; its requests block. */
final class OperationsQueue implements AutoCloseable {

  private static final int PAGE = 4096;

  private final ProtectionDomain domain;
  private final CompletionQueue sendCompletions;
  private final CompletionQueue receiveCompletions;
  private final QueuePair queuePair;
  private final SendBatch sends;
  private final WorkCompletions one;
  private final MemoryRegion shared;
  private final MemoryRegion own;
  private final MemoryRegion inbox;

  /**
   * Makes them, and posts all receives.
   *
   * @param sharedLength bytes for the peer, to read and to do atomics on
   * @param ownLength bytes for this side alone
   */
  OperationsQueue(CmId id, int sharedLength, int ownLength) {
    domain = id.device().allocateProtectionDomain();
    sendCompletions = id.device().createCompletionQueue(2 * ATOMICS, null);
    receiveCompletions = id.device().createCompletionQueue(SENDS + 1, null);
    queuePair =
        id.createQueuePair(
            domain,
            new QueuePairInit(
                QueuePairType.RC,
                sendCompletions,
                receiveCompletions,
                null,
                new QueuePairCapabilities(ATOMICS, SENDS + 1, 1, 1, 0),
                false));
    sends = queuePair.allocateSendBatch(ATOMICS, 1);
    one = sendCompletions.allocate(1);
    shared =
        domain.register(
            pages(sharedLength),
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC));
    own = domain.register(pages(ownLength), Set.of(AccessFlag.LOCAL_WRITE));
    inbox = domain.register(pages((SENDS + 1) * MESSAGE), Set.of(AccessFlag.LOCAL_WRITE));
    postReceives();
  }

  private static ByteBuffer pages(int length) {
    int whole = (length + PAGE - 1) / PAGE * PAGE;
    return ByteBuffer.allocateDirect(whole + PAGE).alignedSlice(PAGE).slice(0, length);
  }

  private void postReceives() {
    try (ReceiveBatch batch = queuePair.allocateReceiveBatch(SENDS + 1, 1)) {
      for (int i = 0; i <= SENDS; i++) {
        batch.add(i);
        batch.addScatterGather(inbox.address() + (long) i * MESSAGE, MESSAGE, inbox.localKey());
      }
      UdaddyPeer.require(batch.post() == 0, "receives were refused");
    }
  }

  /** The memory for the peer. */
  MemoryRegion shared() {
    return shared;
  }

  /** A word of the memory for the peer. */
  long sharedWord(int at) {
    return shared.buffer().order(ByteOrder.nativeOrder()).getLong(at);
  }

  /** The memory of this side alone. */
  ByteBuffer own() {
    return own.buffer().order(ByteOrder.nativeOrder());
  }

  /** A byte of a message received. */
  byte received(int message, int index) {
    return inbox.buffer().get(message * MESSAGE + index);
  }

  /** Adds a request to the chain, on own memory; its id is its place there. */
  SendBatch add(
      SendOpcode opcode, int immediate, long remoteAddress, int remoteKey, int at, int length) {
    sends.add(sends.size(), opcode, SendFlag.SIGNALED, immediate, remoteAddress, remoteKey);
    if (length > 0) {
      sends.addScatterGather(own.address() + at, length, own.localKey());
    }
    return sends;
  }

  /** Posts the chain, and waits until all of it has completed, in order. */
  void execute(int opcode) {
    int errno = sends.post();
    UdaddyPeer.require(errno == 0, "a request was refused with errno " + errno);
    for (int i = 0; i < sends.size(); i++) {
      UdaddyPeer.require(next(sendCompletions, opcode).workRequestId(0) == i, "out of order");
    }
    sends.clear();
  }

  /** The next receive. */
  WorkCompletions receive(int opcode) {
    return next(receiveCompletions, opcode);
  }

  private WorkCompletions next(CompletionQueue queue, int opcode) {
    UdaddyPeer.await("completion", () -> queue.poll(one) == 1 ? one : null);
    UdaddyPeer.require(one.status(0) == 0, "a completion has status " + one.status(0));
    UdaddyPeer.require(one.opcode(0) == opcode, "a completion has opcode " + one.opcode(0));
    return one;
  }

  @Override
  public void close() {
    sends.close();
    queuePair.close();
    shared.close();
    own.close();
    inbox.close();
    sendCompletions.close();
    receiveCompletions.close();
    domain.close();
  }
}
