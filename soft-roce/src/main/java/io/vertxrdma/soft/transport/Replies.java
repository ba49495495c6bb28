package io.vertxrdma.soft.transport;

import io.vertxrdma.soft.io.Timers;
import io.vertxrdma.soft.wire.Aeth;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Opcode;
import io.vertxrdma.soft.wire.Psn;
import java.nio.ByteBuffer;

/**
 * The READs and atomics of a peer that were answered last: sends their responses, in order, and
 * again when the peer repeats a request. A READ is read again, an atomic is never executed twice.
 *
 * <p>Responses leave in portions, so that a READ of gigabytes neither holds the device lock for
 * seconds nor fills the link.
 */
final class Replies {

  private static final int PORTION = 256;

  /** One READ or atomic. */
  private static final class Reply {
    SoftMemoryRegion region;
    boolean atomic;
    int firstPsn;
    int packets;
    int msn;
    long address;
    long length;
    long original;
    // The packets to send: the next, and the one this pass began with.
    int next;
    int begin;
    // Whether all of it was sent once.
    boolean answered = true;

    boolean isDone() {
      return next == packets;
    }

    boolean has(int psn) {
      return Psn.within(psn, firstPsn, packets);
    }
  }

  private final Engine engine;
  private final Responder responder;
  private final ConnectionSetup setup;
  private final Reply[] ring;
  private final Runnable onTurn;
  private Timers.Timeout turn;
  private int newest;
  private int unfinished;
  private int lastSent = -1;

  Replies(Engine engine, Responder responder, ConnectionSetup setup) {
    this.engine = engine;
    this.responder = responder;
    this.setup = setup;
    this.ring = new Reply[setup.maxDestinationReadAtomic()];
    this.onTurn = () -> engine.execute(this::turn);
    for (int i = 0; i < ring.length; i++) {
      ring[i] = new Reply();
    }
  }

  /** Whether there are none: the peer may not ask. */
  boolean isForbidden() {
    return ring.length == 0;
  }

  /**
   * Whether the peer has more requests outstanding than it may: nothing is free to keep another. A
   * request that was answered and came again does not count: a peer that has a new one got the
   * answer in the meantime.
   */
  boolean isExhausted() {
    return !ring[following(newest)].answered;
  }

  /** Whether responses wait to be sent. */
  boolean isAnyUnfinished() {
    return unfinished > 0;
  }

  /** The packet sequence number of the response sent last, or -1. */
  int lastSent() {
    return lastSent;
  }

  private int following(int index) {
    return index + 1 == ring.length ? 0 : index + 1;
  }

  private Reply add(int psn, int packets, int msn) {
    newest = following(newest);
    Reply reply = ring[newest];
    if (!reply.isDone()) {
      unfinished--;
    }
    reply.answered = false;
    reply.firstPsn = psn;
    reply.packets = packets;
    reply.msn = msn;
    reply.begin = 0;
    reply.next = 0;
    unfinished++;
    return reply;
  }

  /** A new READ; {@code region} is null if the length is 0. */
  void addRead(int psn, int packets, int msn, SoftMemoryRegion region, long address, long length) {
    Reply reply = add(psn, packets, msn);
    reply.atomic = false;
    reply.region = region;
    reply.address = address;
    reply.length = length;
  }

  /** A new atomic, executed already. */
  void addAtomic(int psn, int msn, long original) {
    Reply reply = add(psn, 1, msn);
    reply.atomic = true;
    reply.region = null;
    reply.original = original;
  }

  /**
   * A READ or atomic that came again, a READ perhaps for its rest only.
   *
   * @return whether it is one of those kept
   */
  boolean repeat(InboundPacket packet) {
    for (Reply reply : ring) {
      if (reply.has(packet.psn) && reply.atomic == packet.isAtomic()) {
        int from = Psn.difference(packet.psn, reply.firstPsn);
        long skipped = (long) from * setup.pathMtu();
        if (!reply.atomic && !isRest(packet, reply, skipped)) {
          return false;
        }
        if (reply.isDone()) {
          unfinished++;
        }
        reply.begin = from;
        reply.next = from;
        return true;
      }
    }
    return false;
  }

  private static boolean isRest(InboundPacket packet, Reply reply, long skipped) {
    int reth = packet.header();
    return Headers.rethLength(packet.bytes, reth) == reply.length - skipped
        && Headers.rethAddress(packet.bytes, reth) == reply.address + skipped
        && (reply.region == null || Headers.rethRkey(packet.bytes, reth) == reply.region.rkey);
  }

  private void turn() {
    turn = null;
    responder.answer();
  }

  /** Sends a portion of what waits, and sees to it that the rest follows. */
  void send() {
    int left = PORTION;
    int at = newest;
    for (int i = 0; i < ring.length && unfinished > 0; i++) {
      at = following(at);
      Reply reply = ring[at];
      while (!reply.isDone()) {
        if (left-- == 0) {
          if (turn == null) {
            turn = engine.timers().schedule(0, onTurn);
          }
          return;
        }
        if (!sendNext(reply)) {
          return;
        }
      }
    }
  }

  /** Sends one packet; returns false if that ended the connection. */
  private boolean sendNext(Reply reply) {
    int psn = Psn.add(reply.firstPsn, reply.next);
    if (reply.region != null && !reply.region.isOpen()) {
      responder.refuseReply(psn);
      return false;
    }
    boolean first = reply.next == reply.begin;
    boolean last = reply.next == reply.packets - 1;
    ByteBuffer packet =
        engine
            .writer()
            .start(opcode(reply, first, last), false, setup.remoteQueuePairNumber(), false, psn);
    if (first || last) {
      Headers.putAeth(packet, Aeth.ACK, reply.msn);
    }
    if (reply.atomic) {
      packet.putLong(reply.original);
    } else if (reply.region != null) {
      long from = (long) reply.next * setup.pathMtu();
      int count = (int) Math.min(setup.pathMtu(), reply.length - from);
      reply.region.get(reply.address + from, packet, count);
    }
    engine.writer().send(setup.remoteAddress());
    lastSent = psn;
    reply.next++;
    if (reply.isDone()) {
      reply.answered = true;
      unfinished--;
    }
    return true;
  }

  private static int opcode(Reply reply, boolean first, boolean last) {
    if (reply.atomic) {
      return Opcode.RC_ATOMIC_ACKNOWLEDGE;
    }
    if (first) {
      return last ? Opcode.RC_READ_RESPONSE_ONLY : Opcode.RC_READ_RESPONSE_FIRST;
    }
    return last ? Opcode.RC_READ_RESPONSE_LAST : Opcode.RC_READ_RESPONSE_MIDDLE;
  }

  void stop() {
    if (turn != null) {
      turn.cancel();
      turn = null;
    }
    unfinished = 0;
    for (Reply reply : ring) {
      reply.region = null;
      reply.next = reply.packets;
    }
  }
}
