package io.vertxrdma.soft.transport;

import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Opcode;
import io.vertxrdma.soft.wire.Psn;
import java.nio.ByteBuffer;

/**
 * The sending half of a reliable connection: turns work requests into packets, at most a window of
 * them unacknowledged, and sends them again from where it is told.
 *
 * <p>The window is 128 packets as in rxe, but no more bytes than the receive buffer that Linux
 * gives a socket by default can hold: rxe needs no socket buffer, we do. After losses it is smaller
 * for a while. A READ is asked for in pieces of a window, the next when the one before has come, so
 * that its answer doesn't flood us either; on the wire these are READ requests like any other.
 */
final class Requester {

  private static final int WINDOW_PACKETS = 128;
  private static final int WINDOW_BYTES = 128 << 10;

  private final SoftQueuePair queuePair;
  private final Engine engine;
  private final PacketWriter writer;
  private final SendQueue queue;
  private final RetryTimers retry;
  private final CongestionWindow congestion = new CongestionWindow();
  private ConnectionSetup setup;
  private int window;

  /** The first packet sequence number never sent. */
  private int nextPsn;

  /** The oldest one not acknowledged; for a READ the one of the response to come next. */
  private int unacknowledged;

  // Where sending goes on: a request, and how many of its packets are sent in this pass.
  private long current;
  private int offset;
  private int sinceAcknowledgeRequest;
  private int outstandingReads;

  Requester(SoftQueuePair queuePair, SendQueue queue) {
    this.queuePair = queuePair;
    this.engine = queuePair.engine;
    this.writer = engine.writer();
    this.queue = queue;
    this.retry = new RetryTimers(queuePair, this);
  }

  void connect(ConnectionSetup connection) {
    setup = connection;
    window = Math.min(WINDOW_PACKETS, WINDOW_BYTES / connection.pathMtu());
    congestion.open(window);
    nextPsn = connection.sendPsn() & Headers.MASK_24;
    unacknowledged = nextPsn;
    retry.connect(connection);
  }

  /** Sends what may be sent now. */
  void transmit() {
    while (queuePair.isReady() && current < queue.tail() && !retry.isWaitingForReceiver()) {
      SendRequest request = queue.at(current);
      if (!(request.started || start(request)) || !sendNext(request)) {
        return;
      }
    }
  }

  /** Gives a request its packet sequence numbers, unless something is in the way. */
  private boolean start(SendRequest request) {
    if (request.is(SendFlag.FENCE) && outstandingReads > 0) {
      return false;
    }
    if (request.hasResponse()) {
      if (setup.maxReadAtomic() == 0) {
        // rxe would wait for ever.
        return refuse(Status.LOCAL_OPERATION);
      }
      if (outstandingReads >= setup.maxReadAtomic()) {
        return false;
      }
    }
    if (!request.isAllowed(engine.memory(), queuePair.domain)) {
      return refuse(Status.LOCAL_PROTECTION);
    }
    long mtu = setup.pathMtu();
    request.firstPsn = nextPsn;
    request.packets = request.isAtomic() ? 1 : (int) Math.max(1, (request.length + mtu - 1) / mtu);
    request.started = true;
    if (request.hasResponse()) {
      outstandingReads++;
    }
    return true;
  }

  /** The current request can't be executed: it fails once those before it are done. */
  private boolean refuse(int status) {
    if (current == queue.head()) {
      queuePair.fail(current, status);
    }
    return false;
  }

  private boolean sendNext(SendRequest request) {
    int psn = Psn.add(request.firstPsn, offset);
    if (Psn.difference(psn, unacknowledged) >= congestion.packets()) {
      return false;
    }
    int packets = 1;
    if (request.isRead()) {
      if (offset > 0 && psn != unacknowledged) {
        return false;
      }
      packets = sendRead(request, psn);
    } else if (request.isAtomic()) {
      sendAtomic(request, psn);
    } else {
      int status = sendData(request, psn);
      if (status != Status.SUCCESS) {
        return refuse(status);
      }
    }
    if (Psn.difference(psn, nextPsn) < 0) {
      engine.counters().increment(SoftCounters.Name.RETRANSMITTED);
    }
    int after = Psn.add(psn, packets);
    if (Psn.difference(after, nextPsn) > 0) {
      nextPsn = after;
    }
    offset += packets;
    if (offset == request.packets) {
      current++;
      offset = 0;
    }
    retry.sent();
    return true;
  }

  /** Asks for the rest of the current piece of a READ; returns its packets. */
  private int sendRead(SendRequest request, int psn) {
    int packets = Math.min(window - offset % window, request.packets - offset);
    long from = (long) offset * setup.pathMtu();
    long bytes = Math.min((long) packets * setup.pathMtu(), request.length - from);
    ByteBuffer packet = start(Opcode.RC_READ_REQUEST, false, true, psn);
    Headers.putReth(packet, request.remoteAddress + from, request.remoteKey, (int) bytes);
    writer.send(setup.remoteAddress());
    return packets;
  }

  private void sendAtomic(SendRequest request, int psn) {
    boolean swap = request.opcode == SendOpcode.ATOMIC_CMP_AND_SWP;
    ByteBuffer packet =
        start(swap ? Opcode.RC_COMPARE_SWAP : Opcode.RC_FETCH_ADD, false, true, psn);
    Headers.putAtomicEth(
        packet,
        request.remoteAddress,
        request.remoteKey,
        swap ? request.swap : request.compareOrAdd,
        swap ? request.compareOrAdd : 0);
    writer.send(setup.remoteAddress());
  }

  /** Sends one packet of a send or write; returns 0 or the status of the failure. */
  private int sendData(SendRequest request, int psn) {
    boolean first = offset == 0;
    boolean last = offset == request.packets - 1;
    boolean askForAcknowledge = last || sinceAcknowledgeRequest + 1 >= congestion.packets() / 2;
    boolean solicited = last && request.is(SendFlag.SOLICITED);
    ByteBuffer packet = start(opcode(request, first, last), solicited, askForAcknowledge, psn);
    if (first && !request.isSend()) {
      Headers.putReth(packet, request.remoteAddress, request.remoteKey, (int) request.length);
    }
    if (last && request.hasImmediate()) {
      packet.putInt(request.immediate);
    }
    long from = (long) offset * setup.pathMtu();
    int count = (int) Math.min(setup.pathMtu(), request.length - from);
    int status = request.payload(engine.memory(), queuePair.domain, from, count, packet);
    if (status != Status.SUCCESS) {
      return status;
    }
    sinceAcknowledgeRequest = askForAcknowledge ? 0 : sinceAcknowledgeRequest + 1;
    writer.send(setup.remoteAddress());
    return Status.SUCCESS;
  }

  private ByteBuffer start(int opcode, boolean solicited, boolean askForAcknowledge, int psn) {
    return writer.start(opcode, solicited, setup.remoteQueuePairNumber(), askForAcknowledge, psn);
  }

  private static int opcode(SendRequest request, boolean first, boolean last) {
    boolean immediate = request.hasImmediate();
    if (request.isSend()) {
      if (last) {
        return first
            ? (immediate ? Opcode.RC_SEND_ONLY_IMM : Opcode.RC_SEND_ONLY)
            : (immediate ? Opcode.RC_SEND_LAST_IMM : Opcode.RC_SEND_LAST);
      }
      return first ? Opcode.RC_SEND_FIRST : Opcode.RC_SEND_MIDDLE;
    }
    if (last) {
      return first
          ? (immediate ? Opcode.RC_WRITE_ONLY_IMM : Opcode.RC_WRITE_ONLY)
          : (immediate ? Opcode.RC_WRITE_LAST_IMM : Opcode.RC_WRITE_LAST);
    }
    return first ? Opcode.RC_WRITE_FIRST : Opcode.RC_WRITE_MIDDLE;
  }

  /** The oldest request if any of its packets was sent, else null. */
  SendRequest oldest() {
    if (queue.isEmpty()) {
      return null;
    }
    SendRequest request = queue.at(queue.head());
    return request.started ? request : null;
  }

  /** The number of the request that a packet belongs to; the PSN is one of those outstanding. */
  long requestOf(int psn) {
    long number = queue.head();
    while (number < queue.tail() - 1 && Psn.difference(psn, queue.at(number).lastPsn()) > 0) {
      number++;
    }
    return number;
  }

  /** Packets without acknowledgement, and in one piece of a READ. */
  int window() {
    return window;
  }

  int unacknowledged() {
    return unacknowledged;
  }

  /** Whether a packet with this PSN was sent and not acknowledged. */
  boolean isOutstanding(int psn) {
    return Psn.difference(psn, unacknowledged) >= 0 && Psn.difference(psn, nextPsn) < 0;
  }

  boolean isAnythingOutstanding() {
    return unacknowledged != nextPsn;
  }

  /**
   * Everything before {@code psn} is acknowledged: completes what is done by that.
   *
   * @return false if the answer to a READ or atomic before it has not come
   */
  boolean acknowledgeBefore(int psn) {
    boolean complete = true;
    int before = unacknowledged;
    SendRequest request;
    while (Psn.difference(psn, unacknowledged) > 0 && (request = oldest()) != null) {
      if (request.hasResponse()) {
        complete = false;
        break;
      }
      int after = Psn.add(request.lastPsn(), 1);
      if (Psn.difference(psn, after) < 0) {
        unacknowledged = psn;
        break;
      }
      unacknowledged = after;
      completeOldest();
    }
    if (unacknowledged != before) {
      progressed(Psn.difference(unacknowledged, before));
    }
    return complete;
  }

  /** The next response to the oldest request has come and was taken. */
  void responseTaken() {
    SendRequest request = oldest();
    boolean done = unacknowledged == request.lastPsn();
    unacknowledged = Psn.add(unacknowledged, 1);
    if (done) {
      outstandingReads--;
      completeOldest();
    }
    progressed(1);
  }

  private void completeOldest() {
    SendRequest request = queue.at(queue.head());
    queue.removeHead();
    queuePair.complete(request, Status.SUCCESS);
  }

  private void progressed(int packets) {
    congestion.acknowledged(packets);
    retry.progressed(unacknowledged);
    // Late acknowledgements can overtake a second pass.
    if (current < queue.head() || Psn.difference(currentPsn(), unacknowledged) < 0) {
      goBack();
    }
  }

  private int currentPsn() {
    return current < queue.tail() && queue.at(current).started
        ? Psn.add(queue.at(current).firstPsn, offset)
        : nextPsn;
  }

  /** Sends from the oldest unacknowledged packet on again. */
  void goBack() {
    current = queue.head();
    SendRequest request = oldest();
    offset = request == null ? 0 : Psn.difference(unacknowledged, request.firstPsn);
    sinceAcknowledgeRequest = 0;
  }

  CongestionWindow congestion() {
    return congestion;
  }

  RetryTimers retry() {
    return retry;
  }
}
