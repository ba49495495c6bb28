package io.vertxrdma.soft.io;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.SoftCounters.Name;
import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.InvariantCrc;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link over a UDP socket of one local address, on an event loop that may belong to others too.
 *
 * <p>Packets are copied and queued on the calling thread; CRC and socket belong to the event loop,
 * which is woken once per flush. What the socket doesn't take in time is dropped beyond a bound.
 *
 * <p>To talk to a kernel peer takes an epoll event loop. On NIO the CRC over the IPv4
 * identification is right with JDK 19 or newer only, and IPv6 datagrams of rxe, which have no UDP
 * checksum, don't get through. Soft peers don't mind any of this.
 */
public final class UdpLink implements CorruptibleLink {

  /** The port of RoCEv2. */
  public static final int PORT = 4791;

  private static final Logger log = LoggerFactory.getLogger(UdpLink.class);

  /** Bytes that may wait in each of: queue of other threads, socket, self-addressed. */
  static final int BACKLOG = 8 << 20;

  /** Self-addressed rounds in a row before sockets get their turn. */
  private static final int ROUNDS = 16;

  private final EventLoop loop;
  private final InetAddress local;
  private final int port;
  private final int maxPathMtu;
  private final SoftCounters counters;
  private final CrcSeal seal;
  private final PacketQueue outgoing = new PacketQueue(BACKLOG);
  private final LoopbackQueue toSelf;
  private final AtomicBoolean flushScheduled = new AtomicBoolean();
  private final AtomicBoolean selfScheduled = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Runnable flushTask = this::flushOnLoop;
  private final Runnable selfTask = this::deliverSelf;
  private final DatagramChannel channel;
  private final ByteBufAllocator allocator;
  private volatile Receiver receiver;

  // Event loop only.
  private boolean written;
  private boolean inBatch;
  private int rounds;
  private boolean sendErrorLogged;

  private UdpLink(
      EventLoop loop,
      InetAddress local,
      int port,
      SoftCounters counters,
      ByteBufAllocator allocator) {
    if (local.isAnyLocalAddress() || local.isMulticastAddress()) {
      throw new IllegalArgumentException(
          "a soft device has one address of its own, not " + local.getHostAddress());
    }
    this.loop = loop;
    this.local = local;
    this.port = port;
    this.counters = counters;
    this.maxPathMtu = InterfaceMtu.pathMtu(local);
    this.seal = new CrcSeal(local, port, counters);
    this.channel = DatagramSockets.open(loop, local, port, BACKLOG, new Handler());
    this.allocator = allocator == null ? channel.alloc() : allocator;
    this.toSelf = new LoopbackQueue(this.allocator, BACKLOG);
  }

  /**
   * Opens the link of a local address on port 4791.
   *
   * @throws io.vertxrdma.core.AddressInUseException when somebody has the port, on this address or
   *     on all
   * @throws io.vertxrdma.core.AddressException when the address is not one of this host
   */
  public static UdpLink open(EventLoop loop, InetAddress local, SoftCounters counters) {
    return open(loop, local, PORT, counters);
  }

  /** The same on another port, which all who talk to each other must share. */
  public static UdpLink open(EventLoop loop, InetAddress local, int port, SoftCounters counters) {
    return open(loop, local, port, counters, null);
  }

  static UdpLink open(
      EventLoop loop,
      InetAddress local,
      int port,
      SoftCounters counters,
      ByteBufAllocator allocator) {
    return new UdpLink(loop, local, port, counters, allocator);
  }

  @Override
  public InetAddress localAddress() {
    return local;
  }

  /** The socket; for tests. */
  DatagramChannel channel() {
    return channel;
  }

  /** Addresses whose headers are kept; for tests. */
  int rememberedAddresses() {
    return seal.rememberedAddresses();
  }

  /** The port, here and at every peer. */
  public int port() {
    return port;
  }

  @Override
  public int maxPathMtu() {
    return maxPathMtu;
  }

  @Override
  public void setReceiver(Receiver receiver) {
    this.receiver = receiver;
  }

  @Override
  public void send(InetAddress destination, ByteBuffer packet) {
    send(destination, packet, CrcSeal.INTACT);
  }

  @Override
  public void sendCorrupted(InetAddress destination, ByteBuffer packet, int bit) {
    send(destination, packet, bit & Integer.MAX_VALUE);
  }

  private void send(InetAddress destination, ByteBuffer packet, int corruptBit) {
    int length = packet.remaining();
    if (length < Headers.BTH_LENGTH || length > InvariantCrc.MAX_PACKET || (length & 3) != 0) {
      throw new IllegalArgumentException("no packet has " + length + " bytes");
    }
    if (destination.getClass() != local.getClass()) {
      counters.increment(Name.SEND_ERROR); // no way from IPv4 to IPv6
      return;
    }
    if (destination.equals(local)) {
      sendToSelf(packet, corruptBit);
      return;
    }
    int at = packet.position();
    ByteBuf copy = allocator.directBuffer(length + InvariantCrc.LENGTH);
    copy.writeBytes(packet);
    packet.position(at);
    if (loop.inEventLoop()) {
      writeQueued(); // what other threads sent before goes first
      write(destination, copy, corruptBit);
      return;
    }
    if (!outgoing.offer(new PacketQueue.Item(destination, copy, corruptBit))) {
      drop(copy);
    }
  }

  private void sendToSelf(ByteBuffer packet, int corruptBit) {
    if (corruptBit != CrcSeal.INTACT) {
      counters.increment(Name.DROP_BAD_ICRC); // what would happen to it on the other way in
    } else if (!toSelf.offer(packet)) {
      counters.increment(Name.SEND_ERROR);
    }
  }

  private void drop(ByteBuf packet) {
    packet.release();
    counters.increment(Name.SEND_ERROR);
  }

  private void writeQueued() {
    if (outgoing.isWaiting()) {
      ArrayDeque<PacketQueue.Item> items = outgoing.take();
      for (PacketQueue.Item item = items.poll(); item != null; item = items.poll()) {
        write(item.destination(), item.bytes(), item.corruptBit());
      }
    }
  }

  private void write(InetAddress destination, ByteBuf packet, int corruptBit) {
    if (!channel.isActive() || !channel.isWritable()) {
      drop(packet);
      return;
    }
    channel.write(seal.seal(destination, packet, corruptBit), channel.voidPromise());
    written = true;
  }

  @Override
  public void flush() {
    boolean onLoop = loop.inEventLoop();
    if (onLoop && inBatch) {
      return; // at the end of the batch, for all its packets
    }
    if (onLoop) {
      flushOnLoop();
      schedule(false);
    } else {
      schedule(outgoing.isWaiting());
    }
  }

  private void schedule(boolean toSocket) {
    try {
      if (toSocket && flushScheduled.compareAndSet(false, true)) {
        loop.execute(flushTask);
      }
      if (toSelf.isWaiting() && selfScheduled.compareAndSet(false, true)) {
        scheduleSelf();
      }
    } catch (RejectedExecutionException e) {
      log.debug("event loop of {} has ended", local.getHostAddress());
      releaseQueues();
    }
  }

  private void flushOnLoop() {
    flushScheduled.set(false);
    writeQueued();
    if (written) {
      written = false;
      channel.flush();
    }
  }

  /**
   * Two queue pairs that answer each other here would keep the event loop among its tasks for long.
   * A scheduled task, unlike an executed one, waits until sockets were looked at.
   */
  private void scheduleSelf() {
    if (loop.inEventLoop() && ++rounds >= ROUNDS) {
      rounds = 0;
      loop.schedule(selfTask, 0, TimeUnit.NANOSECONDS);
    } else {
      loop.execute(selfTask);
    }
  }

  private void deliverSelf() {
    selfScheduled.set(false);
    ByteBuf packets = toSelf.take();
    if (packets != null) {
      inBatch = true;
      try {
        deliverAll(packets.internalNioBuffer(0, packets.writerIndex()));
      } finally {
        toSelf.giveBack(packets);
      }
    }
    endBatch();
  }

  private void deliverAll(ByteBuffer packets) {
    int end = packets.limit();
    for (int at = packets.position(); at < end; ) {
      int from = at + Integer.BYTES;
      at = from + packets.limit(end).getInt(at);
      deliver(local, packets.limit(at).position(from));
    }
  }

  private void deliver(InetAddress source, ByteBuffer packet) {
    Receiver to = receiver;
    if (to == null || closed.get()) {
      return;
    }
    try {
      to.packet(source, packet);
    } catch (RuntimeException e) {
      counters.increment(Name.DROP_OTHER);
      log.error("a packet from {} was too much", source.getHostAddress(), e);
    }
  }

  private void endBatch() {
    Receiver to = receiver;
    if (inBatch && to != null && !closed.get()) {
      try {
        to.batchEnd();
      } catch (RuntimeException e) {
        log.error("after the packets of one read", e);
      }
    }
    inBatch = false;
    // After the tasks that the batch has led to: what these send then shares a system call with the
    // acknowledgements of the batch.
    schedule(written || outgoing.isWaiting());
  }

  /**
   * {@inheritDoc} What was sent before still goes to the socket. On another thread than the event
   * loop's this returns before the socket closed.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      if (loop.inEventLoop()) {
        closeOnLoop();
      } else {
        loop.execute(this::closeOnLoop);
      }
    } catch (RejectedExecutionException e) {
      releaseQueues(); // the event loop closed the socket when it ended
    }
  }

  private void closeOnLoop() {
    flushOnLoop();
    channel.close();
    releaseQueues();
  }

  /**
   * Waits until the socket is closed and its port free; not on the event loop, and not with a lock
   * that the receiver wants.
   *
   * @return false when the time was not enough
   */
  public boolean awaitClosed(long time, TimeUnit unit) throws InterruptedException {
    long until = System.nanoTime() + unit.toNanos(time);
    if (!channel.closeFuture().await(time, unit)) {
      return false;
    }
    return FreedPort.await(loop, Math.max(1, until - System.nanoTime()));
  }

  private void releaseQueues() {
    outgoing.close();
    toSelf.close();
  }

  /** Takes what the socket has. */
  private final class Handler extends ChannelInboundHandlerAdapter {

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      DatagramPacket datagram = (DatagramPacket) message;
      inBatch = true;
      try {
        ByteBuffer packet = seal.open(datagram.sender(), datagram.content());
        if (packet != null) {
          deliver(datagram.sender().getAddress(), packet);
        }
      } finally {
        datagram.release();
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      endBatch();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      closed.set(true);
      releaseQueues();
    }

    /** Failed writes come here: no route, refused by a firewall, longer than the interface. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (closed.get()) {
        return;
      }
      counters.increment(Name.SEND_ERROR);
      if (!sendErrorLogged) {
        sendErrorLogged = true;
        log.warn(
            "socket {} port {} (logged once, then counted): {}",
            local.getHostAddress(),
            port,
            cause.toString());
      }
    }
  }
}
