package io.vertxrdma.soft.transport;

import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.io.Link;
import io.vertxrdma.soft.wire.Headers;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** Builds packets in one buffer and hands them to the link; device lock held. */
final class PacketWriter {

  private static final int LARGEST = 4096 + 64;

  private final Link link;
  private final SoftCounters counters;
  private final ByteBuffer packet = ByteBuffer.allocateDirect(LARGEST);
  private boolean unflushed;

  PacketWriter(Link link, SoftCounters counters) {
    this.link = link;
    this.counters = counters;
  }

  /** Starts a packet; the caller appends the other headers and the payload. */
  ByteBuffer start(
      int opcode, boolean solicited, int destinationQpn, boolean acknowledgeRequest, int psn) {
    packet.clear();
    Headers.putBth(packet, opcode, solicited, 0, destinationQpn, acknowledgeRequest, psn);
    return packet;
  }

  /** Pads what was appended and hands the packet over. */
  void send(InetAddress destination) {
    // Headers are multiples of four long, so padding the packet pads the payload.
    int pad = -packet.position() & 3;
    if (pad != 0) {
      packet.put(1, (byte) (packet.get(1) | pad << 4));
      for (int i = 0; i < pad; i++) {
        packet.put((byte) 0);
      }
    }
    packet.flip();
    counters.increment(SoftCounters.Name.SENT_PACKETS);
    counters.add(SoftCounters.Name.SENT_BYTES, packet.remaining());
    link.send(destination, packet);
    unflushed = true;
  }

  /** Whether something was sent since this was asked last. */
  boolean takeUnflushed() {
    boolean result = unflushed;
    unflushed = false;
    return result;
  }
}
