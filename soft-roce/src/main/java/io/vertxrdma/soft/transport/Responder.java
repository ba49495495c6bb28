package io.vertxrdma.soft.transport;

import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.wire.Aeth;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Opcode;
import io.vertxrdma.soft.wire.Psn;

/**
 * The receiving half of a reliable connection: takes requests strictly in order, checks them as rxe
 * does (order, rights, receive, length, key), executes them and answers.
 *
 * <p>Answers wait for the end of a batch of packets, so that one ACK tells of several messages. No
 * ACK passes a READ response that is still to be sent.
 */
final class Responder {

  private static final int NOTHING = -1;
  private static final long ATOMIC_LENGTH = 8;

  /** Fewer ACKs are cheaper, but when they are too few a lost one costs a timeout. */
  private static final int ACKNOWLEDGES_IN_ONE = 16;

  /** What kind of message is being received. */
  private enum Message {
    NONE,
    SEND,
    WRITE
  }

  private final SoftQueuePair queuePair;
  private final Engine engine;
  private final InboundMessage inbound;
  private ConnectionSetup setup;
  private Replies replies;
  private int expectedPsn;
  private int msn;
  private Message message = Message.NONE;

  // One complaint for each missing packet, and the furthest one dropped because of it.
  private boolean complained;
  private int furthest;
  private int answer = NOTHING;
  private int acknowledgesOwed;
  private boolean queued;

  Responder(SoftQueuePair queuePair) {
    this.queuePair = queuePair;
    this.engine = queuePair.engine;
    this.inbound = new InboundMessage(queuePair);
  }

  void connect(ConnectionSetup connection) {
    setup = connection;
    expectedPsn = connection.receivePsn() & Headers.MASK_24;
    replies = new Replies(engine, this, connection);
  }

  /**
   * Takes a request.
   *
   * @return whether this has to be called at the end of the batch and wasn't before
   */
  boolean receive(InboundPacket packet) {
    int ahead = Psn.difference(packet.psn, expectedPsn);
    if (ahead == 0) {
      complained = false;
      if (Aeth.isRnrNak(answer)) {
        // Out of date: here it is again.
        answer = Aeth.ACK;
      }
      execute(packet);
    } else if (ahead < 0) {
      repeat(packet);
    } else {
      outOfSequence(packet.psn);
    }
    if (queued || answer == NOTHING && !isReplying()) {
      return false;
    }
    queued = true;
    return true;
  }

  private boolean isReplying() {
    return replies.isAnyUnfinished();
  }

  private void outOfSequence(int psn) {
    if (!complained) {
      complain(Aeth.NAK_SEQUENCE, SoftCounters.Name.OUT_OF_SEQUENCE);
      furthest = psn;
    } else if (Psn.difference(psn, furthest) > 0) {
      furthest = psn;
    }
  }

  private void complain(int syndrome, SoftCounters.Name name) {
    complained = true;
    answer = syndrome;
    engine.counters().increment(name);
  }

  private void repeat(InboundPacket packet) {
    engine.counters().increment(SoftCounters.Name.DUPLICATE_REQUEST);
    if (packet.isSend() || packet.isWrite()) {
      if (answer == NOTHING) {
        answer = Aeth.ACK;
      }
    } else if (!replies.repeat(packet)) {
      engine.counters().increment(SoftCounters.Name.DROP_OUT_OF_WINDOW);
    }
  }

  private void execute(InboundPacket packet) {
    if (!isInOrder(packet) || !isPermitted(packet)) {
      refuse(Aeth.NAK_INVALID_REQUEST, Status.REMOTE_INVALID_REQUEST);
    } else if (packet.isSend()) {
      send(packet);
    } else if (packet.isWrite()) {
      write(packet);
    } else if (replies.isForbidden() || replies.isExhausted()) {
      refuse(Aeth.NAK_INVALID_REQUEST, Status.REMOTE_INVALID_REQUEST);
    } else if (packet.isAtomic()) {
      atomic(packet);
    } else {
      read(packet);
    }
  }

  /** Whether the packet may follow the one before it. */
  private boolean isInOrder(InboundPacket packet) {
    boolean goesOn =
        packet.isSend() || packet.isWrite() ? !packet.isStart() : message != Message.NONE;
    if (message == Message.NONE) {
      return !goesOn;
    }
    return goesOn && (message == Message.SEND ? packet.isSend() : packet.isWrite());
  }

  /** Whether the connection allows such requests at all. */
  private boolean isPermitted(InboundPacket packet) {
    int needed = 0;
    if (packet.isWrite()) {
      needed = Access.REMOTE_WRITE;
    } else if (packet.isAtomic()) {
      needed = Access.REMOTE_ATOMIC;
    } else if (packet.opcode == Opcode.RC_READ_REQUEST) {
      needed = Access.REMOTE_READ;
    }
    return (setup.remoteAccess() & needed) == needed;
  }

  private void send(InboundPacket packet) {
    if (packet.isStart() && !inbound.takeReceive()) {
      receiverNotReady();
      return;
    }
    int mtu = setup.pathMtu();
    boolean fits =
        packet.isEnd()
            ? packet.payloadLength <= mtu && (packet.isStart() || packet.payloadLength > 0)
            : packet.payloadLength == mtu;
    if (!fits) {
      refuse(Aeth.NAK_INVALID_REQUEST, Status.REMOTE_INVALID_REQUEST);
      return;
    }
    int status = inbound.append(packet);
    if (status == Status.LOCAL_LENGTH) {
      refuse(Aeth.NAK_INVALID_REQUEST, status);
    } else if (status != Status.SUCCESS) {
      refuse(Aeth.NAK_REMOTE_OPERATION, status);
    } else {
      advance(packet, Message.SEND);
    }
  }

  private void write(InboundPacket packet) {
    boolean needsReceive = packet.isEnd() && packet.hasImmediate();
    if (needsReceive && !inbound.takeReceive()) {
      receiverNotReady();
      return;
    }
    if (packet.isStart() && !inbound.beginWrite(packet)) {
      refuse(Aeth.NAK_REMOTE_ACCESS, Status.REMOTE_ACCESS);
      return;
    }
    boolean end = inbound.remainingToWrite() <= setup.pathMtu();
    long expected = end ? inbound.remainingToWrite() : setup.pathMtu();
    if (packet.payloadLength != expected || packet.isEnd() != end) {
      refuse(Aeth.NAK_INVALID_REQUEST, Status.REMOTE_INVALID_REQUEST);
    } else if (!inbound.write(packet)) {
      refuse(Aeth.NAK_REMOTE_ACCESS, Status.REMOTE_ACCESS);
    } else {
      advance(packet, Message.WRITE);
    }
  }

  /** A packet was executed: on to the next, and to the completion at the end of a message. */
  private void advance(InboundPacket packet, Message kind) {
    expectedPsn = Psn.add(expectedPsn, 1);
    if (packet.isEnd()) {
      message = Message.NONE;
      msn = msn + 1 & Headers.MASK_24;
      if (!inbound.complete(packet)) {
        // As in rxe: what could not be reported is not acknowledged either.
        expectedPsn = packet.psn;
        return;
      }
    } else {
      message = kind;
    }
    if (packet.acknowledgeRequest && answer != Aeth.NAK_SEQUENCE) {
      answer = Aeth.ACK;
      if (++acknowledgesOwed == ACKNOWLEDGES_IN_ONE && !isReplying()) {
        respond();
      }
    }
  }

  private void read(InboundPacket packet) {
    long address = Headers.rethAddress(packet.bytes, packet.header());
    long length = Headers.rethLength(packet.bytes, packet.header());
    int key = Headers.rethRkey(packet.bytes, packet.header());
    SoftMemoryRegion region = null;
    if (length != 0) {
      region = engine.memory().remote(key, queuePair.domain, address, length, Access.REMOTE_READ);
      if (region == null) {
        refuse(Aeth.NAK_REMOTE_ACCESS, Status.REMOTE_ACCESS);
        return;
      }
    }
    int packets = (int) Math.max(1, (length + setup.pathMtu() - 1) / setup.pathMtu());
    msn = msn + 1 & Headers.MASK_24;
    replies.addRead(packet.psn, packets, msn, region, address, length);
    expectedPsn = Psn.add(expectedPsn, packets);
  }

  private void atomic(InboundPacket packet) {
    long address = Headers.atomicAddress(packet.bytes, packet.header());
    int key = Headers.atomicRkey(packet.bytes, packet.header());
    SoftMemoryRegion region =
        engine.memory().remote(key, queuePair.domain, address, ATOMIC_LENGTH, Access.REMOTE_ATOMIC);
    if (region == null) {
      refuse(Aeth.NAK_REMOTE_ACCESS, Status.REMOTE_ACCESS);
      return;
    }
    if ((address & ATOMIC_LENGTH - 1) != 0) {
      refuse(Aeth.NAK_INVALID_REQUEST, Status.REMOTE_INVALID_REQUEST);
      return;
    }
    long original = region.getLong(address);
    long operand = Headers.atomicSwapOrAdd(packet.bytes, packet.header());
    if (packet.opcode == Opcode.RC_FETCH_ADD) {
      region.putLong(address, original + operand);
    } else if (original == Headers.atomicCompare(packet.bytes, packet.header())) {
      region.putLong(address, operand);
    }
    msn = msn + 1 & Headers.MASK_24;
    replies.addAtomic(packet.psn, msn, original);
    expectedPsn = Psn.add(expectedPsn, 1);
  }

  private void receiverNotReady() {
    complain(Aeth.rnrNak(queuePair.minRnrTimer()), SoftCounters.Name.SEND_RNR_NAK);
  }

  /** Refuses the expected packet for good: the receive it uses, if any, fails, and so do we. */
  private void refuse(int syndrome, int status) {
    refuse(syndrome);
    inbound.fail(status);
    queuePair.breakOff();
  }

  /** The memory of a READ that was granted is gone. */
  void refuseReply(int psn) {
    expectedPsn = psn;
    refuse(Aeth.NAK_REMOTE_ACCESS);
    queuePair.breakOff();
  }

  private void refuse(int syndrome) {
    engine.counters().increment(SoftCounters.Name.SEND_NAK);
    sendAcknowledge(syndrome, expectedPsn);
    answer = NOTHING;
    replies.stop();
  }

  /** Sends what there is to answer; called at the end of a batch of packets. */
  void answer() {
    queued = false;
    if (!queuePair.isReady()) {
      return;
    }
    if (isReplying()) {
      replies.send();
      if (answer == Aeth.ACK && replies.lastSent() == Psn.add(expectedPsn, -1)) {
        // The response has acknowledged everything.
        answer = NOTHING;
      }
    }
    if (answer != NOTHING && !isReplying()) {
      respond();
    }
  }

  private void respond() {
    if (answer == Aeth.NAK_SEQUENCE && Psn.difference(furthest, expectedPsn) < 0) {
      // What was missing came in time, and everything dropped meanwhile came again.
      answer = Aeth.ACK;
    }
    complained |= answer != Aeth.ACK;
    sendAcknowledge(answer, answer == Aeth.ACK ? Psn.add(expectedPsn, -1) : expectedPsn);
    answer = NOTHING;
    acknowledgesOwed = 0;
  }

  private void sendAcknowledge(int syndrome, int psn) {
    var packet =
        engine
            .writer()
            .start(Opcode.RC_ACKNOWLEDGE, false, setup.remoteQueuePairNumber(), false, psn);
    Headers.putAeth(packet, syndrome, msn);
    engine.writer().send(setup.remoteAddress());
  }

  /** Ends it: answers what was executed, flushes the receive of a message that was under way. */
  void stop() {
    abandon();
    inbound.fail(Status.FLUSHED);
  }

  /** Ends it without completions: answers what was executed. */
  void abandon() {
    if (setup != null) {
      if (answer != NOTHING && !isReplying()) {
        sendAcknowledge(Aeth.ACK, Psn.add(expectedPsn, -1));
      }
      replies.stop();
    }
    answer = NOTHING;
  }
}
