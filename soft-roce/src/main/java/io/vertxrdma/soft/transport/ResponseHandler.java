package io.vertxrdma.soft.transport;

import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.wire.Aeth;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Opcode;
import io.vertxrdma.soft.wire.Psn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Takes the answers of the peer: acknowledgements, refusals, READ responses and results of atomics.
 *
 * <p>A response acknowledges everything before it. One that does not fit the request, in length or
 * place, is dropped: the peer is asked again, and if it never gets it right the retry count ends
 * it.
 */
final class ResponseHandler {

  private final SoftQueuePair queuePair;
  private final Engine engine;
  private final Requester requester;
  private final ByteBuffer atomicResult =
      ByteBuffer.allocate(Headers.ATOMIC_ACK_LENGTH).order(ByteOrder.nativeOrder());
  private int mtu;

  ResponseHandler(SoftQueuePair queuePair, Requester requester) {
    this.queuePair = queuePair;
    this.engine = queuePair.engine;
    this.requester = requester;
  }

  void connect(ConnectionSetup setup) {
    mtu = setup.pathMtu();
  }

  private void drop(SoftCounters.Name reason) {
    engine.counters().increment(reason);
  }

  void receive(InboundPacket packet) {
    if (!requester.isOutstanding(packet.psn)) {
      drop(SoftCounters.Name.DROP_OUT_OF_WINDOW);
      return;
    }
    switch (packet.opcode) {
      case Opcode.RC_ACKNOWLEDGE ->
          acknowledge(packet.psn, Headers.aethSyndrome(packet.bytes, packet.header()));
      case Opcode.RC_ATOMIC_ACKNOWLEDGE -> atomicResult(packet);
      default -> readResponse(packet);
    }
    requester.transmit();
  }

  private void acknowledge(int psn, int syndrome) {
    if (Aeth.isAck(syndrome)) {
      if (!requester.acknowledgeBefore(Psn.add(psn, 1))) {
        requester.retry().lost();
      }
    } else if (Aeth.isRnrNak(syndrome)) {
      if (!requester.acknowledgeBefore(psn)) {
        requester.retry().lost();
      } else if (isOldest(psn)) {
        requester.retry().receiverNotReady(syndrome);
      }
    } else {
      refused(psn, syndrome);
    }
  }

  /** Whether the packet is the oldest one out, after what came before it was acknowledged. */
  private boolean isOldest(int psn) {
    return queuePair.isReady() && psn == requester.unacknowledged();
  }

  private void refused(int psn, int syndrome) {
    int status;
    switch (syndrome) {
      case Aeth.NAK_SEQUENCE -> {
        engine.counters().increment(SoftCounters.Name.RECEIVED_SEQUENCE_ERROR);
        if (!requester.acknowledgeBefore(psn) || isOldest(psn)) {
          requester.retry().lost();
        }
        return;
      }
      case Aeth.NAK_INVALID_REQUEST -> status = Status.REMOTE_INVALID_REQUEST;
      case Aeth.NAK_REMOTE_ACCESS -> status = Status.REMOTE_ACCESS;
      case Aeth.NAK_REMOTE_OPERATION -> status = Status.REMOTE_OPERATION;
      default -> {
        drop(SoftCounters.Name.DROP_BAD_OPCODE);
        return;
      }
    }
    engine.counters().increment(SoftCounters.Name.RECEIVED_NAK);
    // READs before it whose answer has not come are flushed: the peer answers nothing any more.
    requester.acknowledgeBefore(psn);
    if (queuePair.isReady()) {
      queuePair.fail(requester.requestOf(psn), status);
    }
  }

  /**
   * Whether the packet is the response the oldest request waits for. If one before it is missing,
   * it is asked for.
   */
  private boolean isExpected(InboundPacket packet) {
    if (!requester.acknowledgeBefore(packet.psn)) {
      requester.retry().lost();
      return false;
    }
    return isOldest(packet.psn);
  }

  private boolean hasAck(InboundPacket packet) {
    return Aeth.isAck(Headers.aethSyndrome(packet.bytes, packet.header()));
  }

  private void readResponse(InboundPacket packet) {
    if (!isExpected(packet)) {
      return;
    }
    SendRequest request = requester.oldest();
    if (!request.isRead()) {
      drop(SoftCounters.Name.DROP_BAD_OPCODE);
      return;
    }
    int index = Psn.difference(packet.psn, request.firstPsn);
    long from = (long) index * mtu;
    boolean last =
        index == request.packets - 1 || index % requester.window() == requester.window() - 1;
    boolean saysLast =
        packet.opcode == Opcode.RC_READ_RESPONSE_LAST
            || packet.opcode == Opcode.RC_READ_RESPONSE_ONLY;
    if (packet.payloadLength != Math.min(mtu, request.length - from) || last != saysLast) {
      drop(SoftCounters.Name.DROP_BAD_LENGTH);
      return;
    }
    if (packet.opcode != Opcode.RC_READ_RESPONSE_MIDDLE && !hasAck(packet)) {
      drop(SoftCounters.Name.DROP_BAD_OPCODE);
      return;
    }
    take(request, from, packet.bytes, packet.payloadAt, packet.payloadLength);
  }

  private void atomicResult(InboundPacket packet) {
    if (!isExpected(packet)) {
      return;
    }
    SendRequest request = requester.oldest();
    if (!request.isAtomic() || !hasAck(packet)) {
      drop(SoftCounters.Name.DROP_BAD_OPCODE);
      return;
    }
    // In memory it has this machine's byte order.
    atomicResult.putLong(
        0, Headers.atomicAckOriginal(packet.bytes, packet.header() + Headers.AETH_LENGTH));
    take(request, 0, atomicResult, 0, Headers.ATOMIC_ACK_LENGTH);
  }

  private void take(SendRequest request, long offset, ByteBuffer source, int at, int length) {
    int status =
        request.memory.scatter(engine.memory(), queuePair.domain, offset, source, at, length);
    if (status == Status.SUCCESS) {
      requester.responseTaken();
    } else {
      queuePair.failOldest(status);
    }
  }
}
