package io.vertxrdma.soft.io;

import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoEventLoop;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.IntegerUnixChannelOption;

/**
 * Datagram sockets on an epoll event loop: many packets in one system call, and datagrams that are
 * never fragmented, which with an unconnected socket makes Linux send IPv4 identification 0.
 */
final class EpollDatagrams {
  private static final int IPPROTO_IP = 0;
  private static final int IPPROTO_UDP = 17;
  private static final int IPPROTO_IPV6 = 41;
  private static final int SOL_SOCKET = 1;
  private static final int PMTUDISC_DO = 2;

  private static final ChannelOption<Integer> IP_MTU_DISCOVER =
      new IntegerUnixChannelOption("IP_MTU_DISCOVER", IPPROTO_IP, 10);
  private static final ChannelOption<Integer> IPV6_MTU_DISCOVER =
      new IntegerUnixChannelOption("IPV6_MTU_DISCOVER", IPPROTO_IPV6, 23);

  /** rxe sends UDP checksum 0, which Linux takes over IPv6 only where a socket says so. */
  private static final ChannelOption<Integer> UDP_NO_CHECK6_RX =
      new IntegerUnixChannelOption("UDP_NO_CHECK6_RX", IPPROTO_UDP, 102);

  /** Like SO_RCVBUF, but above net.core.rmem_max; for those who may (CAP_NET_ADMIN). */
  private static final ChannelOption<Integer> SO_RCVBUFFORCE =
      new IntegerUnixChannelOption("SO_RCVBUFFORCE", SOL_SOCKET, 33);

  private static final int BATCH = 32;

  /**
   * Datagrams in one turn of the event loop. Netty's 16 would mean one batch: then, with many
   * connections, packets come in slower than they go out, and answers later than the timeouts that
   * wait for them.
   */
  private static final int READS = 16 * BATCH;

  private EpollDatagrams() {}

  static boolean fits(IoEventLoop loop) {
    return loop.isCompatible(EpollIoHandle.class);
  }

  static DatagramChannel create(boolean ipv4) {
    EpollDatagramChannel channel =
        new EpollDatagramChannel(ipv4 ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6);
    channel.config().setOption(ipv4 ? IP_MTU_DISCOVER : IPV6_MTU_DISCOVER, PMTUDISC_DO);
    if (!ipv4) {
      DatagramSockets.tryOption(channel, UDP_NO_CHECK6_RX, 1);
    }
    channel
        .config()
        .setOption(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, DatagramSockets.LARGEST_DATAGRAM);
    FixedRecvByteBufAllocator batches =
        new FixedRecvByteBufAllocator(DatagramSockets.LARGEST_DATAGRAM * BATCH);
    batches.maxMessagesPerRead(READS);
    channel.config().setRecvByteBufAllocator(batches);
    return channel;
  }

  /** After SO_RCVBUF, which would set it back. */
  static void forceReceiveBuffer(DatagramChannel channel, int bytes) {
    DatagramSockets.tryOption(channel, SO_RCVBUFFORCE, bytes);
  }
}
