package io.vertxrdma.benchmarks.endtoend;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.socket.DatagramPacket;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The yardstick: bare Netty datagrams as long as the soft provider's, over the same epoll sockets
 * with the same batches. The stream has the same window of 128, and an acknowledgement for each 16
 * or each read. Nothing is checked, copied or sent again: this is what sockets alone cost.
 */
final class UdpTraffic implements Traffic {

  /** A datagram with a write with immediate of 8 bytes: BTH, RETH, immediate, payload, CRC. */
  private static final int DATA = 12 + 16 + 4 + 8 + 4;

  /** One with an acknowledgement: BTH, AETH, CRC. */
  private static final int ACKNOWLEDGEMENT = 12 + 4 + 4;

  private static final int WINDOW = 128;
  private static final int IN_ONE = 16;
  private static final int BATCH = 32;
  private static final int LARGEST = 4416;
  private static final int BUFFERS = 4 << 20;

  private final EventLoopGroup group;
  private final Channel channel;
  private final InetSocketAddress far;
  private final Near near = new Near();

  UdpTraffic(String address, int port) {
    far = new InetSocketAddress(address, port);
    group = loop();
    channel = open(group, new InetSocketAddress("127.0.0.1", 0), near);
  }

  private static EventLoopGroup loop() {
    return new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  }

  private static Channel open(
      EventLoopGroup group, InetSocketAddress local, ChannelInboundHandlerAdapter handler) {
    return new Bootstrap()
        .group(group)
        .channel(EpollDatagramChannel.class)
        .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, LARGEST)
        .option(ChannelOption.SO_RCVBUF, BUFFERS)
        .option(ChannelOption.SO_SNDBUF, BUFFERS)
        .handler(new Opening(handler))
        .bind(local)
        .syncUninterruptibly()
        .channel();
  }

  /** Sets what is no option. */
  private static final class Opening extends ChannelInitializer<Channel> {

    private final ChannelInboundHandlerAdapter handler;

    Opening(ChannelInboundHandlerAdapter handler) {
      this.handler = handler;
    }

    @Override
    protected void initChannel(Channel channel) {
      channel.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(LARGEST * BATCH));
      channel.pipeline().addLast(handler);
    }
  }

  /** A far side: answers what asks for it, acknowledges the rest. */
  static FarSide farSide(String address) {
    EventLoopGroup group = loop();
    Channel channel = open(group, new InetSocketAddress(address, 0), new Far());
    return new FarSide(((InetSocketAddress) channel.localAddress()).getPort(), group);
  }

  /** The far side. */
  record FarSide(int port, EventLoopGroup group) {
    void close() {
      group.shutdownGracefully();
    }
  }

  private static ByteBuf datagram(Channel channel, int length, long number, boolean answer) {
    return channel
        .alloc()
        .directBuffer(length)
        .writeLong(number)
        .writeBoolean(answer)
        .writeZero(length - Long.BYTES - 1);
  }

  private static final class Far extends ChannelInboundHandlerAdapter {

    private InetSocketAddress peer;
    private long received;
    private long acknowledged;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      DatagramPacket packet = (DatagramPacket) message;
      long number = packet.content().getLong(0);
      if (packet.content().getBoolean(Long.BYTES)) {
        send(context, packet.sender(), DATA, number);
      } else {
        peer = packet.sender();
        // A new stream begins at 1.
        received = number;
        acknowledged = number == 1 ? 0 : acknowledged;
        if (received - acknowledged >= IN_ONE) {
          acknowledge(context);
        }
      }
      packet.release();
    }

    private void acknowledge(ChannelHandlerContext context) {
      acknowledged = received;
      send(context, peer, ACKNOWLEDGEMENT, received);
    }

    private static void send(
        ChannelHandlerContext context, InetSocketAddress to, int length, long number) {
      context.write(
          new DatagramPacket(datagram(context.channel(), length, number, false), to),
          context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      if (received > acknowledged) {
        acknowledge(context);
      }
      context.flush();
    }
  }

  private final class Near extends ChannelInboundHandlerAdapter {

    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong packets = new AtomicLong();
    private final Promise<Void> started = Promise.promise();
    private RoundTrips trips;
    private long sent;
    private boolean stopping;

    void ping() {
      channel.writeAndFlush(
          new DatagramPacket(datagram(channel, DATA, 1, true), far), channel.voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      DatagramPacket packet = (DatagramPacket) message;
      long number = packet.content().getLong(0);
      packet.release();
      if (trips != null) {
        trips.answered();
      } else {
        packets.lazySet(packets.get() + 1);
        acknowledged.lazySet(number);
        started.tryComplete();
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      if (trips == null && !stopping) {
        fill();
      }
    }

    void fill() {
      long until = acknowledged.get() + WINDOW;
      packets.lazySet(packets.get() + until - sent);
      while (sent < until) {
        channel.write(
            new DatagramPacket(datagram(channel, DATA, ++sent, false), far), channel.voidPromise());
      }
      channel.flush();
    }
  }

  @Override
  public Future<long[]> pingPong(int warmUp, int rounds) {
    Promise<long[]> done = Promise.promise();
    channel
        .eventLoop()
        .execute(
            () -> {
              near.trips = new RoundTrips(warmUp, rounds, near::ping);
              near.trips.start().onComplete(done);
            });
    return done.future();
  }

  @Override
  public Future<Void> startStream() {
    channel.eventLoop().execute(near::fill);
    return near.started.future();
  }

  @Override
  public long messages() {
    return near.acknowledged.get();
  }

  @Override
  public long packets() {
    return near.packets.get();
  }

  @Override
  public Future<Void> close() {
    Promise<Void> closed = Promise.promise();
    channel.eventLoop().execute(() -> near.stopping = true);
    channel.close().addListener(done -> group.shutdownGracefully());
    group.terminationFuture().addListener(done -> closed.complete());
    return closed.future();
  }
}
