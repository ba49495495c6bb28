package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.AddressHandleAttributes;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.core.ConnectTimeoutException;
import io.vertxrdma.core.FlushedException;
import io.vertxrdma.core.LookupRejectedException;
import io.vertxrdma.core.UdParam;
import io.vertxrdma.reactive.Datagram;
import io.vertxrdma.reactive.DatagramPeer;
import io.vertxrdma.reactive.DatagramRequest;
import io.vertxrdma.reactive.RdmaDatagramOptions;
import io.vertxrdma.reactive.RdmaDatagramSocket;
import io.vertxrdma.reactive.ReceivedDatagram;
import io.vertxrdma.reactive.RegisteredBuffer;
import io.vertxrdma.reactive.WorkRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Datagram sockets: finding each other, sending, receiving at the subscriber's pace, losing. */
class DatagramsContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();

  /** What a datagram brought. */
  private record Seen(String text, long immediate, DatagramPeer sender) {}

  private RdmaDatagramSocket listening(RdmaDatagramOptions options) {
    RdmaDatagramSocket socket = rig.datagramSocket(options);
    return rig.await(socket.listen(0, rig.address()));
  }

  private DatagramPeer lookup(RdmaDatagramSocket from, RdmaDatagramSocket service) {
    return rig.await(from.lookup(service.actualPort(), rig.address()));
  }

  private RegisteredBuffer text(RdmaDatagramSocket socket, String text) {
    return rig.await(socket.memory().copyOf(Buffer.buffer(text)));
  }

  /** Takes all that comes, with its sender. */
  private static BlockingQueue<Seen> seen(RdmaDatagramSocket socket) {
    BlockingQueue<Seen> all = new LinkedBlockingQueue<>();
    socket
        .datagramStream()
        .handler(
            datagram -> {
              long immediate = datagram.hasImmediate() ? datagram.immediate() : -1;
              Future<DatagramPeer> sender = datagram.sender();
              String text = datagram.take().toString();
              sender.onSuccess(peer -> all.add(new Seen(text, immediate, peer)));
            });
    return all;
  }

  private static Seen next(BlockingQueue<Seen> seen) throws InterruptedException {
    Seen next = seen.poll(ContractRig.TIMEOUT_SECONDS, TimeUnit.SECONDS);
    assertThat(next).as("a datagram").isNotNull();
    return next;
  }

  private static byte[] padded(String text, int length) {
    return Buffer.buffer(text).appendBytes(new byte[length - text.length()]).getBytes();
  }

  @Test
  void datagrams_go_both_ways_with_immediates_and_an_answer_finds_the_sender() throws Exception {
    RdmaDatagramSocket service = listening(new RdmaDatagramOptions());
    RdmaDatagramSocket client = rig.datagramSocket(new RdmaDatagramOptions());
    BlockingQueue<Seen> asked = seen(service);
    BlockingQueue<Seen> answered = seen(client);

    DatagramPeer peer = lookup(client, service);

    assertThat(peer.queuePairNumber()).isEqualTo(service.queuePairNumber());
    assertThat(peer.queueKey()).isEqualTo(UdParam.DEFAULT_QUEUE_KEY);
    assertThat(peer.serviceAddress().port()).isEqualTo(service.actualPort());
    rig.await(client.send(text(client, "plain"), peer));
    rig.await(client.sendWithImmediate(text(client, "numbered"), peer, 0xFEDC_BA98L));
    rig.await(client.sendImmediate(peer, 7));
    Seen plain = next(asked);
    assertThat(plain.text()).isEqualTo("plain");
    assertThat(plain.immediate()).isEqualTo(-1);
    assertThat(plain.sender().queuePairNumber()).isEqualTo(client.queuePairNumber());
    Seen numbered = next(asked);
    assertThat(numbered.text()).isEqualTo("numbered");
    assertThat(numbered.immediate()).isEqualTo(0xFEDC_BA98L);
    assertThat(numbered.sender()).as("one way back for all").isSameAs(plain.sender());
    Seen alone = next(asked);
    assertThat(alone.text()).isEmpty();
    assertThat(alone.immediate()).isEqualTo(7);

    rig.await(service.sendWithImmediate(text(service, "answer"), plain.sender(), 8));
    Seen answer = next(answered);
    assertThat(answer.text()).isEqualTo("answer");
    assertThat(answer.immediate()).isEqualTo(8);
    assertThat(answer.sender().queuePairNumber()).isEqualTo(service.queuePairNumber());
    assertThat(client.counters().sendsCompleted()).isEqualTo(3);
    assertThat(service.counters().datagramsReceived()).isEqualTo(3);
  }

  @Test
  void one_socket_has_many_peers_and_several_look_it_up() throws Exception {
    RdmaDatagramSocket hub = listening(new RdmaDatagramOptions());
    BlockingQueue<Seen> asked = seen(hub);
    List<RdmaDatagramSocket> members = new ArrayList<>();
    List<BlockingQueue<Seen>> told = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      RdmaDatagramSocket member = listening(new RdmaDatagramOptions());
      members.add(member);
      told.add(seen(member));
    }

    List<Datagram> round = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      RdmaDatagramSocket member = members.get(i);
      DatagramPeer toHub = lookup(member, hub);
      rig.await(member.sendImmediate(toHub, i));
      assertThat(next(asked).sender().queuePairNumber()).isEqualTo(member.queuePairNumber());
      DatagramPeer toMember = lookup(hub, member);
      round.add(
          new Datagram(
              WorkRequest.sendWithImmediate(100 + i, text(hub, "to " + i).all()), toMember));
    }
    hub.postAll(round).forEach(rig::await);

    for (int i = 0; i < members.size(); i++) {
      Seen one = next(told.get(i));
      assertThat(one.text()).isEqualTo("to " + i);
      assertThat(one.immediate()).isEqualTo(100 + i);
      assertThat(told.get(i)).as("nothing of the others").isEmpty();
    }
    assertThat(hub.counters().peers()).as("four looked up, four that sent").isEqualTo(8);
  }

  @Test
  void more_senders_than_are_kept_can_still_be_answered() throws Exception {
    RdmaDatagramSocket hub = listening(new RdmaDatagramOptions().setMaxSenders(1));
    BlockingQueue<Seen> asked = seen(hub);
    List<DatagramPeer> senders = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      RdmaDatagramSocket member = rig.datagramSocket(new RdmaDatagramOptions());
      BlockingQueue<Seen> told = seen(member);
      rig.await(member.sendImmediate(lookup(member, hub), i));
      DatagramPeer sender = next(asked).sender();
      rig.await(hub.sendImmediate(sender, 10 + i));
      assertThat(next(told).immediate()).isEqualTo(10 + i);
      senders.add(sender);
    }
    assertThat(senders.get(0).isClosed()).isTrue();
    assertThat(senders.get(2).isClosed()).isFalse();
    assertThatThrownBy(() -> hub.sendImmediate(senders.get(0), 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("peer is closed");
  }

  @Test
  void a_peer_can_be_made_by_hand() throws Exception {
    RdmaDatagramSocket receiver = rig.datagramSocket(new RdmaDatagramOptions());
    rig.await(receiver.bind(rig.address()));
    BlockingQueue<Seen> seen = seen(receiver);
    RdmaDatagramSocket sender = rig.datagramSocket(new RdmaDatagramOptions());
    InetAddress address = ip(rig.address());
    assertThatThrownBy(() -> sender.peer(address, 1, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("bind");
    rig.await(sender.bind(rig.address()));

    int number = receiver.queuePairNumber();
    DatagramPeer byAddress = rig.await(sender.peer(address, number, UdParam.DEFAULT_QUEUE_KEY));
    rig.await(sender.sendImmediate(byAddress, 1));
    assertThat(next(seen).immediate()).isEqualTo(1);
    rig.await(byAddress.close());

    DatagramPeer wrongKey = rig.await(sender.peer(address, number, 1));
    rig.await(sender.sendImmediate(wrongKey, 2));
    int gid = rig.isNative() ? nativeGid() : 0;
    DatagramPeer byPath =
        rig.await(
            sender.peer(
                new UdParam(
                    AddressHandleAttributes.toAddress(address, gid, 1),
                    number,
                    UdParam.DEFAULT_QUEUE_KEY)));
    rig.await(sender.sendImmediate(byPath, 3));
    assertThat(next(seen).immediate()).as("after one with the wrong key").isEqualTo(3);
    assertThatThrownBy(() -> sender.peer(address, 1 << 24, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("16777215");
    assertThatThrownBy(() -> receiver.sendImmediate(byPath, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another datagram socket");
  }

  /** The entry of the GID table that has the address. */
  private int nativeGid() {
    return rig.device().addresses(1).indexOf(ip(rig.address()));
  }

  private static InetAddress ip(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Test
  void private_data_goes_with_the_lookup_and_with_both_answers() {
    RdmaDatagramSocket service = rig.datagramSocket(new RdmaDatagramOptions());
    BlockingQueue<DatagramRequest> requests = new LinkedBlockingQueue<>();
    service.requestHandler(
        request -> {
          requests.add(request);
          if (request.privateData().toString().startsWith("friend")) {
            request.accept(Buffer.buffer("welcome"));
          } else {
            request.reject(Buffer.buffer("members only"));
          }
        });
    rig.await(service.listen(0, rig.address()));
    RdmaDatagramSocket client = rig.datagramSocket(new RdmaDatagramOptions());

    DatagramPeer peer =
        rig.await(client.lookup(service.actualPort(), rig.address(), Buffer.buffer("friend")));
    assertThat(peer.privateData().getBytes()).isEqualTo(padded("welcome", 136));
    DatagramRequest request = requests.remove();
    assertThat(request.privateData().getBytes()).isEqualTo(padded("friend", 180));
    assertThat(request.isAnswered()).isTrue();
    assertThatThrownBy(request::reject).isInstanceOf(IllegalStateException.class);

    Throwable refused =
        rig.awaitFailure(
            client.lookup(service.actualPort(), rig.address(), Buffer.buffer("stranger")));
    assertThat(refused)
        .isInstanceOfSatisfying(
            LookupRejectedException.class,
            rejected -> {
              assertThat(rejected.status()).isEqualTo(LookupRejectedException.REJECTED);
              assertThat(rejected.privateData()).isEqualTo(padded("members only", 136));
            });
    assertThatThrownBy(() -> requests.remove().accept(Buffer.buffer(new byte[137])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("136");
    assertThat(
            rig.awaitFailure(
                client.lookup(service.actualPort(), rig.address(), Buffer.buffer(new byte[181]))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("180");
  }

  @Test
  void a_service_that_is_not_there_says_so_and_silence_ends_with_the_deadline() {
    RdmaDatagramSocket client =
        rig.datagramSocket(
            new RdmaDatagramOptions().setLookupTimeout(1_500).setResolveTimeout(60_000));
    int port = listening(new RdmaDatagramOptions()).actualPort();
    int nobody = port == 65_535 ? port - 1 : port + 1;
    assertThat(rig.awaitFailure(client.lookup(nobody, rig.address())))
        .isInstanceOfSatisfying(
            LookupRejectedException.class,
            rejected ->
                assertThat(rejected.status()).isEqualTo(LookupRejectedException.NO_SERVICE));
    assertThat(rig.awaitFailure(client.lookup(port, rig.silentAddress())))
        .isInstanceOf(ConnectTimeoutException.class)
        .hasMessageContaining("1500 ms");
  }

  @Test
  void requests_beyond_those_that_may_wait_are_rejected_and_the_close_rejects_the_rest() {
    RdmaDatagramSocket service =
        rig.datagramSocket(new RdmaDatagramOptions().setMaxPendingRequests(1));
    Promise<DatagramRequest> held = Promise.promise();
    service.requestHandler(held::complete);
    rig.await(service.listen(0, rig.address()));
    int port = service.actualPort();
    RdmaDatagramSocket client = rig.datagramSocket(new RdmaDatagramOptions());
    Future<DatagramPeer> first = client.lookup(port, rig.address());
    DatagramRequest request = rig.await(held.future());

    assertThat(rig.awaitFailure(client.lookup(port, rig.address())))
        .isInstanceOf(LookupRejectedException.class);
    assertThat(request.isAnswered()).isFalse();
    rig.await(service.close());
    assertThat(rig.awaitFailure(first)).isInstanceOf(LookupRejectedException.class);
    assertThat(request.isAnswered()).isTrue();
  }

  @Test
  void a_datagram_as_long_as_the_mtu_arrives_and_a_longer_one_is_refused_at_once()
      throws Exception {
    RdmaDatagramSocket service = listening(new RdmaDatagramOptions());
    BlockingQueue<Seen> seen = seen(service);
    RdmaDatagramSocket client = rig.datagramSocket(new RdmaDatagramOptions());
    DatagramPeer peer = lookup(client, service);
    int most = client.maxDatagramSize();
    assertThat(most).isEqualTo(rig.device().queryPort(1).activeMtu());
    RegisteredBuffer bytes = text(client, "m".repeat(most + 1));

    assertThatThrownBy(() -> client.send(bytes, peer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most " + most + " bytes")
        .hasMessageContaining("has " + (most + 1));
    assertThatThrownBy(() -> client.post(WorkRequest.write(null), peer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("RDMA_WRITE");

    rig.await(client.send(bytes.slice(1, most), peer));
    assertThat(next(seen).text()).isEqualTo("m".repeat(most));
  }

  @Test
  void of_more_datagrams_than_receives_those_delivered_are_intact_in_order_and_asked_for()
      throws Exception {
    int receives = 8;
    int sent = 100;
    RdmaDatagramSocket service = listening(new RdmaDatagramOptions().setReceiveDepth(receives));
    List<ReceivedDatagram> got = new CopyOnWriteArrayList<>();
    Promise<Subscription> subscribed = Promise.promise();
    service.datagrams().subscribe(collector(got, subscribed));
    Subscription demand = rig.await(subscribed.future());
    RdmaDatagramSocket client = rig.datagramSocket(new RdmaDatagramOptions().setSendDepth(16));
    DatagramPeer peer = lookup(client, service);
    demand.request(3);

    List<Datagram> burst = new ArrayList<>();
    for (int i = 0; i < sent; i++) {
      burst.add(
          new Datagram(
              WorkRequest.sendWithImmediate(i, text(client, "datagram " + i).all()), peer));
    }
    // More than the send queue holds: they wait, none fails.
    client.postAll(burst).forEach(rig::await);

    rig.until("three are here", () -> got.size() >= 3);
    rig.until("the receives are used up", () -> service.counters().receivesPosted() == 0);
    assertThat(got).as("never more than asked for").hasSize(3);
    assertThat(service.counters().datagramsReceived())
        .as("as many as there were receives: none was released")
        .isEqualTo(receives);
    assertThat(service.counters().receivesExhausted()).isEqualTo(1);
    assertThat(got.get(0).byteBuffer().remaining()).as("not released").isEqualTo(10);

    demand.request(Long.MAX_VALUE);
    rig.until("the rest is here", () -> got.size() >= receives);
    assertIntact(got, LongStream.range(0, receives).boxed().toList());

    got.forEach(ReceivedDatagram::release);
    rig.until("posted again", () -> service.counters().receivesPosted() > receives / 2);
    got.clear();
    rig.await(client.sendWithImmediate(text(client, "datagram 777"), peer, 777));
    rig.until("one more", () -> got.size() == 1);
    assertIntact(got, List.of(777L));
  }

  private static Subscriber<ReceivedDatagram> collector(
      List<ReceivedDatagram> got, Promise<Subscription> subscribed) {
    return new Subscriber<>() {
      @Override
      public void onSubscribe(Subscription subscription) {
        subscribed.complete(subscription);
      }

      @Override
      public void onNext(ReceivedDatagram datagram) {
        got.add(datagram);
      }

      @Override
      public void onError(Throwable failure) {
        throw new AssertionError(failure);
      }

      @Override
      public void onComplete() {}
    };
  }

  private static void assertIntact(List<ReceivedDatagram> got, List<Long> numbers) {
    assertThat(got.stream().map(ReceivedDatagram::immediate)).isEqualTo(numbers);
    for (ReceivedDatagram datagram : got) {
      byte[] bytes = new byte[datagram.length()];
      datagram.byteBuffer().get(bytes);
      assertThat(new String(bytes)).isEqualTo("datagram " + datagram.immediate());
    }
  }

  @Test
  void a_close_ends_everything_once() {
    RdmaDatagramSocket service = listening(new RdmaDatagramOptions().setReceiveDepth(4));
    RdmaDatagramSocket client =
        rig.datagramSocket(new RdmaDatagramOptions().setSendDepth(1).setLookupTimeout(60_000));
    lookup(client, service);
    RegisteredBuffer bytes = text(client, "late");
    Promise<Long> ended = Promise.promise();
    client.datagrams().count().subscribe(ended::complete, ended::fail);
    Future<DatagramPeer> asking = client.lookup(service.actualPort(), rig.silentAddress());
    List<Future<Void>> sends = new CopyOnWriteArrayList<>();
    // In one turn of the loop: none of them has left.
    Future<DatagramPeer> closing =
        client
            .lookup(service.actualPort(), rig.address())
            .compose(
                peer -> {
                  for (int i = 0; i < 20; i++) {
                    sends.add(client.send(bytes, peer));
                  }
                  return client.close().map(peer);
                });

    DatagramPeer peer = rig.await(closing);
    assertThat(client.close().isComplete()).isTrue();
    assertThat(asking.failed()).isTrue();
    assertThat(sends)
        .hasSize(20)
        .allSatisfy(send -> assertThat(send.cause()).isInstanceOf(FlushedException.class));
    assertThat(peer.isClosed()).isTrue();
    assertThat(rig.await(ended.future())).isZero();
    assertThatThrownBy(() -> client.send(bytes, peer))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> client.lookup(1, rig.address()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_shutdown_sends_what_is_under_way() throws Exception {
    RdmaDatagramSocket service = listening(new RdmaDatagramOptions());
    BlockingQueue<Seen> seen = seen(service);
    RdmaDatagramSocket client = rig.datagramSocket(new RdmaDatagramOptions().setSendDepth(1));
    DatagramPeer peer = lookup(client, service);
    List<Future<Void>> sends = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      sends.add(client.sendImmediate(peer, i));
    }
    rig.await(client.shutdown());
    assertThat(sends).allSatisfy(send -> assertThat(send.succeeded()).isTrue());
    for (int i = 0; i < 20; i++) {
      assertThat(next(seen).immediate()).isEqualTo(i);
    }
  }

  @Test
  void a_port_is_taken_once_and_a_socket_listens_once_on_an_address_of_a_device() {
    RdmaDatagramSocket service = listening(new RdmaDatagramOptions());
    assertThatThrownBy(() -> service.listen(0, rig.address()))
        .isInstanceOf(IllegalStateException.class);
    RdmaDatagramSocket second = rig.datagramSocket(new RdmaDatagramOptions());
    assertThat(rig.awaitFailure(second.listen(service.actualPort(), rig.address())))
        .isInstanceOf(AddressInUseException.class);
    assertThat(rig.awaitFailure(second.listen(0, "0.0.0.0")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.0.0.0");
    rig.await(second.listen(0, rig.address()));
    assertThat(second.actualPort()).isNotZero();
  }
}
