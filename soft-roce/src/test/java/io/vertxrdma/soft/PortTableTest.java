package io.vertxrdma.soft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.Errno;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.soft.PortTable.Binding;
import io.vertxrdma.soft.PortTable.Refused;
import org.junit.jupiter.api.Test;

/** The port spaces follow the kernel's rules. */
class PortTableTest {

  private final PortTable table = new PortTable(false);

  private Binding bind(String address, int port) throws Refused {
    return bind(address, port, false);
  }

  private Binding bind(String address, int port, boolean shared) throws Refused {
    return table.bind(PortSpace.TCP, Spi.at(address, port), shared, false);
  }

  private void refused(Errno errno, String address, int port) {
    assertThatThrownBy(() -> bind(address, port))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.errno()).isEqualTo(errno));
  }

  private static SoftListener listener() {
    return new SoftListener(null, 0, 0);
  }

  @Test
  void a_port_is_taken_once_for_each_address_and_free_again_after_release() throws Refused {
    Binding first = bind("127.0.0.1", 5000);
    refused(Errno.EADDRINUSE, "127.0.0.1", 5000);
    bind("127.0.0.2", 5000);
    table.bind(PortSpace.UDP, Spi.at("127.0.0.1", 5000), false, false);

    table.release(first);

    bind("127.0.0.1", 5000);
  }

  @Test
  void a_wildcard_and_an_address_exclude_each_other() throws Refused {
    Binding one = bind("127.0.0.1", 5000);
    refused(Errno.EADDRNOTAVAIL, "0.0.0.0", 5000);
    table.release(one);
    bind("0.0.0.0", 5000);
    refused(Errno.EADDRNOTAVAIL, "127.0.0.1", 5000);
  }

  @Test
  void an_ipv6_only_wildcard_leaves_ipv4_alone() throws Refused {
    table.bind(PortSpace.TCP, Spi.at("::", 5000), false, true);
    bind("0.0.0.0", 5000);

    assertThat(table.listener(PortSpace.TCP, 5000, Spi.ip("127.0.0.1"))).isNull();
  }

  @Test
  void privileged_ports_need_the_privilege() throws Refused {
    refused(Errno.EACCES, "127.0.0.1", 1023);
    new PortTable(true).bind(PortSpace.TCP, Spi.at("127.0.0.1", 1), false, false);
  }

  @Test
  void port_0_is_any_free_one_of_the_ephemeral_range() throws Refused {
    int first = bind("127.0.0.1", 0).address().getPort();
    int second = bind("127.0.0.1", 0).address().getPort();

    assertThat(first).isBetween(32_768, 60_999).isNotEqualTo(second);
    assertThat(second).isBetween(32_768, 60_999);
  }

  @Test
  void a_port_may_be_shared_by_those_who_agree_but_only_one_listens() throws Refused {
    Binding first = bind("127.0.0.1", 5000, true);
    refused(Errno.EADDRINUSE, "127.0.0.1", 5000);
    Binding second = bind("127.0.0.1", 5000, true);
    assertThatThrownBy(() -> table.listen(second, listener())).isInstanceOf(Refused.class);

    table.release(first);
    table.listen(second, listener());

    assertThatThrownBy(() -> bind("127.0.0.1", 5000, true)).isInstanceOf(Refused.class);
  }

  @Test
  void a_listener_is_found_on_its_address_or_behind_its_wildcard_until_it_is_released()
      throws Refused {
    Binding one = bind("127.0.0.1", 5000);
    assertThat(table.isListening(PortSpace.TCP, 5000)).isFalse();
    SoftListener listener = listener();
    table.listen(one, listener);
    Binding any = bind("0.0.0.0", 5001);
    SoftListener everywhere = listener();
    table.listen(any, everywhere);

    assertThat(table.listener(PortSpace.TCP, 5000, Spi.ip("127.0.0.1"))).isSameAs(listener);
    assertThat(table.listener(PortSpace.TCP, 5000, Spi.ip("127.0.0.2"))).isNull();
    assertThat(table.listener(PortSpace.UDP, 5000, Spi.ip("127.0.0.1"))).isNull();
    assertThat(table.isListening(PortSpace.TCP, 5000)).isTrue();
    assertThat(table.listener(PortSpace.TCP, 5001, Spi.ip("10.1.2.3"))).isSameAs(everywhere);
    assertThat(table.listener(PortSpace.TCP, 5001, Spi.ip("::1"))).isNull();
    table.release(one);
    assertThat(table.listener(PortSpace.TCP, 5000, Spi.ip("127.0.0.1"))).isNull();
    table.release(any);
    assertThat(table.size()).isZero();
  }
}
