package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressHandle;
import io.vertxrdma.core.AddressHandleAttributes;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.MemoryRegion;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.ProtectionDomain;
import io.vertxrdma.core.ProviderUnavailableException;
import io.vertxrdma.core.QueuePair;
import io.vertxrdma.core.QueuePairCapabilities;
import io.vertxrdma.core.QueuePairInit;
import io.vertxrdma.core.QueuePairType;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.ReceiveBatch;
import io.vertxrdma.core.SendBatch;
import io.vertxrdma.core.SendFlag;
import io.vertxrdma.core.SendOpcode;
import io.vertxrdma.core.UdParam;
import io.vertxrdma.core.WorkCompletions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Datagrams over the SPI: address handles, what is refused when posted, what arrives and how. */
class DatagramPathTest {

  private static final int EINVAL = 22;
  private static final int HEADER = WorkCompletions.GLOBAL_ROUTING_HEADER_LENGTH;

  private final FakeRig rig = new FakeRig();
  private CmId client;
  private CmId server;
  private UdParam peer;

  @AfterEach
  void nothing_is_left() {
    rig.close();
  }

  private static InetAddress ip(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private QueuePair queuePair(CmId id) {
    return id.createQueuePair(
        rig.domain(),
        new QueuePairInit(
            QueuePairType.UD,
            rig.queue(),
            rig.queue(),
            null,
            new QueuePairCapabilities(16, 16, 2, 1, 0),
            false));
  }

  private CmId id() {
    rig.id().close();
    return rig.closing(rig.channel().createId(PortSpace.UDP));
  }

  private CmEvent request(byte[] data) {
    CmId listener = id();
    listener.bind(FakeRig.SERVER);
    listener.listen(4);
    client = id();
    client.resolveAddress(null, FakeRig.SERVER, 1000);
    rig.next(CmEventType.ADDR_RESOLVED);
    queuePair(client);
    client.resolveRoute(1000);
    rig.next(CmEventType.ROUTE_RESOLVED);
    client.connect(new ConnParam(data, 0, 0, 0, 0, 0, false, 0));
    CmEvent request = rig.next(CmEventType.CONNECT_REQUEST);
    server = rig.closing(request.id());
    queuePair(server);
    return request;
  }

  private void establish() {
    request(new byte[0]);
    server.accept(ConnParam.ZERO);
    peer = rig.next(CmEventType.ESTABLISHED).udParam();
  }

  private MemoryRegion region(int size) {
    return rig.closing(
        rig.domain().register(ByteBuffer.allocateDirect(size), Set.of(AccessFlag.LOCAL_WRITE)));
  }

  private MemoryRegion text(String text) {
    MemoryRegion region = region(text.length());
    region.buffer().put(text.getBytes(StandardCharsets.US_ASCII));
    return region;
  }

  private void receive(CmId id, long number, MemoryRegion inbox, int length) {
    try (ReceiveBatch batch = id.queuePair().allocateReceiveBatch(1, 1)) {
      batch.add(number);
      batch.addScatterGather(inbox.address(), length, inbox.localKey());
      assertThat(batch.post()).isZero();
    }
  }

  private AddressHandle handle(AddressHandleAttributes attributes) {
    return rig.closing(rig.domain().createAddressHandle(attributes));
  }

  private int send(
      CmId from, SendOpcode opcode, MemoryRegion data, AddressHandle to, int number, int queueKey) {
    try (SendBatch batch = from.queuePair().allocateSendBatch(1, 1)) {
      batch.add(1, opcode, SendFlag.SIGNALED, 0xCAFE, 0, 0);
      batch.addScatterGather(data.address(), (int) data.length(), data.localKey());
      if (to != null) {
        batch.setUdAddress(to, number, queueKey);
      }
      return batch.post();
    }
  }

  private WorkCompletions poll(int expected) {
    WorkCompletions completions = rig.queue().allocate(16);
    assertThat(rig.queue().poll(completions)).isEqualTo(expected);
    return completions;
  }

  @Test
  void private_data_goes_both_ways_in_the_datagram_limits() {
    CmEvent request = request(new byte[] {1, 2, 3});
    assertThat(request.privateData()).hasSize(180).startsWith(1, 2, 3, 0);
    assertThat(request.udParam()).isNull();
    server.accept(new ConnParam(new byte[] {4, 5}, 0, 0, 0, 0, 0, false, 0));
    CmEvent established = rig.next(CmEventType.ESTABLISHED);
    assertThat(established.privateData()).hasSize(136).startsWith(4, 5, 0);
    assertThat(established.udParam())
        .isEqualTo(
            new UdParam(
                AddressHandleAttributes.toAddress(ip("10.0.0.1"), 1, 1),
                server.queuePair().number(),
                UdParam.DEFAULT_QUEUE_KEY));
    assertThat(rig.channel().poll()).as("the accepting side hears no more").isNull();
  }

  @Test
  void a_rejected_request_is_unreachable_with_status_2_and_the_reason() {
    request(new byte[0]);
    server.reject(new byte[] {9});
    CmEvent refused = rig.next(CmEventType.UNREACHABLE);
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.privateData()).hasSize(136).startsWith(9, 0);
    assertThat(refused.udParam()).isNull();
  }

  @Test
  void a_datagram_arrives_behind_its_header_with_source_and_immediate() {
    establish();
    MemoryRegion inbox = region(100);
    receive(server, 7, inbox, 100);
    AddressHandle handle = handle(peer.address());
    assertThat(handle.protectionDomain()).isSameAs(rig.domain());
    assertThat(
            send(
                client,
                SendOpcode.SEND_WITH_IMM,
                text("datagram"),
                handle,
                peer.queuePairNumber(),
                peer.queueKey()))
        .isZero();
    WorkCompletions completions = poll(2);
    assertThat(completions.workRequestId(0)).isEqualTo(7);
    assertThat(completions.byteLength(0)).isEqualTo(HEADER + 8);
    assertThat(completions.hasGlobalRoutingHeader(0)).isTrue();
    assertThat(completions.immediate(0)).isEqualTo(0xCAFE);
    assertThat(completions.sourceQueuePair(0)).isEqualTo(client.queuePair().number());
    byte[] bytes = new byte[8];
    inbox.buffer().get(HEADER, bytes);
    assertThat(bytes).isEqualTo("datagram".getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void a_completion_leads_back_to_the_sender() {
    establish();
    MemoryRegion inbox = region(100);
    receive(server, 7, inbox, 100);
    AddressHandle there = handle(peer.address());
    send(client, SendOpcode.SEND, text("ping"), there, peer.queuePairNumber(), peer.queueKey());
    WorkCompletions completions = poll(2);
    AddressHandle back =
        rig.closing(
            rig.domain().createAddressHandle(completions, 0, inbox.buffer(), server.port()));
    MemoryRegion reply = region(100);
    receive(client, 8, reply, 100);
    send(
        server,
        SendOpcode.SEND,
        text("pong"),
        back,
        completions.sourceQueuePair(0),
        UdParam.DEFAULT_QUEUE_KEY);
    assertThat(poll(2).workRequestId(0)).isEqualTo(8);
    assertThatThrownBy(
            () -> rig.domain().createAddressHandle(completions, 0, ByteBuffer.allocate(39), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("40")
        .hasMessageContaining("39");
    assertThatThrownBy(
            () -> rig.domain().createAddressHandle(completions, 0, ByteBuffer.allocate(40), 1))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("ibv_create_ah_from_wc");
  }

  @Test
  void an_address_of_the_device_finds_its_place_in_the_table() {
    establish();
    AddressHandle handle =
        rig.closing(rig.domain().createAddressHandle(ip("10.0.0.2"), ip("10.0.0.1")));
    MemoryRegion inbox = region(100);
    receive(server, 7, inbox, 100);
    send(client, SendOpcode.SEND, text("x"), handle, peer.queuePairNumber(), peer.queueKey());
    poll(2);
    byte[] source = new byte[4];
    inbox.buffer().get(32, source);
    assertThat(source).containsExactly(10, 0, 0, 2);
    ProtectionDomain domain = rig.domain();
    assertThatThrownBy(() -> domain.createAddressHandle(ip("10.0.0.3"), ip("10.0.0.1")))
        .isInstanceOf(AddressException.class)
        .hasMessageContaining("10.0.0.3");
    assertThatThrownBy(() -> domain.createAddressHandle(ip("10.0.0.2"), ip("::1")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> domain.createAddressHandle(ip("10.0.0.2"), ip("0.0.0.0")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void what_a_driver_would_crash_on_or_lose_in_silence_is_refused_when_posted() {
    establish();
    AddressHandle handle = handle(peer.address());
    int number = peer.queuePairNumber();
    assertThat(send(client, SendOpcode.SEND, text("x"), null, 0, 0)).isEqualTo(EINVAL);
    assertThat(send(client, SendOpcode.RDMA_WRITE, text("x"), handle, number, 0)).isEqualTo(EINVAL);
    assertThat(send(client, SendOpcode.SEND, region(1025), handle, number, peer.queueKey()))
        .isEqualTo(EINVAL);
    assertThat(send(client, SendOpcode.SEND, region(1024), handle, number, peer.queueKey()))
        .isZero();
    poll(1);
  }

  @Test
  void requests_before_the_refused_one_are_posted() {
    establish();
    AddressHandle handle = handle(peer.address());
    MemoryRegion data = text("four");
    try (SendBatch batch = client.queuePair().allocateSendBatch(4, 1)) {
      for (int i = 0; i < 4; i++) {
        batch.add(i, SendOpcode.SEND, SendFlag.SIGNALED, 0, 0, 0);
        batch.addScatterGather(data.address(), 4, data.localKey());
        if (i != 2) {
          batch.setUdAddress(handle, 99, 1);
        }
      }
      assertThat(batch.post()).isEqualTo(EINVAL);
      assertThat(batch.posted()).isEqualTo(2);
      assertThat(poll(2).workRequestId(1)).isEqualTo(1);
      batch.clear();
      batch.add(5, SendOpcode.SEND, SendFlag.SIGNALED, 0, 0, 0);
      batch.setUdAddress(handle, 99, 1);
      assertThat(batch.post()).as("the chain is whole again").isZero();
      poll(1);
    }
  }

  @Test
  void a_handle_closed_after_it_was_set_is_not_followed() {
    establish();
    AddressHandle handle = rig.domain().createAddressHandle(peer.address());
    try (SendBatch batch = client.queuePair().allocateSendBatch(1, 0)) {
      batch.add(1, SendOpcode.SEND, SendFlag.SIGNALED, 0, 0, 0);
      batch.setUdAddress(handle, 1, 1);
      handle.close();
      assertThat(batch.post()).isEqualTo(EINVAL);
      assertThat(batch.posted()).isZero();
      batch.clear();
      batch.add(1, SendOpcode.SEND, SendFlag.SIGNALED, 0, 0, 0);
      assertThatThrownBy(() -> batch.setUdAddress(handle, 1, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("address handle")
          .hasMessageContaining("closed");
    }
  }

  @Test
  void handles_of_other_domains_and_connected_queue_pairs_are_told_apart() {
    establish();
    ProtectionDomain other = rig.closing(rig.device().allocateProtectionDomain());
    AddressHandle foreign = rig.closing(other.createAddressHandle(peer.address()));
    try (SendBatch batch = client.queuePair().allocateSendBatch(1, 0)) {
      batch.add(1, SendOpcode.SEND, 0, 0, 0, 0);
      assertThatThrownBy(() -> batch.setUdAddress(foreign, 1, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("protection domain");
      AddressHandle own = handle(peer.address());
      assertThatThrownBy(() -> batch.setUdAddress(own, 0x100_0000, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("16777216");
    }
    CmId connected = rig.id();
    connected.resolveAddress(null, new InetSocketAddress("10.0.0.1", 1), 1000);
    rig.next(CmEventType.ADDR_RESOLVED);
    AddressHandle own = handle(peer.address());
    try (SendBatch batch = rig.queuePair(connected).allocateSendBatch(1, 0)) {
      batch.add(1, SendOpcode.SEND, 0, 0, 0, 0);
      assertThatThrownBy(() -> batch.setUdAddress(own, 1, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("RC");
    }
  }

  @Test
  void lost_datagrams_complete_like_others() {
    establish();
    AddressHandle handle = handle(peer.address());
    MemoryRegion inbox = region(100);
    MemoryRegion data = text("lost");
    int number = peer.queuePairNumber();
    send(client, SendOpcode.SEND, data, handle, number, peer.queueKey());
    assertThat(poll(1).status(0)).as("no receive").isZero();
    receive(server, 7, inbox, HEADER + 3);
    send(client, SendOpcode.SEND, data, handle, number, peer.queueKey() + 1);
    assertThat(poll(1).status(0)).as("wrong Q_Key").isZero();
    send(client, SendOpcode.SEND, data, handle, 0xFFF, peer.queueKey());
    assertThat(poll(1).status(0)).as("no such queue pair").isZero();
    send(client, SendOpcode.SEND, data, handle, number, peer.queueKey());
    WorkCompletions completions = poll(2);
    assertThat(completions.workRequestId(0)).as("the receive that was too small").isEqualTo(7);
    assertThat(completions.status(0)).isEqualTo(2);
    assertThat(completions.status(1)).isZero();
  }

  @Test
  void a_domain_is_not_freed_under_its_address_handles() {
    establish();
    AddressHandle handle = rig.domain().createAddressHandle(peer.address());
    ProtectionDomain other = rig.closing(rig.device().allocateProtectionDomain());
    AddressHandle of = other.createAddressHandle(peer.address());
    assertThatThrownBy(other::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1 address handles");
    of.close();
    of.close();
    other.close();
    handle.close();
  }

  @Test
  void a_handle_that_looks_different_is_refused_and_destroyed() {
    establish();
    rig.fake.misplace("ibv_ah.pd", 16);
    assertThatThrownBy(() -> rig.domain().createAddressHandle(peer.address()))
        .isInstanceOf(ProviderUnavailableException.class)
        .hasMessageContaining("ibv_ah.pd");
  }

  @Test
  void a_path_the_device_refuses_fails_with_its_errno() {
    establish();
    AddressHandleAttributes port2 = AddressHandleAttributes.toAddress(ip("10.0.0.1"), 1, 2);
    assertThatThrownBy(() -> rig.domain().createAddressHandle(port2))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("ibv_create_ah")
        .hasMessageContaining("Invalid argument");
  }
}
