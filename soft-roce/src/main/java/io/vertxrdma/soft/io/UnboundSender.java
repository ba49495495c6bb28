package io.vertxrdma.soft.io;

import io.vertxrdma.soft.wire.InvariantCrc;
import io.vertxrdma.soft.wire.IpPath;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Sends single packets of a local address while its own socket can't: from a port of its own, as
 * RoCEv2 allows. The IPv4 identification is what the host chooses, so that peers which check the
 * CRC for identification 0, as the Linux kernel does, may drop them; Java peers don't mind.
 */
public final class UnboundSender implements AutoCloseable {

  private final DatagramSocket socket;
  private final InetAddress local;
  private final int port;
  private final InvariantCrc crc = new InvariantCrc();

  /**
   * Opens a socket on a free UDP port.
   *
   * @param local the address packets come from
   * @param port the UDP port of all peers
   */
  public UnboundSender(InetAddress local, int port) throws IOException {
    this.socket = new DatagramSocket(new InetSocketAddress(local, 0));
    this.local = local;
    this.port = port;
  }

  /** Sends a packet, from position to limit, BTH through pad. */
  public void send(InetAddress peer, ByteBuffer packet) throws IOException {
    int value = crc.compute(IpPath.of(local, peer), socket.getLocalPort(), port, packet);
    ByteBuffer datagram = ByteBuffer.allocate(packet.remaining() + InvariantCrc.LENGTH);
    datagram.put(packet.duplicate()).order(ByteOrder.LITTLE_ENDIAN).putInt(value);
    socket.send(
        new DatagramPacket(
            datagram.array(), datagram.capacity(), new InetSocketAddress(peer, port)));
  }

  @Override
  public void close() {
    socket.close();
  }
}
