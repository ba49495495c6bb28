package io.vertxrdma.soft.io;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.DatagramPacket;
import io.vertxrdma.soft.wire.InvariantCrc;
import io.vertxrdma.soft.wire.IpPath;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts datagrams into a link as if its socket had read them, from any address. Used by one thread,
 * which waits for the event loop at the end of each batch.
 */
public final class Intruder {

  /** What a datagram is made of: the sender, and packet and CRC. */
  private record Datagram(InetSocketAddress sender, ByteBuf bytes) {}

  private final UdpLink link;
  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
  private final InvariantCrc crc = new InvariantCrc();
  private final List<Datagram> batch = new ArrayList<>();

  /** Makes it for a link. */
  public Intruder(Link link) {
    this.link = (UdpLink) link;
  }

  /** The address of the link. */
  public InetAddress target() {
    return link.localAddress();
  }

  /** Adds a datagram as it is. */
  public void raw(InetSocketAddress sender, byte[] datagram, int length) {
    batch.add(new Datagram(sender, allocator.directBuffer(length).writeBytes(datagram, 0, length)));
  }

  /** Adds a packet with the right CRC behind it. */
  public void sealed(InetSocketAddress sender, ByteBuffer packet) {
    IpPath path = IpPath.of(sender.getAddress(), link.localAddress());
    int value = crc.compute(path, sender.getPort(), link.port(), packet);
    ByteBuf bytes = allocator.directBuffer(packet.remaining() + InvariantCrc.LENGTH);
    batch.add(new Datagram(sender, bytes.writeBytes(packet.duplicate()).writeIntLE(value)));
  }

  /** Lets the link read everything added, as one read of the socket, and waits until it has. */
  public int deliver() {
    int count = batch.size();
    link.channel()
        .eventLoop()
        .submit(
            () -> {
              ChannelPipeline pipeline = link.channel().pipeline();
              InetSocketAddress here = new InetSocketAddress(link.localAddress(), link.port());
              for (Datagram datagram : batch) {
                pipeline.fireChannelRead(
                    new DatagramPacket(datagram.bytes(), here, datagram.sender()));
              }
              pipeline.fireChannelReadComplete();
            })
        .syncUninterruptibly();
    batch.clear();
    return count;
  }

  /** Bytes of datagrams that were put in and not released. */
  public long unreleased() {
    return allocator.metric().usedDirectMemory();
  }

  /** Direct memory of the link's own buffers, in bytes: chunks, whether in use or not. */
  public long linkMemory() {
    return ((io.netty.buffer.ByteBufAllocatorMetricProvider) link.channel().alloc())
        .metric()
        .usedDirectMemory();
  }

  /** Addresses whose headers the link keeps. */
  public int rememberedAddresses() {
    return link.rememberedAddresses();
  }
}
