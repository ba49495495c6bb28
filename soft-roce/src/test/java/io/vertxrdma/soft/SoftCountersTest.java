package io.vertxrdma.soft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.PortSpace;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SoftCountersTest {

  private final int udpPort = Spi.freeUdpPort();
  private final SoftProvider provider =
      new SoftProvider(new SoftProviderOptions().setUdpPort(udpPort));

  private void knock() throws Exception {
    Spi spi = new Spi(provider);
    CmId listener = spi.listen("127.0.0.1");
    CmId asking = spi.resolved(PortSpace.TCP, listener.localAddress());
    spi.verbs(asking);
    asking.connect(Spi.param(new byte[0]));
    spi.track(spi.next(CmEventType.CONNECT_REQUEST).id());
    spi.close();
  }

  @Test
  void counting_goes_on_when_a_device_is_closed_and_opened_again() throws Exception {
    SoftCounters counters = provider.counters(InetAddress.getByName("127.0.0.1"));
    assertThat(counters.snapshot()).isEmpty();

    knock();
    long once = counters.get(SoftCounters.Name.CM_RECEIVED);
    knock();

    assertThat(once).isPositive();
    assertThat(counters.get(SoftCounters.Name.CM_RECEIVED)).isGreaterThan(once);
  }

  @Test
  void an_address_the_options_do_not_allow_is_refused_by_name() throws Exception {
    InetAddress foreign = InetAddress.getByName("192.0.2.1");

    assertThatThrownBy(() -> provider.counters(foreign))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("192.0.2.1");
  }
}
