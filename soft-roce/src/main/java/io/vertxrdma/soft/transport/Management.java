package io.vertxrdma.soft.transport;

import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Opcode;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** Queue pair 1: unreliable datagrams of 256 bytes with the well-known Q_Key. */
final class Management {

  static final int QUEUE_PAIR_NUMBER = 1;
  static final int QUEUE_KEY = 0x8001_0000;
  static final int LENGTH = 256;

  private final PacketWriter writer;
  private final SoftCounters counters;
  private ManagementHandler handler;
  private int psn;

  Management(PacketWriter writer, SoftCounters counters) {
    this.writer = writer;
    this.counters = counters;
  }

  void setHandler(ManagementHandler handler) {
    this.handler = handler;
  }

  void send(InetAddress destination, ByteBuffer mad) {
    if (mad.remaining() != LENGTH) {
      throw new IllegalArgumentException(
          "a management datagram has " + LENGTH + " bytes, was " + mad.remaining());
    }
    ByteBuffer packet = writer.start(Opcode.UD_SEND_ONLY, false, QUEUE_PAIR_NUMBER, false, psn++);
    Headers.putDeth(packet, QUEUE_KEY, QUEUE_PAIR_NUMBER);
    packet.put(mad.duplicate());
    writer.send(destination);
  }

  /** A packet with a management datagram in a buffer of its own. */
  static ByteBuffer packet(ByteBuffer mad, int psn) {
    int headers = Headers.BTH_LENGTH + Headers.DETH_LENGTH;
    ByteBuffer packet = ByteBuffer.allocate(headers + LENGTH);
    Headers.putBth(packet, Opcode.UD_SEND_ONLY, false, 0, QUEUE_PAIR_NUMBER, false, psn);
    Headers.putDeth(packet, QUEUE_KEY, QUEUE_PAIR_NUMBER);
    return packet.put(mad.duplicate()).flip();
  }

  void receive(InetAddress source, InboundPacket packet) {
    if (packet.opcode != Opcode.UD_SEND_ONLY) {
      counters.increment(SoftCounters.Name.DROP_BAD_OPCODE);
    } else if (Headers.dethQkey(packet.bytes, packet.header()) != QUEUE_KEY) {
      counters.increment(SoftCounters.Name.DROP_BAD_QKEY);
    } else if (packet.payloadLength != LENGTH) {
      counters.increment(SoftCounters.Name.DROP_BAD_LENGTH);
    } else if (handler == null) {
      counters.increment(SoftCounters.Name.DROP_BAD_QPN);
    } else {
      handler.datagram(
          source,
          Headers.dethSourceQpn(packet.bytes, packet.header()),
          packet.bytes.slice(packet.payloadAt, LENGTH));
    }
  }
}
