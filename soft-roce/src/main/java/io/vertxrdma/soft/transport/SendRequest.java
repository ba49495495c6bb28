package io.vertxrdma.soft.transport;

import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.soft.wire.Psn;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** A posted send work request and how far it has got. */
final class SendRequest {

  private static final byte[] NO_BYTES = {};

  final ScatterList memory = new ScatterList();
  long workRequestId;
  SendOpcode opcode;
  int flags;
  int immediate;
  long remoteAddress;
  int remoteKey;
  long compareOrAdd;
  long swap;
  long length;

  // Unreliable datagrams only.
  InetAddress destination;
  int remoteQueuePairNumber;
  int remoteQueueKey;

  // Copied when posted, if the request says INLINE.
  byte[] inline = NO_BYTES;

  // Reliable connections: set when the first packet goes out.
  boolean started;
  int firstPsn;
  int packets;

  boolean is(int flag) {
    return (flags & flag) != 0;
  }

  boolean isRead() {
    return opcode == SendOpcode.RDMA_READ;
  }

  boolean isAtomic() {
    return opcode == SendOpcode.ATOMIC_CMP_AND_SWP || opcode == SendOpcode.ATOMIC_FETCH_AND_ADD;
  }

  /** Whether the peer answers it with more than an ACK. */
  boolean hasResponse() {
    return isRead() || isAtomic();
  }

  boolean hasImmediate() {
    return opcode == SendOpcode.SEND_WITH_IMM || opcode == SendOpcode.RDMA_WRITE_WITH_IMM;
  }

  boolean isSend() {
    return opcode == SendOpcode.SEND || opcode == SendOpcode.SEND_WITH_IMM;
  }

  int lastPsn() {
    return Psn.add(firstPsn, packets - 1);
  }

  /** The opcode of its completion. */
  int completionOpcode() {
    return switch (opcode) {
      case SEND, SEND_WITH_IMM -> WorkCompletionOpcode.SEND;
      case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> WorkCompletionOpcode.RDMA_WRITE;
      case RDMA_READ -> WorkCompletionOpcode.RDMA_READ;
      case ATOMIC_CMP_AND_SWP -> WorkCompletionOpcode.COMP_SWAP;
      case ATOMIC_FETCH_AND_ADD -> WorkCompletionOpcode.FETCH_ADD;
    };
  }

  /** Whether its local memory may be used as it needs it. */
  boolean isAllowed(MemoryRegistry registry, SoftProtectionDomain domain) {
    return is(SendFlag.INLINE)
        || memory.isAllowed(registry, domain, hasResponse() ? Access.LOCAL_WRITE : 0);
  }

  /**
   * Appends some of its bytes to a packet.
   *
   * @return 0, or the completion status of the failure
   */
  int payload(
      MemoryRegistry registry,
      SoftProtectionDomain domain,
      long offset,
      int count,
      ByteBuffer packet) {
    if (is(SendFlag.INLINE)) {
      packet.put(inline, (int) offset, count);
      return 0;
    }
    return memory.gather(registry, domain, offset, count, packet);
  }
}
