package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that no RDMA device has (cases A1 and A2): the same type for bind and for connect. */
class A2_NonRdmaAddressTest {

  private static final InetSocketAddress FOREIGN = new InetSocketAddress("192.0.2.7", 4711);

  private final FakeRig rig = new FakeRig();

  @AfterEach
  void nothing_is_left() {
    rig.close();
  }

  @ParameterizedTest
  @CsvSource({
    "99, EADDRNOTAVAIL, Cannot assign requested address",
    "19, ENODEV, No such device",
    "101, ENETUNREACH, Network is unreachable",
    "113, EHOSTUNREACH, No route to host"
  })
  void bind_and_resolve_name_address_errno_and_the_likely_cause(
      int errno, String symbol, String text) {
    rig.fake.strictAddresses();
    CmId id = rig.id();
    rig.fake.failNext("rdma_bind_addr", errno).failNext("rdma_resolve_addr", errno);
    assertThatThrownBy(() -> id.bind(FOREIGN))
        .isExactlyInstanceOf(AddressException.class)
        .hasMessageContaining("rdma_bind_addr")
        .hasMessageContaining("192.0.2.7:4711")
        .hasMessageContaining(text)
        .hasMessageContaining("no RDMA device")
        .extracting("symbol")
        .isEqualTo(symbol);
    assertThatThrownBy(() -> id.resolveAddress(null, FOREIGN, 1000))
        .isExactlyInstanceOf(AddressException.class)
        .hasMessageContaining("192.0.2.7:4711")
        .hasMessageContaining(text)
        .extracting("code")
        .isEqualTo(errno);
  }

  @ParameterizedTest
  @ValueSource(ints = {-19, -101, -110})
  void the_event_of_a_failed_resolution_keeps_its_status(int status) {
    CmId id = rig.id();
    rig.fake.replyTo("rdma_resolve_addr").type(1).status(status);
    id.resolveAddress(null, FOREIGN, 1000);
    CmEvent event = rig.next(CmEventType.ADDR_ERROR);
    assertThat(event.status()).isEqualTo(status);
    assertThat(event.id()).isSameAs(id);
    assertThat(event.toString()).contains("RDMA_CM_EVENT_ADDR_ERROR");
  }

  @Test
  void a_loopback_address_gets_the_hint_to_use_the_cards_own() {
    rig.fake.strictAddresses();
    CmId id = rig.id();
    assertThatThrownBy(() -> id.bind(new InetSocketAddress("127.0.0.1", 0)))
        .isExactlyInstanceOf(AddressException.class)
        .hasMessageContaining("no RDMA device for address 127.0.0.1")
        .hasMessageContaining("network card");
  }

  @Test
  void a_route_that_no_device_serves_is_an_address_error_too() {
    CmId id = rig.id();
    id.resolveAddress(null, FOREIGN, 1000);
    rig.next(CmEventType.ADDR_RESOLVED);
    rig.fake.failNext("rdma_resolve_route", 19);
    assertThatThrownBy(() -> id.resolveRoute(1000))
        .isExactlyInstanceOf(AddressException.class)
        .hasMessageContaining("192.0.2.7:4711");
  }

  @Test
  void a_port_that_needs_rights_is_no_address_error() {
    CmId id = rig.id();
    rig.fake.failNext("rdma_bind_addr", 13);
    assertThatThrownBy(() -> id.bind(new InetSocketAddress("10.0.0.1", 80)))
        .isNotInstanceOf(AddressException.class)
        .hasMessageContaining("Permission denied")
        .hasMessageContaining("10.0.0.1:80");
  }

  @Test
  void the_device_of_an_address_is_found_in_the_gid_tables() throws Exception {
    rig.fake.device("fake1").address("10.1.0.1").address("2001:db8::7");
    assertThat(rig.provider.deviceFor(InetAddress.getByName("10.0.0.2")).orElseThrow().name())
        .isEqualTo("fake0");
    assertThat(rig.provider.deviceFor(InetAddress.getByName("10.1.0.1")).orElseThrow().name())
        .isEqualTo("fake1");
    assertThat(rig.provider.deviceFor(InetAddress.getByName("2001:db8::7")).orElseThrow().name())
        .isEqualTo("fake1");
    assertThat(rig.provider.deviceFor(InetAddress.getByName("127.0.0.1"))).isEmpty();
    assertThat(rig.device().addresses(1))
        .contains(InetAddress.getByName("10.0.0.1"), InetAddress.getByName("10.0.0.2"));
  }

  @Test
  void a_foreign_address_with_a_port_is_not_taken_for_a_port_in_use() {
    rig.fake.strictAddresses();
    CmId id = rig.id();
    assertThatThrownBy(() -> id.bind(FOREIGN))
        .isInstanceOf(AddressException.class)
        .isNotInstanceOf(AddressInUseException.class);
  }
}
