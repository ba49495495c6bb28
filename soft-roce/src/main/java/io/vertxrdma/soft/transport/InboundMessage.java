package io.vertxrdma.soft.transport;

import io.vertxrdma.core.WorkCompletionOpcode;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.wire.Headers;

/**
 * The send or write a peer's packets are building up: the receive it uses, the memory it goes to,
 * and the completion at its end.
 */
final class InboundMessage {

  private static final int WITH_IMMEDIATE = 2;

  private final SoftQueuePair queuePair;
  private final Engine engine;
  private ReceiveRequest receive;
  private ReceiveRequest spare = new ReceiveRequest();
  private long received;
  private SoftMemoryRegion region;
  private long writeAddress;
  private long written;
  private long remaining;

  InboundMessage(SoftQueuePair queuePair) {
    this.queuePair = queuePair;
    this.engine = queuePair.engine;
  }

  /** Takes the next receive for this message; returns whether there was one. */
  boolean takeReceive() {
    receive = queuePair.takeReceive(spare);
    if (receive == null) {
      return false;
    }
    spare = null;
    received = 0;
    return true;
  }

  private void releaseReceive() {
    spare = receive;
    receive = null;
  }

  /**
   * Appends the payload of a send to the receive.
   *
   * @return 0, or the completion status of the failure
   */
  int append(InboundPacket packet) {
    if (packet.payloadLength > receive.memory.total() - received) {
      return Status.LOCAL_LENGTH;
    }
    int status =
        receive.memory.scatter(
            engine.memory(),
            queuePair.domain,
            received,
            packet.bytes,
            packet.payloadAt,
            packet.payloadLength);
    received += packet.payloadLength;
    return status;
  }

  /** Begins a write; returns whether key, bounds and rights allow it. No bytes need no key. */
  boolean beginWrite(InboundPacket packet) {
    int reth = packet.header();
    writeAddress = Headers.rethAddress(packet.bytes, reth);
    remaining = Headers.rethLength(packet.bytes, reth);
    written = 0;
    region = null;
    if (remaining != 0) {
      region =
          engine
              .memory()
              .remote(
                  Headers.rethRkey(packet.bytes, reth),
                  queuePair.domain,
                  writeAddress,
                  remaining,
                  Access.REMOTE_WRITE);
    }
    return remaining == 0 || region != null;
  }

  /** Bytes of the write still to come. */
  long remainingToWrite() {
    return remaining;
  }

  /** Writes a payload; returns false when the memory is gone. */
  boolean write(InboundPacket packet) {
    if (packet.payloadLength == 0) {
      return true;
    }
    if (!region.isOpen()) {
      return false;
    }
    region.put(writeAddress + written, packet.bytes, packet.payloadAt, packet.payloadLength);
    written += packet.payloadLength;
    remaining -= packet.payloadLength;
    return true;
  }

  /** Completes the receive of a message that is all there; returns false if that got lost. */
  boolean complete(InboundPacket packet) {
    region = null;
    if (receive == null) {
      return true;
    }
    long workRequestId = receive.workRequestId;
    releaseReceive();
    engine.counters().increment(SoftCounters.Name.RDMA_RECEIVES);
    boolean immediate = packet.hasImmediate();
    return queuePair.receiveQueue.add(
        workRequestId,
        Status.SUCCESS,
        packet.isSend() ? WorkCompletionOpcode.RECV : WorkCompletionOpcode.RECV_RDMA_WITH_IMM,
        (int) (packet.isSend() ? received : written),
        immediate ? WITH_IMMEDIATE : 0,
        immediate ? packet.immediate() : 0,
        queuePair.qpn,
        0);
  }

  /** Ends the message: its receive, if it has one, completes with a failure. */
  void fail(int status) {
    region = null;
    if (receive != null) {
      long workRequestId = receive.workRequestId;
      releaseReceive();
      queuePair.receiveQueue.addFailed(workRequestId, status, queuePair.qpn);
    }
  }
}
