package io.vertxrdma.soft.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.soft.SoftCounters.Name;
import io.vertxrdma.soft.wire.InvariantCrc;
import io.vertxrdma.soft.wire.IpPath;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UdpLinkSocketTest extends UdpLinkFixture {

  @ParameterizedTest
  @EnumSource
  void a_taken_port_says_who_has_it_and_what_to_do(Transport transport) {
    UdpLink first = open(transport);
    assertThatExceptionOfType(AddressInUseException.class)
        .isThrownBy(() -> open(transport, first.localAddress()))
        .withMessageContaining("Address already in use [EADDRINUSE, errno 98]")
        .withMessageContaining("rdma_rxe")
        .withMessageContaining("native provider")
        .withMessageContaining(first.localAddress().getHostAddress())
        .satisfies(e -> assertThat(e.code()).isEqualTo(98));
  }

  @ParameterizedTest
  @EnumSource
  void an_address_of_another_host_is_refused(Transport transport) throws Exception {
    InetAddress foreign = InetAddress.getByName("192.0.2.1");
    assertThatExceptionOfType(AddressException.class)
        .isThrownBy(() -> open(transport, foreign))
        .withMessageContaining("Cannot assign requested address [EADDRNOTAVAIL, errno 99]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(transport, InetAddress.getByName("0.0.0.0")));
  }

  @ParameterizedTest
  @EnumSource
  void the_port_is_free_again_after_close(Transport transport) throws Exception {
    InetAddress address = LoopbackAddresses.free(PORT, random);
    for (int i = 0; i < 5; i++) {
      UdpLink link = open(transport, address);
      link.send(address, packet(1, 12));
      link.close();
      link.close();
      link.send(address, packet(1, 12));
      link.flush();
      assertThat(link.awaitClosed(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_port_is_free_after_close_however_busy_the_event_loop_is(Transport transport)
      throws Exception {
    SingleThreadEventExecutor loop = (SingleThreadEventExecutor) loop(transport);
    InetAddress address = LoopbackAddresses.free(PORT, random);
    for (int i = 0; i < 20; i++) {
      UdpLink link = UdpLink.open((EventLoop) loop, address, PORT, counters, allocator);
      links.add(link);
      CountDownLatch closing = new CountDownLatch(1);
      // Closing, and whoever waits for it, finds the loop in one long round without its selector.
      loop.execute(() -> awaitUninterruptibly(closing));
      link.close();
      loop.execute(
          () -> {
            while (loop.pendingTasks() == 0) {
              Thread.onSpinWait();
            }
          });
      closing.countDown();
      assertThat(link.awaitClosed(10, TimeUnit.SECONDS)).isTrue();
      try (DatagramSocket other = new DatagramSocket(null)) {
        other.setReuseAddress(false);
        other.bind(new InetSocketAddress(address, PORT));
      }
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_link_opens_and_closes_on_its_own_event_loop_without_waiting(Transport transport)
      throws Exception {
    EventLoop loop = loop(transport);
    for (int i = 0; i < 3; i++) {
      InetAddress address = LoopbackAddresses.free(PORT, random);
      loop.submit(
              () -> {
                UdpLink link = UdpLink.open(loop, address, PORT, counters, allocator);
                link.close();
              })
          .get(10, TimeUnit.SECONDS);
    }
    InetAddress foreign = InetAddress.getByName("192.0.2.1");
    assertThat(
            loop.submit(
                    () -> {
                      try {
                        UdpLink.open(loop, foreign, PORT, counters, allocator);
                        return "opened";
                      } catch (AddressException e) {
                        return e.symbol();
                      }
                    })
                .get(10, TimeUnit.SECONDS))
        .isEqualTo("EADDRNOTAVAIL");
  }

  @Test
  void lengths_that_are_no_packet_are_a_mistake_of_the_caller() {
    UdpLink link = open(Transport.NIO);
    for (int length : new int[] {0, 8, 13, InvariantCrc.MAX_PACKET + 4}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> link.send(link.localAddress(), ByteBuffer.allocate(length)));
    }
  }

  @Test
  void an_event_loop_without_sockets_is_refused_by_name() {
    DefaultEventLoop loop = new DefaultEventLoop();
    try {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> UdpLink.open(loop, LoopbackAddresses.free(PORT, random), PORT, counters))
          .withMessageContaining("DefaultEventLoop");
    } finally {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void ipv6_works_where_the_host_has_it_and_there_is_no_way_to_ipv4(Transport transport)
      throws Exception {
    InetAddress six = InetAddress.getByName("::1");
    try (DatagramSocket probe = new DatagramSocket(0, six)) {
      assertThat(probe.isBound()).isTrue();
    } catch (java.net.SocketException none) {
      assumeThat(none).as("IPv6 on this host").isNull();
    }
    UdpLink link = open(transport, six);
    Inbox inbox = receive(link);
    try (DatagramSocket peer = new DatagramSocket(0, six)) {
      InvariantCrc crc = new InvariantCrc();
      ByteBuffer packet = packet(5, 32);
      int value = crc.compute(IpPath.of(six, six), peer.getLocalPort(), PORT, packet);
      ByteBuffer datagram = ByteBuffer.allocate(36).put(packet);
      datagram.order(ByteOrder.LITTLE_ENDIAN).putInt(value);
      peer.send(new DatagramPacket(datagram.array(), 36, new InetSocketAddress(six, PORT)));
    }
    inbox.awaitWords(5);
    link.send(InetAddress.getByName("127.0.0.1"), packet(1, 12));
    assertThat(counters.get(Name.SEND_ERROR)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void what_nobody_flushes_is_bounded_and_the_rest_dropped_and_counted(Transport transport)
      throws Exception {
    UdpLink from = open(transport);
    UdpLink to = open(transport);
    int tooMany = 2 * UdpLink.BACKLOG / 4096;
    for (int i = 0; i < tooMany; i++) {
      from.send(to.localAddress(), packet(i, 4096));
    }
    assertThat(counters.get(Name.SEND_ERROR)).isGreaterThanOrEqualTo(tooMany / 2);
    assertThat(allocator.metric().usedDirectMemory()).isLessThan(UdpLink.BACKLOG + (1 << 20));
    for (int i = 0; i < tooMany; i++) {
      from.send(from.localAddress(), packet(i, 4096));
    }
    assertThat(counters.get(Name.SEND_ERROR)).isGreaterThanOrEqualTo(tooMany);
    assertThat(allocator.metric().usedDirectMemory()).isLessThan(2 * UdpLink.BACKLOG + (1 << 20));
  }

  @ParameterizedTest
  @EnumSource
  void what_was_sent_before_close_still_goes_out(Transport transport) throws Exception {
    UdpLink to = open(transport);
    Inbox inbox = receive(to);
    UdpLink other = open(transport);
    other.send(to.localAddress(), packet(1, 12));
    other.close();
    inbox.awaitWords(1);
    EventLoop loop = loop(transport);
    InetAddress address = LoopbackAddresses.free(PORT, random);
    loop.submit(
            () -> {
              UdpLink own = UdpLink.open(loop, address, PORT, counters, allocator);
              own.send(to.localAddress(), packet(2, 12));
              own.close();
            })
        .get(10, TimeUnit.SECONDS);
    inbox.awaitWords(1, 2);
  }

  @Test
  void an_event_loop_that_ended_leaves_a_link_that_swallows_everything() throws Exception {
    MultiThreadIoEventLoopGroup shortLived = new MultiThreadIoEventLoopGroup(1, IoHandlers.best());
    UdpLink link =
        UdpLink.open(
            shortLived.next(), LoopbackAddresses.free(PORT, random), PORT, counters, allocator);
    // With a quiet period of 0 Netty may end without closing what is registered.
    shortLived.shutdownGracefully(10, 5_000, TimeUnit.MILLISECONDS).sync();
    InetAddress peer = InetAddress.getByName("127.0.0.1");
    link.send(peer, packet(1, 12));
    link.send(link.localAddress(), packet(1, 12));
    link.flush();
    link.close();
    assertThat(link.awaitClosed(10, TimeUnit.SECONDS)).isTrue();
  }
}
