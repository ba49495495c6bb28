package io.vertxrdma.soft.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.vertxrdma.soft.SoftCounters;
import io.vertxrdma.soft.wire.InvariantCrc;
import io.vertxrdma.soft.wire.IpPath;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;

/** Links on free loopback addresses, what arrives on them, and the proof that no buffer leaks. */
abstract class UdpLinkFixture {

  /** Looks often, so that tests are quick. */
  static ConditionFactory await() {
    return Awaitility.await().atMost(20, TimeUnit.SECONDS).pollInterval(Duration.ofMillis(2));
  }

  enum Transport {
    EPOLL,
    NIO
  }

  static final int PORT = 47_910;

  final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
  final SplittableRandom random = new SplittableRandom();
  final SoftCounters counters = new SoftCounters();
  final List<UdpLink> links = new ArrayList<>();
  private MultiThreadIoEventLoopGroup group;

  /** What arrived, as (source, first word), and how many reads it took. */
  static final class Inbox implements Link.Receiver {
    final List<InetAddress> sources = new CopyOnWriteArrayList<>();
    final List<Integer> words = new CopyOnWriteArrayList<>();
    final AtomicInteger batches = new AtomicInteger();
    volatile ByteBuffer lastPacket;

    @Override
    public void packet(InetAddress source, ByteBuffer packet) {
      assertThat(packet.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
      lastPacket = ByteBuffer.allocate(packet.remaining()).put(packet.duplicate()).flip();
      sources.add(source);
      words.add(packet.getInt(packet.position()));
    }

    @Override
    public void batchEnd() {
      batches.incrementAndGet();
    }

    void awaitWords(Integer... expected) {
      await().until(() -> words.size() >= expected.length);
      assertThat(words).containsExactly(expected);
    }
  }

  EventLoop loop(Transport transport) {
    if (group == null) {
      IoHandlerFactory factory;
      if (transport == Transport.EPOLL) {
        assumeThat(Epoll.isAvailable()).isTrue();
        factory = EpollIoHandler.newFactory();
      } else {
        factory = NioIoHandler.newFactory();
      }
      group = new MultiThreadIoEventLoopGroup(2, factory);
    }
    return group.next();
  }

  UdpLink open(Transport transport, InetAddress address) {
    UdpLink link = UdpLink.open(loop(transport), address, PORT, counters, allocator);
    links.add(link);
    return link;
  }

  UdpLink open(Transport transport) {
    return open(transport, LoopbackAddresses.free(PORT, random));
  }

  static Inbox receive(Link link) {
    Inbox inbox = new Inbox();
    link.setReceiver(inbox);
    return inbox;
  }

  static ByteBuffer packet(int word, int length) {
    return ByteBuffer.allocate(length).putInt(0, word);
  }

  @AfterEach
  void nothing_is_leaked() throws Exception {
    links.forEach(UdpLink::close);
    for (UdpLink link : links) {
      assertThat(link.awaitClosed(10, TimeUnit.SECONDS)).isTrue();
    }
    if (group != null) {
      group.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }
    assertThat(allocator.metric().usedDirectMemory()).isZero();
  }

  /** A datagram as a kernel would send it that put this identification into the IP header. */
  static DatagramPacket signed(DatagramSocket from, UdpLink to, int id, int word) {
    ByteBuffer packet = packet(word, 32);
    IpPath path = IpPath.of(from.getLocalAddress(), to.localAddress());
    InvariantCrc crc = new InvariantCrc();
    int value = crc.compute(path, from.getLocalPort(), PORT, packet);
    // Linear: what two bytes change is what they change in a message of zeros of the same length.
    int behind = 14 + 8 + 32;
    java.util.zip.CRC32 with = new java.util.zip.CRC32();
    with.update(ByteBuffer.allocate(2 + behind).putShort(0, (short) id).array());
    java.util.zip.CRC32 without = new java.util.zip.CRC32();
    without.update(new byte[2 + behind]);
    value ^= (int) (with.getValue() ^ without.getValue());
    byte[] datagram = new byte[36];
    ByteBuffer.wrap(datagram).put(packet).order(ByteOrder.LITTLE_ENDIAN).putInt(value);
    return new DatagramPacket(
        datagram, datagram.length, new InetSocketAddress(to.localAddress(), PORT));
  }
}
