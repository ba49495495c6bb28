package io.vertxrdma.soft.io;

import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoEventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandle;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.vertxrdma.soft.wire.InvariantCrc;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Opens the UDP socket of a link on whatever event loop there is.
 *
 * <p>On an epoll event loop packets carry IPv4 identification 0, as their CRC says. On a NIO event
 * loop that takes JDK 19 or newer (IP_DONTFRAGMENT); before, Linux puts another identification into
 * the packet than the CRC was computed for, so a kernel or hardware peer drops it. Java peers don't
 * mind: they accept the CRC of any identification. IPv6 has none, but there rxe sends without UDP
 * checksum, which Linux drops unless the socket has an option that NIO lacks: epoll again.
 */
final class DatagramSockets {
  private static final Logger log = LoggerFactory.getLogger(DatagramSockets.class);

  /** A little more than the longest packet and CRC, so that longer ones are seen to be longer. */
  static final int LARGEST_DATAGRAM = (InvariantCrc.MAX_PACKET + InvariantCrc.LENGTH | 63) + 1;

  /** Bytes asked of the kernel for each direction; it may give less. */
  private static final int SOCKET_BUFFER = 4 << 20;

  private static final int NIO_READS = 512;

  private DatagramSockets() {}

  /**
   * Opens and binds a socket; may be called on any thread, waits for the event loop if it is
   * another one.
   *
   * @param backlog bytes that may wait for the socket before it counts as not writable
   */
  static DatagramChannel open(
      EventLoop loop, InetAddress address, int port, int backlog, ChannelHandler handler) {
    DatagramChannel channel = create(loop, address);
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(backlog / 2, backlog));
    channel.pipeline().addLast(handler);
    ChannelFuture done = finished(loop, loop.register(channel));
    if (done.isSuccess()) {
      done = finished(loop, channel.bind(new InetSocketAddress(address, port)));
    }
    if (!done.isSuccess()) {
      if (channel.isRegistered()) {
        channel.close();
      }
      throw SocketFailures.ofBind(done.cause(), address, port);
    }
    return channel;
  }

  /** On the event loop itself registering and binding are done when the call returns. */
  private static ChannelFuture finished(EventLoop loop, ChannelFuture future) {
    return loop.inEventLoop() ? future : future.awaitUninterruptibly();
  }

  private static DatagramChannel create(EventLoop loop, InetAddress address) {
    if (loop instanceof IoEventLoop io && EpollDatagrams.fits(io)) {
      DatagramChannel channel = EpollDatagrams.create(address instanceof Inet4Address);
      setBuffers(channel);
      EpollDatagrams.forceReceiveBuffer(channel, SOCKET_BUFFER);
      return channel;
    }
    if (loop instanceof IoEventLoop io && io.isCompatible(NioIoHandle.class)) {
      DatagramChannel channel = createNio(address);
      setBuffers(channel);
      return channel;
    }
    throw new IllegalArgumentException(
        "the soft provider needs an epoll or NIO event loop, not " + loop.getClass().getName());
  }

  private static void setBuffers(DatagramChannel channel) {
    tryOption(channel, ChannelOption.SO_RCVBUF, SOCKET_BUFFER);
    tryOption(channel, ChannelOption.SO_SNDBUF, SOCKET_BUFFER);
  }

  private static DatagramChannel createNio(InetAddress address) {
    boolean ipv4 = address instanceof Inet4Address;
    NioDatagramChannel channel =
        new NioDatagramChannel(ipv4 ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6);
    FixedRecvByteBufAllocator packets = new FixedRecvByteBufAllocator(LARGEST_DATAGRAM);
    packets.maxMessagesPerRead(NIO_READS);
    channel.config().setRecvByteBufAllocator(packets);
    ChannelOption<Boolean> dontFragment = dontFragment();
    if (dontFragment == null || !tryOption(channel, dontFragment, true)) {
      // On loopback there is no other kind of peer.
      log.atLevel(ipv4 && !address.isLoopbackAddress() ? Level.WARN : Level.DEBUG)
          .log(
              "{}: NIO event loop without IP_DONTFRAGMENT (JDK 19): over IPv4 kernel and hardware"
                  + " peers drop the packets of this device, only soft peers take them; use"
                  + " Vert.x's native transport to reach all",
              address.getHostAddress());
    }
    return channel;
  }

  /** jdk.net.ExtendedSocketOptions.IP_DONTFRAGMENT where it is there (JDK 19). */
  @SuppressWarnings("unchecked")
  private static ChannelOption<Boolean> dontFragment() {
    try {
      Object option =
          Class.forName("jdk.net.ExtendedSocketOptions").getField("IP_DONTFRAGMENT").get(null);
      return NioChannelOption.of((SocketOption<Boolean>) option);
    } catch (ReflectiveOperationException | LinkageError none) {
      return null;
    }
  }

  /** Sets an option that is good to have; false if it can't be had. */
  static <T> boolean tryOption(DatagramChannel channel, ChannelOption<T> option, T value) {
    try {
      return channel.config().setOption(option, value);
    } catch (ChannelException | UnsupportedOperationException refused) {
      log.debug("{} = {} refused: {}", option, value, refused.toString());
      return false;
    }
  }
}
