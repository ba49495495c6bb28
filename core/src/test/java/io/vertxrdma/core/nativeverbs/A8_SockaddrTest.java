package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Addresses as bytes in native memory, and as Java sees them on both ends of a connection. */
class A8_SockaddrTest {

  private final FakeRig rig = new FakeRig();

  @AfterEach
  void nothing_is_left() {
    rig.close();
  }

  private byte[] bound(InetSocketAddress address) {
    rig.id().bind(address);
    return rig.fake.lastCall("rdma_bind_addr").struct();
  }

  private static int family(byte[] sockaddr) {
    return ByteBuffer.wrap(sockaddr).order(ByteOrder.nativeOrder()).getShort(0);
  }

  @Test
  void an_ipv4_address_has_its_family_in_host_order_and_all_else_in_network_order() {
    byte[] bytes = bound(new InetSocketAddress("1.2.3.4", 0x1234));
    assertThat(family(bytes)).isEqualTo(2);
    assertThat(Arrays.copyOfRange(bytes, 2, 8)).containsExactly(0x12, 0x34, 1, 2, 3, 4);
    assertThat(Arrays.copyOfRange(bytes, 8, 16)).containsOnly(0);
  }

  @Test
  void high_bytes_of_address_and_port_keep_their_place() {
    byte[] bytes = bound(new InetSocketAddress("10.0.0.200", 7471));
    assertThat(Arrays.copyOfRange(bytes, 2, 8)).containsExactly(0x1D, 0x2F, 10, 0, 0, (byte) 200);
    byte[] high = bound(new InetSocketAddress("255.254.253.252", 0xFFFE));
    assertThat(Arrays.copyOfRange(high, 2, 8)).containsExactly(0xFF, 0xFE, 255, 254, 253, 252);
  }

  @Test
  void an_ipv6_address_has_no_flow_information_and_its_scope_in_host_order() throws Exception {
    byte[] host = new byte[16];
    host[0] = (byte) 0xFE;
    host[1] = (byte) 0x80;
    host[15] = 9;
    InetAddress scoped = Inet6Address.getByAddress(null, host, 3);
    byte[] bytes = bound(new InetSocketAddress(scoped, 0x1234));
    assertThat(bytes).hasSize(28);
    assertThat(family(bytes)).isEqualTo(10);
    assertThat(Arrays.copyOfRange(bytes, 2, 8)).containsExactly(0x12, 0x34, 0, 0, 0, 0);
    assertThat(Arrays.copyOfRange(bytes, 8, 24)).isEqualTo(host);
    assertThat(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt(24)).isEqualTo(3);
    assertThat(rig.fake.lastId()).isNotZero();
  }

  @Test
  void what_was_bound_reads_back_and_port_0_becomes_a_real_one() {
    CmId id = rig.id();
    assertThat(id.localAddress()).isNull();
    assertThat(id.remoteAddress()).isNull();
    id.bind(new InetSocketAddress("10.0.0.1", 0));
    assertThat(id.localAddress().getAddress().getHostAddress()).isEqualTo("10.0.0.1");
    assertThat(id.localAddress().getPort()).isPositive();
  }

  @Test
  void source_and_destination_arrive_in_their_own_places() {
    CmId id = rig.id();
    id.resolveAddress(
        new InetSocketAddress("10.0.0.2", 4001), new InetSocketAddress("10.9.8.7", 4002), 1500);
    FakeCall call = rig.fake.lastCall("rdma_resolve_addr");
    assertThat(Arrays.copyOfRange(call.data(), 2, 8)).containsExactly(0x0F, 0xA1, 10, 0, 0, 2);
    assertThat(Arrays.copyOfRange(call.struct(), 2, 8)).containsExactly(0x0F, 0xA2, 10, 9, 8, 7);
    assertThat(call.argument(3)).isEqualTo(1500);
  }

  @Test
  void no_source_is_a_null_pointer() {
    rig.id().resolveAddress(null, FakeRig.SERVER, 1000);
    assertThat(rig.fake.lastCall("rdma_resolve_addr").argument(1)).isZero();
  }

  @Test
  void the_accepted_side_sees_the_clients_local_address_as_its_peer() {
    CmId listener = rig.listener();
    CmId client = rig.resolved();
    client.connect(io.vertxrdma.core.ConnParam.ZERO);
    CmEvent request = rig.next(CmEventType.CONNECT_REQUEST);
    CmId server = rig.closing(request.id());
    assertThat(request.listener()).isSameAs(listener);
    assertThat(server.remoteAddress()).isEqualTo(client.localAddress());
    assertThat(server.localAddress()).isEqualTo(client.remoteAddress());
    assertThat(server.remoteAddress()).isNotEqualTo(server.localAddress());
  }

  @Test
  void a_wildcard_listener_has_no_device_and_its_requests_have_one() {
    CmId listener = rig.id();
    listener.bind(new InetSocketAddress("0.0.0.0", 0));
    listener.listen(0);
    assertThat(listener.localAddress().getPort()).isPositive();
    assertThat(listener.device()).isNull();
    CmId child = rig.requested(listener);
    assertThat(child.device()).isSameAs(rig.device());
    assertThat(child.port()).isEqualTo(1);
    assertThat(child.localAddress().getAddress().isAnyLocalAddress()).isFalse();
  }

  @Test
  void a_name_that_was_not_resolved_is_refused_by_name() {
    CmId id = rig.id();
    InetSocketAddress unresolved = InetSocketAddress.createUnresolved("no.such.host", 1);
    assertThatThrownBy(() -> id.bind(unresolved))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no.such.host");
    assertThatThrownBy(() -> id.resolveAddress(null, unresolved, 1000))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(rig.fake.calls("rdma_bind_addr")).isEmpty();
  }
}
