package io.vertxrdma.core.nativeverbs;

import io.vertxrdma.core.ImmediateData;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendOpcode;

/** A chain of {@code ibv_send_wr}. */
final class NativeSendBatch extends WorkRequestBatch implements SendBatch {

  private final NativeQueuePair queuePair;
  private boolean lastIsAtomic;

  NativeSendBatch(NativeQueuePair queuePair, int capacity, int scatterGather) {
    super(queuePair.calls, Layout.SEND_WR_SIZE, capacity, scatterGather);
    this.queuePair = queuePair;
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
  int submit(long first, long badOut) {
    return queuePair.postSend(first, badOut);
  }
}
