package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.ImmediateData;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendOpcode;

/** A chain of {@code ibv_send_wr}. */
final class NativeSendBatch extends WorkRequestBatch implements SendBatch {

  private static final int MAX_NUMBER = 0xFF_FFFF;

  private final NativeQueuePair queuePair;
  // Null unless the queue pair sends datagrams.
  private final DatagramCheck datagrams;
  private boolean lastIsAtomic;

  NativeSendBatch(NativeQueuePair queuePair, int capacity, int scatterGather) {
    super(queuePair.calls, Layout.SEND_WR_SIZE, capacity, scatterGather);
    this.queuePair = queuePair;
    this.datagrams =
        queuePair.type() == QueuePairType.UD
            ? new DatagramCheck(capacity, queuePair.maxDatagram())
            : null;
  }

  @Override
  public void add(
      long workRequestId,
      SendOpcode opcode,
      int flags,
      int immediate,
      long remoteAddress,
      int remoteKey) {
    long request = addRequest(workRequestId);
    Memory.putInt(request + Layout.SEND_WR_OPCODE, opcode.code());
    Memory.putInt(request + Layout.SEND_WR_SEND_FLAGS, flags);
    Memory.putInt(request + Layout.SEND_WR_IMM_DATA, ImmediateData.toNetwork(immediate));
    Memory.putLong(request + Layout.SEND_WR_REMOTE_ADDR, remoteAddress);
    lastIsAtomic =
        opcode == SendOpcode.ATOMIC_CMP_AND_SWP || opcode == SendOpcode.ATOMIC_FETCH_AND_ADD;
    if (lastIsAtomic) {
      // In the atomic half of the union the key lies behind the operands.
      Memory.putLong(request + Layout.SEND_WR_ATOMIC_COMPARE_ADD, 0);
      Memory.putLong(request + Layout.SEND_WR_ATOMIC_SWAP, 0);
      Memory.putInt(request + Layout.SEND_WR_ATOMIC_RKEY, remoteKey);
    } else {
      Memory.putInt(request + Layout.SEND_WR_RKEY, remoteKey);
    }
    if (datagrams != null) {
      datagrams.added(size() - 1, opcode);
    }
  }

  @Override
  public void addScatterGather(long address, int length, int localKey) {
    super.addScatterGather(address, length, localKey);
    if (datagrams != null) {
      datagrams.lengthened(size() - 1, length);
    }
  }

  @Override
  public void setAtomicOperands(long compareOrAdd, long swap) {
    long request = lastRequest();
    if (!lastIsAtomic) {
      throw new IllegalStateException("the request added last is no atomic");
    }
    Memory.putLong(request + Layout.SEND_WR_ATOMIC_COMPARE_ADD, compareOrAdd);
    Memory.putLong(request + Layout.SEND_WR_ATOMIC_SWAP, swap);
  }

  @Override
  public void setUdAddress(
      AddressHandle addressHandle, int remoteQueuePairNumber, int remoteQueueKey) {
    long request = lastRequest();
    if (datagrams == null) {
      throw new IllegalStateException(
          queuePair + " is of type " + queuePair.type() + ": only UD sends have an address");
    }
    if (!(addressHandle instanceof NativeAddressHandle handle)
        || handle.protectionDomain() != queuePair.domain()) {
      throw new IllegalArgumentException(
          addressHandle + " is not of the protection domain of " + queuePair);
    }
    if (remoteQueuePairNumber < 0 || remoteQueuePairNumber > MAX_NUMBER) {
      throw new IllegalArgumentException(
          "a queue pair number must be 0.." + MAX_NUMBER + ", was " + remoteQueuePairNumber);
    }
    Memory.putLong(request + Layout.SEND_WR_UD_AH, handle.pointer());
    Memory.putInt(request + Layout.SEND_WR_UD_REMOTE_QPN, remoteQueuePairNumber);
    Memory.putInt(request + Layout.SEND_WR_UD_REMOTE_QKEY, remoteQueueKey);
    datagrams.addressed(size() - 1, handle);
  }

  @Override
  int acceptable() {
    return datagrams == null ? size() : datagrams.acceptable(size());
  }

  @Override
  int submit(long first, long badOut) {
    return queuePair.postSend(first, badOut);
  }
}
