package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.core.CmId;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ports that are taken, at listeners and as fixed source addresses. */
class A7_PortTakenTest {

  private final FakeRig rig = new FakeRig();

  @AfterEach
  void nothing_is_left() {
    rig.close();
  }

  @Test
  void a_second_listener_on_a_port_is_address_in_use_and_the_port_is_free_after_close() {
    CmId first = rig.listener();
    CmId second = rig.id();
    assertThatThrownBy(() -> second.bind(FakeRig.SERVER))
        .isInstanceOf(AddressInUseException.class)
        .hasMessageContaining("Address already in use")
        .hasMessageContaining("10.0.0.1:18515")
        .extracting("code")
        .isEqualTo(98);
    first.close();
    second.bind(FakeRig.SERVER);
    second.listen(1);
    assertThat(second.localAddress()).isEqualTo(FakeRig.SERVER);
  }

  @Test
  void eaddrnotavail_for_an_address_of_our_own_is_a_port_in_use() {
    CmId id = rig.id();
    rig.fake.failNext("rdma_bind_addr", 99);
    assertThatThrownBy(() -> id.bind(FakeRig.SERVER))
        .isInstanceOf(AddressInUseException.class)
        .hasMessageContaining("Cannot assign requested address")
        .hasMessageContaining("Address already in use")
        .extracting("code")
        .isEqualTo(99);
  }

  @Test
  void a_wildcard_over_a_specific_listener_is_a_port_in_use() {
    rig.listener();
    CmId wildcard = rig.id();
    assertThatThrownBy(() -> wildcard.bind(new InetSocketAddress("0.0.0.0", 18515)))
        .isInstanceOf(AddressInUseException.class)
        .hasMessageContaining("0.0.0.0:18515");
  }

  @Test
  void port_0_never_clashes() {
    InetSocketAddress any = new InetSocketAddress("10.0.0.1", 0);
    CmId first = rig.id();
    CmId second = rig.id();
    first.bind(any);
    second.bind(any);
    assertThat(first.localAddress()).isNotEqualTo(second.localAddress());
  }

  @Test
  void eaddrnotavail_with_port_0_is_about_the_address() {
    CmId id = rig.id();
    rig.fake.failNext("rdma_bind_addr", 99);
    assertThatThrownBy(() -> id.bind(new InetSocketAddress("10.0.0.1", 0)))
        .isExactlyInstanceOf(AddressException.class);
  }

  @Test
  void a_fixed_source_used_twice_names_the_source_and_not_the_destination() {
    InetSocketAddress source = new InetSocketAddress("10.0.0.2", 5000);
    rig.id().resolveAddress(source, FakeRig.SERVER, 1000);
    CmId second = rig.id();
    assertThatThrownBy(() -> second.resolveAddress(source, FakeRig.SERVER, 1000))
        .isInstanceOf(AddressInUseException.class)
        .hasMessageContaining("10.0.0.2:5000");
    rig.id().resolveAddress(new InetSocketAddress("10.0.0.2", 0), FakeRig.SERVER, 1000);
  }
}
