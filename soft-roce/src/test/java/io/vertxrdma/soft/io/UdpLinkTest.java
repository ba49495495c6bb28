package io.vertxrdma.soft.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.soft.wire.InvariantCrc;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UdpLinkTest extends UdpLinkFixture {

  @ParameterizedTest
  @EnumSource
  void two_addresses_of_one_host_exchange_packets(Transport transport) throws Exception {
    UdpLink one = open(transport, InetAddress.getByName("127.0.0.1"));
    UdpLink two = open(transport, InetAddress.getByName("127.0.0.2"));
    Inbox inOne = receive(one);
    Inbox inTwo = receive(two);

    ByteBuffer padded = ByteBuffer.allocate(2000).position(100).limit(100 + 1064);
    padded.putInt(100, 1).putInt(1160, 0xCAFE);
    one.send(two.localAddress(), padded);
    one.send(two.localAddress(), packet(2, 12));
    one.flush();
    inTwo.awaitWords(1, 2);
    two.send(one.localAddress(), packet(3, InvariantCrc.MAX_PACKET));
    two.flush();
    inOne.awaitWords(3);

    assertThat(padded.position()).isEqualTo(100);
    assertThat(inTwo.sources).containsOnly(InetAddress.getByName("127.0.0.1"));
    assertThat(inOne.sources).containsOnly(InetAddress.getByName("127.0.0.2"));
    assertThat(inOne.lastPacket.remaining()).isEqualTo(InvariantCrc.MAX_PACKET);
    await().until(() -> inOne.batches.get() > 0);
    assertThat(counters.snapshot()).isEmpty();
    assertThat(one.maxPathMtu()).isEqualTo(4096);
  }

  @ParameterizedTest
  @EnumSource
  void a_thousand_packets_in_bursts_arrive_in_order(Transport transport) {
    UdpLink from = open(transport);
    UdpLink to = open(transport);
    Inbox inbox = receive(to);
    List<Integer> sent = new ArrayList<>();
    for (int burst = 0; burst < 40; burst++) {
      for (int i = 0; i < 25; i++) {
        sent.add(sent.size());
        from.send(to.localAddress(), packet(sent.size() - 1, 1064));
      }
      from.flush();
      await().until(() -> inbox.words.size() == sent.size());
    }
    assertThat(inbox.words).isEqualTo(sent);
  }

  @ParameterizedTest
  @EnumSource
  void what_other_threads_queued_goes_before_what_the_event_loop_sends_later(Transport transport)
      throws Exception {
    UdpLink from = open(transport);
    UdpLink to = open(transport);
    Inbox inbox = receive(to);
    CompletableFuture<Void> onLoop = new CompletableFuture<>();
    Inbox self = new Inbox();
    from.setReceiver(
        new Link.Receiver() {
          @Override
          public void packet(InetAddress source, ByteBuffer packet) {
            self.packet(source, packet);
            from.send(to.localAddress(), UdpLinkFixture.packet(3, 12));
          }

          @Override
          public void batchEnd() {
            onLoop.complete(null);
          }
        });
    from.send(to.localAddress(), packet(1, 12));
    from.send(to.localAddress(), packet(2, 12));
    from.send(from.localAddress(), packet(9, 12));
    from.flush();
    inbox.awaitWords(1, 2, 3);
    onLoop.get(10, TimeUnit.SECONDS);
    assertThat(self.words).containsExactly(9);
  }

  @ParameterizedTest
  @EnumSource
  void packets_of_many_threads_keep_the_order_of_each_thread(Transport transport) throws Exception {
    UdpLink from = open(transport);
    UdpLink to = open(transport);
    Inbox inbox = receive(to);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int base = t * 1000;
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 50; i++) {
                  from.send(to.localAddress(), packet(base + i, 12));
                  from.flush();
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    await().until(() -> inbox.words.size() == 200);
    for (int t = 0; t < 4; t++) {
      int base = t * 1000;
      assertThat(inbox.words.stream().filter(word -> word / 1000 == base / 1000))
          .hasSize(50)
          .isSorted();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_packet_to_the_own_address_arrives_by_a_task_in_order_and_in_one_batch(Transport transport)
      throws Exception {
    UdpLink link = open(transport);
    Inbox inbox = receive(link);
    for (int i = 1; i <= 3; i++) {
      link.send(link.localAddress(), packet(i, 16));
    }
    assertThat(inbox.words).isEmpty();
    link.flush();
    inbox.awaitWords(1, 2, 3);
    await().until(() -> inbox.batches.get() == 1);
    assertThat(inbox.sources).containsOnly(link.localAddress());
    assertThat(inbox.lastPacket.remaining()).isEqualTo(16);
  }

  @ParameterizedTest
  @EnumSource
  void an_endless_conversation_with_oneself_leaves_the_event_loop_its_sockets(Transport transport)
      throws Exception {
    UdpLink talker = open(transport);
    CompletableFuture<Integer> roundsUntilHeard = new CompletableFuture<>();
    try (DatagramSocket stranger = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
      DatagramPacket call = signed(stranger, talker, 0, 1);
      talker.setReceiver(
          new Link.Receiver() {
            private int rounds;

            @Override
            public void packet(InetAddress source, ByteBuffer packet) {
              if (!source.equals(talker.localAddress())) {
                roundsUntilHeard.complete(rounds);
                return;
              }
              try {
                if (rounds++ == 100) {
                  stranger.send(call);
                }
              } catch (java.io.IOException e) {
                roundsUntilHeard.completeExceptionally(e);
              }
              if (!roundsUntilHeard.isDone()) {
                talker.send(talker.localAddress(), packet);
              }
            }

            @Override
            public void batchEnd() {
              talker.flush();
            }
          });
      talker.send(talker.localAddress(), packet(7, 12));
      talker.flush();
      // Netty leaves a task queue that never empties after a second: tens of thousands of rounds.
      assertThat(roundsUntilHeard.get(60, TimeUnit.SECONDS)).isBetween(101, 2_000);
    }
  }

  @Test
  void with_epoll_many_packets_arrive_in_one_read() throws Exception {
    UdpLink from = open(Transport.EPOLL);
    UdpLink to = open(Transport.EPOLL);
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Inbox inbox = new Inbox();
    to.setReceiver(
        new Link.Receiver() {
          @Override
          public void packet(InetAddress source, ByteBuffer packet) {
            inbox.packet(source, packet);
            if (packet.getInt(packet.position()) == 0) {
              blocked.countDown();
              try {
                release.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }
          }

          @Override
          public void batchEnd() {
            inbox.batchEnd();
          }
        });
    from.send(to.localAddress(), packet(0, 12));
    from.flush();
    blocked.await();
    for (int i = 1; i <= 32; i++) {
      from.send(to.localAddress(), packet(i, 12));
    }
    from.flush();
    // The loop of the sender has written all when a later self-addressed packet is there.
    Inbox self = receive(from);
    from.send(from.localAddress(), packet(1, 12));
    from.flush();
    self.awaitWords(1);
    release.countDown();
    await().until(() -> inbox.words.size() == 33);
    // The first read may or may not have gone on to the others.
    await().until(() -> inbox.batches.get() >= 1);
    assertThat(inbox.batches.get()).isLessThanOrEqualTo(4);
  }
}
