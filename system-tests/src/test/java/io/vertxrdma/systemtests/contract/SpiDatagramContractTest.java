package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.QueuePairState;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.UdParam;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.core.WorkCompletions;
import io.vertxrdma.systemtests.contract.DatagramEnd.Arrived;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unreliable datagrams straight on the SPI: finding a service, sending, receiving, losing. */
@SuppressWarnings("try") // what is closed may say that it was interrupted
class SpiDatagramContractTest {

  private static final int EINVAL = Errno.EINVAL.number();

  @RegisterExtension final ContractRig rig = new ContractRig();
  private DatagramRig spi;

  @BeforeEach
  void listen() {
    spi = new DatagramRig(rig.provider(), rig.address());
  }

  @AfterEach
  void close() throws Exception {
    spi.close();
  }

  private static InetAddress ip(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] padded(int length, int... values) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  @Test
  void a_service_tells_its_queue_pair_and_private_data_goes_both_ways() {
    DatagramEnd client = spi.client(spi.port());
    CmEvent request = spi.request(client, (byte) 1, (byte) 2);
    assertThat(request.privateData()).isEqualTo(padded(180, 1, 2));
    assertThat(request.listener()).isSameAs(spi.listener);
    assertThat(request.udParam()).isNull();
    DatagramEnd server = spi.closing(new DatagramEnd(request.id()));
    request.id().accept(DatagramRig.data((byte) 3, (byte) 4));

    CmEvent established = spi.nextOfClients(CmEventType.ESTABLISHED);
    assertThat(established.status()).isZero();
    assertThat(established.privateData()).isEqualTo(padded(136, 3, 4));
    UdParam peer = established.udParam();
    assertThat(peer.queuePairNumber()).isEqualTo(server.queuePair.number());
    assertThat(established.parameters().queuePairNumber()).isEqualTo(server.queuePair.number());
    assertThat(peer.queueKey()).isEqualTo(UdParam.DEFAULT_QUEUE_KEY);
    assertThat(peer.address().destination()).isEqualTo(ip(rig.address()));
    assertThat(peer.address().port()).isEqualTo(client.id.port());
    assertThat(spi.isQuiet()).as("neither side hears more").isTrue();
  }

  @Test
  void one_queue_pair_of_a_bound_id_answers_several_requests_and_asks_without_one() {
    DatagramEnd service = spi.bound();
    DatagramEnd asking = spi.bound();
    for (int i = 1; i <= 2; i++) {
      CmEvent request = spi.request(spi.resolved(spi.port()), (byte) i);
      assertThat(request.privateData()[0]).isEqualTo((byte) i);
      assertThatThrownBy(() -> request.id().accept(ConnParam.ZERO))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no queue pair");
      request.id().accept(new ConnParam(null, 0, 0, 0, 0, 0, false, service.queuePair.number()));
      UdParam peer = spi.nextOfClients(CmEventType.ESTABLISHED).udParam();
      assertThat(peer.queuePairNumber()).isEqualTo(service.queuePair.number());
      assertThat(peer.queueKey()).isEqualTo(UdParam.DEFAULT_QUEUE_KEY);
      service.receive(i, 64);
      asking.send("hello " + i, asking.handle(peer), peer);
      Arrived arrived = service.arrived();
      assertThat(arrived.text()).isEqualTo("hello " + i);
      assertThat(arrived.source()).isEqualTo(asking.queuePair.number());
    }
  }

  @Test
  void a_completion_that_was_kept_leads_back_after_the_next_poll() throws Exception {
    DatagramRig.Pair pair = spi.pair();
    AddressHandle there = pair.client().handle(pair.peer());
    pair.server().receive(1, 64);
    pair.client().send("first", there, pair.peer());
    Arrived first = pair.server().arrived();
    WorkCompletions kept = pair.server().keep();
    pair.server().receive(2, 64);
    pair.client().send("second", there, pair.peer());
    assertThat(pair.server().arrived().text()).isEqualTo("second");

    assertThat(kept.workRequestId(2)).isEqualTo(1);
    assertThat(kept.sourceQueuePair(2)).isEqualTo(pair.client().queuePair.number());
    pair.client().receive(3, 64);
    try (AddressHandle back = pair.server().back(first, kept, 2)) {
      pair.server()
          .send(SendOpcode.SEND, 0, "back", back, first.source(), UdParam.DEFAULT_QUEUE_KEY);
      assertThat(pair.client().arrived().text()).isEqualTo("back");
    }
  }

  @Test
  void a_service_that_rejects_is_unreachable_with_status_2_and_says_why() {
    CmEvent request = spi.request(spi.client(spi.port()));
    request.id().reject(new byte[] {7});
    CmEvent refused = spi.nextOfClients(CmEventType.UNREACHABLE);
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.privateData()).isEqualTo(padded(136, 7));
    assertThat(refused.udParam()).isNull();
  }

  @Test
  void a_request_destroyed_without_an_answer_is_a_rejected_one() {
    CmEvent request = spi.request(spi.client(spi.port()));
    request.id().close();
    assertThat(spi.nextOfClients(CmEventType.UNREACHABLE).status()).isEqualTo(2);
  }

  @Test
  void a_service_that_is_not_there_is_unreachable_with_status_1() {
    DatagramEnd client = spi.client(spi.port());
    spi.listener.close();
    client.id.connect(ConnParam.ZERO);
    assertThat(spi.nextOfClients(CmEventType.UNREACHABLE).status()).isEqualTo(1);
  }

  @Test
  void private_data_beyond_the_limits_of_datagram_ids_is_refused() {
    DatagramEnd client = spi.client(spi.port());
    assertThatThrownBy(() -> client.id.connect(DatagramRig.data(new byte[181])))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("Invalid argument");
    CmEvent request = spi.request(client, padded(180, 1));
    assertThatThrownBy(() -> request.id().reject(new byte[137]))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("Invalid argument");
    spi.closing(new DatagramEnd(request.id()));
    request.id().accept(DatagramRig.data(padded(136, 1)));
    spi.nextOfClients(CmEventType.ESTABLISHED);
  }

  @Test
  void accepting_with_too_much_private_data_rejects_the_peer() {
    CmEvent request = spi.request(spi.client(spi.port()));
    spi.closing(new DatagramEnd(request.id()));
    assertThatThrownBy(() -> request.id().accept(DatagramRig.data(new byte[137])))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("Invalid argument");
    assertThat(spi.nextOfClients(CmEventType.UNREACHABLE).status()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void datagrams_go_both_ways_with_and_without_immediate(boolean six) throws Exception {
    String address = six ? System.getProperty("vertx.rdma.test.address6", "fd77::1") : null;
    try (DatagramRig other = new DatagramRig(rig.provider(), six ? address : rig.address())) {
      DatagramRig.Pair pair = other.pair();
      pair.server().receive(1, 64);
      pair.server().receive(2, 64);
      AddressHandle there = pair.client().handle(pair.peer());
      pair.client().send("plain", there, pair.peer());
      Arrived plain = pair.server().arrived();
      assertThat(plain.receive()).isEqualTo(1);
      assertThat(plain.text()).isEqualTo("plain");
      assertThat(plain.hasImmediate()).isFalse();
      assertThat(plain.source()).isEqualTo(pair.client().queuePair.number());
      assertThat(plain.hasHeader()).isTrue();
      assertHeader(plain.header(), ip(six ? address : rig.address()));

      UdParam peer = pair.peer();
      pair.client()
          .send(
              SendOpcode.SEND_WITH_IMM,
              0xFEDC_BA98,
              "and numbered",
              there,
              peer.queuePairNumber(),
              peer.queueKey());
      Arrived numbered = pair.server().arrived();
      assertThat(numbered.receive()).isEqualTo(2);
      assertThat(numbered.text()).isEqualTo("and numbered");
      assertThat(numbered.hasImmediate()).isTrue();
      assertThat(numbered.immediate()).isEqualTo(0xFEDC_BA98);

      AddressHandle back = pair.server().back(numbered);
      pair.client().receive(3, 64);
      pair.client().receive(4, 0);
      pair.server()
          .send(
              SendOpcode.SEND_WITH_IMM,
              1,
              "answer",
              back,
              numbered.source(),
              UdParam.DEFAULT_QUEUE_KEY);
      pair.server()
          .send(SendOpcode.SEND, 0, "", back, numbered.source(), UdParam.DEFAULT_QUEUE_KEY);
      Arrived answer = pair.client().arrived();
      assertThat(answer.text()).isEqualTo("answer");
      assertThat(answer.immediate()).isEqualTo(1);
      assertThat(answer.source()).isEqualTo(pair.server().queuePair.number());
      Arrived empty = pair.client().arrived();
      assertThat(empty.receive()).isEqualTo(4);
      assertThat(empty.text()).isEmpty();
    }
  }

  /** Both ends are on one address here. */
  private static void assertHeader(byte[] header, InetAddress both) {
    byte[] bytes = both.getAddress();
    int version = bytes.length == 4 ? 4 : 6;
    int start = version == 4 ? 20 : 0;
    assertThat(header[start] >> 4).isEqualTo(version);
    assertThat(header[version == 4 ? start + 9 : start + 6])
        .as("protocol UDP")
        .isEqualTo((byte) 17);
    int addresses = DatagramEnd.HEADER - 2 * bytes.length;
    assertThat(Arrays.copyOfRange(header, addresses, addresses + bytes.length)).isEqualTo(bytes);
    assertThat(Arrays.copyOfRange(header, addresses + bytes.length, header.length))
        .isEqualTo(bytes);
  }

  @Test
  void an_ip_address_is_enough_to_send_to() {
    DatagramRig.Pair pair = spi.pair();
    InetAddress address = ip(rig.address());
    pair.server().receive(1, 64);
    try (AddressHandle handle = pair.client().domain.createAddressHandle(address, address)) {
      pair.client().send("by address", handle, pair.peer());
      assertThat(pair.server().arrived().text()).isEqualTo("by address");
    }
    assertThatThrownBy(() -> pair.client().domain.createAddressHandle(ip("192.0.2.1"), address))
        .isInstanceOf(AddressException.class)
        .hasMessageContaining("192.0.2.1");
  }

  /** A datagram to another queue pair, seen to arrive: what was sent before it has had its time. */
  private void letPass(DatagramRig.Pair first) {
    DatagramRig.Pair witness = spi.pair();
    try (AddressHandle handle =
        first.client().domain.createAddressHandle(witness.peer().address())) {
      for (int i = 0; i < 3; i++) {
        witness.server().receive(i, 64);
        first.client().send("witness " + i, handle, witness.peer());
        assertThat(witness.server().arrived().text()).isEqualTo("witness " + i);
      }
    }
  }

  @Test
  void a_datagram_without_a_receive_is_lost_for_good_and_the_sender_does_not_hear_of_it() {
    DatagramRig.Pair pair = spi.pair();
    AddressHandle handle = pair.client().handle(pair.peer());
    pair.client().send("lost", handle, pair.peer());
    letPass(pair);
    pair.server().receive(1, 64);
    pair.server().receive(2, 64);
    pair.client().send("found", handle, pair.peer());
    assertThat(pair.server().arrived().text()).isEqualTo("found");
    letPass(pair);
    assertThat(pair.server().isQuiet()).as("nothing was sent again").isTrue();
    assertThat(pair.client().isQuiet()).isTrue();
  }

  /** rxe of Linux 6.1 fails the queue pair, newer ones keep the receive for what fits. */
  @Test
  void a_datagram_longer_than_its_receive_never_arrives_and_the_sender_does_not_hear_of_it() {
    DatagramRig.Pair pair = spi.pair();
    DatagramEnd server = pair.server();
    AddressHandle handle = pair.client().handle(pair.peer());
    server.receive(1, 7);
    server.receive(2, 64);
    pair.client().send("8 bytes!", handle, pair.peer());
    pair.client().send("7 bytes", handle, pair.peer());
    WorkCompletionStatus first = WorkCompletionStatus.of(server.nextStatus());
    if (first == WorkCompletionStatus.SUCCESS) {
      Arrived fitting = server.lastArrived();
      assertThat(fitting.receive()).isEqualTo(1);
      assertThat(fitting.text()).isEqualTo("7 bytes");
      assertThat(server.queuePair.query().state()).isEqualTo(QueuePairState.RTS);
    } else {
      // That rxe says 2, local QP operation error; the verbs have 1, local length error.
      assertThat(first).isIn(WorkCompletionStatus.LOC_LEN_ERR, WorkCompletionStatus.LOC_QP_OP_ERR);
      assertThat(WorkCompletionStatus.of(server.nextStatus()))
          .isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
      assertThat(server.queuePair.query().state()).isEqualTo(QueuePairState.ERR);
    }
    assertThat(pair.client().isQuiet()).as("the sender does not hear of it").isTrue();
  }

  @Test
  void the_wrong_queue_key_and_the_wrong_number_lose_a_datagram() {
    DatagramRig.Pair pair = spi.pair();
    AddressHandle handle = pair.client().handle(pair.peer());
    UdParam peer = pair.peer();
    pair.server().receive(1, 64);
    pair.client()
        .send(SendOpcode.SEND, 0, "wrong key", handle, peer.queuePairNumber(), peer.queueKey() + 1);
    pair.client()
        .send(
            SendOpcode.SEND,
            0,
            "wrong number",
            handle,
            peer.queuePairNumber() ^ 0x80_0000,
            peer.queueKey());
    pair.client().send("right", handle, peer);
    Arrived arrived = pair.server().arrived();
    assertThat(arrived.text()).isEqualTo("right");
    assertThat(arrived.receive()).isEqualTo(1);
    assertThat(pair.client().isQuiet()).isTrue();
  }

  @Test
  void a_datagram_as_long_as_the_mtu_arrives_and_a_longer_one_is_refused() {
    DatagramRig.Pair pair = spi.pair();
    int mtu = pair.client().id.device().queryPort(pair.client().id.port()).activeMtu();
    AddressHandle handle = pair.client().handle(pair.peer());
    UdParam peer = pair.peer();
    pair.server().receive(1, mtu);
    assertThat(
            pair.client()
                .post(
                    SendOpcode.SEND,
                    0,
                    pair.client().region(mtu + 1),
                    handle,
                    peer.queuePairNumber(),
                    peer.queueKey()))
        .isEqualTo(EINVAL);
    pair.client().send("m".repeat(mtu), handle, peer);
    assertThat(pair.server().arrived().text()).isEqualTo("m".repeat(mtu));
  }

  @Test
  void a_send_without_a_handle_with_a_closed_one_or_of_another_kind_is_refused() {
    DatagramRig.Pair pair = spi.pair();
    DatagramEnd client = pair.client();
    AddressHandle handle = client.handle(pair.peer());
    int number = pair.peer().queuePairNumber();
    assertThat(client.post(SendOpcode.SEND, 0, client.region(8), null, 0, 0)).isEqualTo(EINVAL);
    assertThat(client.post(SendOpcode.RDMA_WRITE, 0, client.region(8), handle, number, 0))
        .isEqualTo(EINVAL);
    try (SendBatch batch = client.queuePair.allocateSendBatch(1, 1)) {
      batch.add(1, SendOpcode.SEND, 0, 0, 0, 0);
      batch.setUdAddress(handle, number, pair.peer().queueKey());
      handle.close();
      assertThat(batch.post()).isEqualTo(EINVAL);
    }
  }

  @Test
  void an_address_is_only_for_queue_pairs_of_type_UD_in_the_handles_domain() throws Exception {
    DatagramRig.Pair pair = spi.pair();
    AddressHandle handle = pair.client().handle(pair.peer());
    try (SendBatch batch = pair.server().queuePair.allocateSendBatch(1, 1)) {
      batch.add(1, SendOpcode.SEND, 0, 0, 0, 0);
      assertThatThrownBy(() -> batch.setUdAddress(handle, 1, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("protection domain");
    }
    try (SpiRig connected = new SpiRig(rig).connected();
        SendBatch batch = connected.client.queuePair().allocateSendBatch(1, 1)) {
      batch.add(1, SendOpcode.SEND, 0, 0, 0, 0);
      assertThatThrownBy(() -> batch.setUdAddress(handle, 1, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("RC");
    }
  }

  @Test
  void receives_come_back_flushed_when_the_queue_pair_goes_to_error() {
    DatagramRig.Pair pair = spi.pair();
    pair.server().receive(1, 64);
    pair.server().queuePair.toError();
    assertThat(WorkCompletionStatus.of(pair.server().nextStatus()))
        .isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
  }
}
