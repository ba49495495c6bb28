package io.vertxrdma.soft.io;

import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.DatagramPacket;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.SoftCounters.Name;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.InvariantCrc;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Puts the CRC on datagrams that leave, and takes it off those that arrive. Event loop only. */
final class CrcSeal {

  /** No bit is flipped. */
  static final int INTACT = -1;

  private final InetAddress local;
  private final int port;
  private final SoftCounters counters;
  private final PeerPaths peers;
  private final InvariantCrc crc = new InvariantCrc();

  CrcSeal(InetAddress local, int port, SoftCounters counters) {
    this.local = local;
    this.port = port;
    this.counters = counters;
    this.peers = new PeerPaths(local, port);
  }

  /** The datagram of a packet, which has room for the CRC. */
  DatagramPacket seal(InetAddress destination, ByteBuf packet, int corruptBit) {
    PeerPaths.Peer peer = peers.of(destination);
    int length = packet.readableBytes();
    ByteBuffer bytes = packet.internalNioBuffer(packet.readerIndex(), length);
    packet.writeIntLE(crc.compute(peer.to(), port, port, bytes));
    if (corruptBit != INTACT) {
      int bit = corruptBit % (packet.readableBytes() * 8);
      packet.setByte(bit / 8, packet.getByte(bit / 8) ^ 1 << bit % 8);
    }
    return new DatagramPacket(packet, peer.socket());
  }

  /** The packet in a datagram, valid as long as that is; null when it was dropped and counted. */
  ByteBuffer open(InetSocketAddress sender, ByteBuf datagram) {
    int length = datagram.readableBytes() - InvariantCrc.LENGTH;
    InetAddress source = sender.getAddress();
    if (length < Headers.BTH_LENGTH) {
      return dropped(Name.DROP_SHORT);
    }
    if (length > InvariantCrc.MAX_PACKET) {
      return dropped(Name.DROP_LONG);
    }
    if (source.getClass() != local.getClass()) {
      return dropped(Name.DROP_OTHER);
    }
    int at = datagram.readerIndex();
    ByteBuffer packet = datagram.internalNioBuffer(at, length);
    int received = datagram.getIntLE(at + length);
    PeerPaths.Peer peer = peers.of(source);
    if (crc.identification(peer.from(), sender.getPort(), port, packet, received) < 0) {
      return dropped(Name.DROP_BAD_ICRC);
    }
    return packet;
  }

  int rememberedAddresses() {
    return peers.size();
  }

  private ByteBuffer dropped(Name why) {
    counters.increment(why);
    return null;
  }
}
