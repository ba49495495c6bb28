package io.vertxrdma.soft.transport;

import io.vertxrdma.core.Errno;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;

/** Finds out whether a send work request may be posted at all, as the verbs do. */
final class SendCheck {

  private static final long MAX_MESSAGE = 1L << 31;
  private static final long ATOMIC_LENGTH = 8;

  private SendCheck() {}

  /** Returns 0 or the errno of the refusal. */
  static int check(SoftQueuePair queuePair, SoftSendBatch batch, int index) {
    SendOpcode opcode = batch.opcodes[index];
    long length = batch.length(index);
    boolean valid =
        batch.elementCounts[index] <= queuePair.capabilities().maxSendScatterGather()
            && length <= MAX_MESSAGE
            && (queuePair.type() == QueuePairType.UD
                ? isDatagram(queuePair, batch, index, length)
                : isAligned(batch, index, length));
    if (!valid) {
      return Errno.EINVAL.number();
    }
    if ((batch.flags[index] & SendFlag.INLINE) == 0) {
      return 0;
    }
    boolean copies = opcode != SendOpcode.RDMA_READ && !isAtomic(opcode);
    if (!copies || length > queuePair.capabilities().maxInlineData()) {
      return Errno.EINVAL.number();
    }
    return isOurs(queuePair.engine.memory(), batch, index) ? 0 : Errno.EFAULT.number();
  }

  private static boolean isAtomic(SendOpcode opcode) {
    return opcode == SendOpcode.ATOMIC_CMP_AND_SWP || opcode == SendOpcode.ATOMIC_FETCH_AND_ADD;
  }

  private static boolean isAligned(SoftSendBatch batch, int index, long length) {
    return !isAtomic(batch.opcodes[index])
        || length == ATOMIC_LENGTH && batch.remoteAddresses[index] % ATOMIC_LENGTH == 0;
  }

  private static boolean isDatagram(
      SoftQueuePair queuePair, SoftSendBatch batch, int index, long length) {
    SendOpcode opcode = batch.opcodes[index];
    return (opcode == SendOpcode.SEND || opcode == SendOpcode.SEND_WITH_IMM)
        && batch.handles[index] != null
        && batch.handles[index].isOpen()
        && length <= queuePair.engine.pathMtu();
  }

  /** Inline data needs no key, but it has to be somewhere: in any registered memory. */
  private static boolean isOurs(MemoryRegistry memory, SoftSendBatch batch, int index) {
    int first = index * batch.scatterGather;
    for (int i = first; i < first + batch.elementCounts[index]; i++) {
      long length = Integer.toUnsignedLong(batch.lengths[i]);
      if (length != 0 && memory.containing(batch.addresses[i], length) == null) {
        return false;
      }
    }
    return true;
  }
}
