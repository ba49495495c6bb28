package io.vertxrdma.soft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.vertxrdma.core.AddressException;
import io.vertxrdma.core.AddressInUseException;
import io.vertxrdma.core.CmEvent;
import io.vertxrdma.core.CmEventChannel;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.CmOption;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.DeviceContext;
import io.vertxrdma.core.Errno;
import io.vertxrdma.core.PortAttributes;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.RdmaException;
import io.vertxrdma.core.RdmaProviders;
import io.vertxrdma.core.TransportType;
import java.net.DatagramSocket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which addresses and devices there are, who may use them, and when they are open. */
@Timeout(60)
class SoftAddressesTest {

  /** Documentation addresses: no host has them. */
  private static final String FOREIGN = "192.0.2.1";

  private final SoftProviderOptions options =
      new SoftProviderOptions().setUdpPort(Spi.freeUdpPort());
  private final SoftProvider provider = new SoftProvider(options);
  private final Spi spi = new Spi(provider);

  @AfterEach
  void close() {
    spi.close();
    assertThat(provider.devices()).noneMatch(device -> ((SoftDevice) device).isOpen());
  }

  private SoftDevice device(String address) {
    return (SoftDevice) provider.deviceFor(Spi.ip(address)).orElseThrow();
  }

  private static void refusedBind(CmId id, String address, int port, Errno errno) {
    assertThatThrownBy(() -> id.bind(Spi.at(address, port)))
        .isInstanceOfSatisfying(
            AddressException.class, e -> assertThat(e.code()).isEqualTo(errno.number()))
        .hasMessageContaining("rdma_bind_addr (" + address + ":" + port + ")")
        .hasMessageContaining(errno.text());
  }

  @Test
  void the_provider_is_found_by_name_and_available() {
    assertThat(RdmaProviders.named("soft")).isInstanceOf(SoftProvider.class);
    assertThat(new SoftProvider().availability().reason())
        .contains("RoCEv2 over UDP port 4791 on 127.0.0.0/8");
    assertThat(provider.availability().isAvailable()).isTrue();
  }

  @Test
  void the_default_device_is_known_and_described_without_being_opened() {
    DeviceContext device = provider.devices().get(0);

    assertThat(device.name()).isEqualTo("soft-127.0.0.1");
    assertThat(device.driver()).isEqualTo("soft");
    assertThat(device.transport()).isEqualTo(TransportType.ROCE);
    assertThat(device.addresses(1)).containsExactly(Spi.ip("127.0.0.1"));
    assertThat(device.attributes().maxResponderResources()).isEqualTo(128);
    assertThat(device.attributes().nodeGuid()).isNotZero();
    assertThat(device.queryPort(1).state()).isEqualTo(PortAttributes.State.ACTIVE);
    assertThat(device.queryPort(1).activeMtu()).isEqualTo(4096);
    assertThatThrownBy(() -> device.queryPort(2)).isInstanceOf(IllegalArgumentException.class);
    assertThat(provider.deviceFor(Spi.ip("127.0.0.1"))).containsSame(device);
    assertThat(device("127.0.0.1").isOpen()).isFalse();
  }

  @Test
  void a_device_is_open_from_its_first_id_or_object_to_its_last() {
    SoftDevice device = device("127.0.0.1");
    CmId id = spi.listen("127.0.0.1");
    assertThat(device.isOpen()).isTrue();
    var domain = device.allocateProtectionDomain();
    id.close();
    assertThat(device.isOpen()).isTrue();

    domain.close();

    assertThat(device.isOpen()).isFalse();
    device.createCompletionQueue(1, null).close();
    assertThat(device.isOpen()).isFalse();
  }

  @Test
  void sockets_are_on_the_event_loop_of_the_channel_that_used_the_device_first() {
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      CmEventChannel channel = provider.createEventChannel(group.next());
      CmId id = channel.createId(PortSpace.TCP);
      id.bind(Spi.at("127.0.0.3", 0));
      assertThat(device("127.0.0.3").loop()).isSameAs(group.next());
      id.close();

      // Again at once, on the loop itself and off it: the port is free by then.
      CmId second = channel.createId(PortSpace.TCP);
      group.next().submit(() -> second.bind(Spi.at("127.0.0.3", 0))).syncUninterruptibly();
      second.close();
      channel.close();
      SoftProvider alone = new SoftProvider(new SoftProviderOptions(options).setOwnEventLoop(true));
      CmEventChannel own = alone.createEventChannel(group.next());
      CmId third = own.createId(PortSpace.TCP);
      third.bind(Spi.at("127.0.0.3", 0));
      SoftDevice device = (SoftDevice) alone.deviceFor(Spi.ip("127.0.0.3")).orElseThrow();
      assertThat(device.loop()).isNotSameAs(group.next());
      third.close();
      own.close();
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  @Test
  void only_loopback_addresses_are_allowed_unless_others_are_listed() {
    CmId id = spi.id(PortSpace.TCP);
    refusedBind(id, FOREIGN, 5000, Errno.EADDRNOTAVAIL);
    assertThat(provider.deviceFor(Spi.ip(FOREIGN))).isEmpty();
    assertThat(provider.deviceFor(Spi.ip("127.8.8.8"))).isPresent();
    assertThatThrownBy(() -> id.bind(Spi.at(FOREIGN, 5000)))
        .hasMessageContaining("vertx.rdma.soft.addresses");
    assertThatThrownBy(() -> id.resolveAddress(Spi.at(FOREIGN, 0), Spi.at("127.0.0.1", 1), 100))
        .isInstanceOf(AddressException.class)
        .hasMessageContaining("rdma_resolve_addr");
  }

  @Test
  void lists_of_addresses_come_from_the_options_or_a_property() {
    assertThat(SoftProviderOptions.parse(" 10.0.0.1, ,::1 ,*"))
        .containsExactly("10.0.0.1", "::1", "*");
    assertThat(new SoftProviderOptions().getAddresses()).containsExactly("127.0.0.1");
    SoftProviderOptions several =
        new SoftProviderOptions().setAddresses(List.of("127.0.0.7", "127.0.0.8"));
    assertThat(new SoftProvider(several).devices())
        .extracting(DeviceContext::name)
        .containsExactly("soft-127.0.0.7", "soft-127.0.0.8");
    System.setProperty(SoftProviderOptions.ADDRESSES_PROPERTY, "127.0.0.9");
    try {
      assertThat(new SoftProviderOptions().getAddresses()).containsExactly("127.0.0.9");
    } finally {
      System.clearProperty(SoftProviderOptions.ADDRESSES_PROPERTY);
    }
  }

  @Test
  void a_wildcard_listener_has_no_device_and_listens_on_the_configured_addresses() {
    CmId listener = spi.id(PortSpace.TCP);
    listener.bind(Spi.at("0.0.0.0", 0));
    assertThat(device("127.0.0.1").isOpen()).isFalse();
    listener.listen(0);
    assertThat(listener.device()).isNull();
    assertThat(listener.port()).isZero();
    int port = listener.localAddress().getPort();
    assertThat(port).isPositive();
    CmId asking = spi.resolved(PortSpace.TCP, Spi.at("127.0.0.1", port));
    spi.verbs(asking);

    asking.connect(Spi.PARAMETERS);

    CmEvent request = spi.next(CmEventType.CONNECT_REQUEST);
    spi.track(request.id());
    assertThat(request.listener()).isSameAs(listener);
    assertThat(request.id().device()).isSameAs(device("127.0.0.1"));
    assertThat(request.id().localAddress()).isEqualTo(Spi.at("127.0.0.1", port));
  }

  @Test
  void listening_without_a_bind_is_listening_anywhere() {
    CmId listener = spi.id(PortSpace.TCP);

    listener.listen(0);

    assertThat(listener.localAddress().getPort()).isPositive();
    assertThat(listener.localAddress().getAddress().isAnyLocalAddress()).isTrue();
  }

  @Test
  void a_taken_port_is_told_as_such_and_free_once_its_owner_is_closed() {
    CmId first = spi.listen("127.0.0.1");
    int port = first.localAddress().getPort();
    CmId second = spi.id(PortSpace.TCP);
    refusedBind(second, "127.0.0.1", port, Errno.EADDRINUSE);
    assertThatThrownBy(() -> second.bind(Spi.at("0.0.0.0", port)))
        .isInstanceOf(AddressInUseException.class)
        .hasMessageContaining("Address already in use");

    first.close();

    second.bind(Spi.at("127.0.0.1", port));
    second.listen(1);
  }

  @Test
  void a_fixed_source_can_be_used_once_at_a_time() {
    spi.listen("127.0.0.1");
    CmId first = spi.id(PortSpace.TCP);
    first.resolveAddress(Spi.at("127.0.0.1", 40_000), Spi.at("127.0.0.1", 1), 100);
    CmId second = spi.id(PortSpace.TCP);

    assertThatThrownBy(
            () -> second.resolveAddress(Spi.at("127.0.0.1", 40_000), Spi.at("127.0.0.1", 1), 100))
        .isInstanceOf(AddressInUseException.class);

    second.resolveAddress(Spi.at("127.0.0.1", 0), Spi.at("127.0.0.1", 1), 100);
    spi.next(CmEventType.ADDR_RESOLVED);
    spi.next(CmEventType.ADDR_RESOLVED);
    assertThat(first.localAddress()).isEqualTo(Spi.at("127.0.0.1", 40_000));
    assertThat(second.localAddress().getPort()).isNotEqualTo(40_000).isPositive();
  }

  @Test
  void a_udp_port_that_somebody_else_has_is_told_as_such() throws Exception {
    try (DatagramSocket other = new DatagramSocket(null)) {
      other.bind(Spi.at("127.0.0.1", options.getUdpPort()));
      CmId id = spi.id(PortSpace.TCP);

      assertThatThrownBy(() -> id.bind(Spi.at("127.0.0.1", 0)))
          .isInstanceOf(AddressInUseException.class)
          .hasMessageContaining("127.0.0.1")
          .hasMessageContaining(String.valueOf(options.getUdpPort()))
          .hasMessageContaining("127.0.0.0/8");
    }
    assertThat(device("127.0.0.1").isOpen()).isFalse();
  }

  @Test
  void a_destination_that_only_forbidden_addresses_lead_to_is_an_address_error() {
    CmId id = spi.id(PortSpace.TCP);

    id.resolveAddress(null, Spi.at(FOREIGN, 4711), 100);

    CmEvent event = spi.next(CmEventType.ADDR_ERROR);
    assertThat(event.status()).isEqualTo(-Errno.ENODEV.number());
    assertThat(id.device()).isNull();
  }

  @Test
  void the_device_is_known_once_the_resolution_was_read() {
    CmId id = spi.id(PortSpace.TCP);
    assertThat(id.localAddress()).isNull();
    assertThat(id.remoteAddress()).isNull();
    id.resolveAddress(null, Spi.at("127.0.0.1", 4711), 100);
    assertThat(id.device()).isNull();

    spi.next(CmEventType.ADDR_RESOLVED);

    assertThat(id.device()).isNotNull();
    assertThat(id.port()).isEqualTo(1);
    assertThat(id.remoteAddress()).isEqualTo(Spi.at("127.0.0.1", 4711));
  }

  @Test
  void calls_in_the_wrong_state_are_refused_as_the_kernel_does() {
    CmId id = spi.id(PortSpace.TCP);
    assertThatThrownBy(() -> id.resolveRoute(1)).hasMessageContaining("EINVAL");
    assertThatThrownBy(() -> id.reject(null)).hasMessageContaining("EINVAL");
    assertThatThrownBy(() -> id.connect(ConnParam.ZERO)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> id.accept(ConnParam.ZERO)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> id.reject(new byte[256])).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> id.resolveRoute(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> id.createQueuePair(null, null))
        .isInstanceOf(NullPointerException.class);
    id.disconnect();
    id.setOption(CmOption.TOS, 32);
    id.setOption(CmOption.ACK_TIMEOUT, 14);
    assertThatThrownBy(() -> id.setOption(CmOption.TOS, 256))
        .isInstanceOf(IllegalArgumentException.class);
    id.bind(Spi.at("127.0.0.1", 0));
    assertThatThrownBy(() -> id.bind(Spi.at("127.0.0.1", 0)))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("rdma_bind_addr")
        .hasMessageContaining("EINVAL");
    assertThatThrownBy(() -> id.setOption(CmOption.REUSE_ADDRESS, 1))
        .hasMessageContaining("EINVAL");
    id.listen(1);
    assertThatThrownBy(() -> id.listen(1)).hasMessageContaining("EINVAL");
    assertThatThrownBy(() -> id.resolveAddress(null, Spi.at("127.0.0.1", 1), 1))
        .hasMessageContaining("EINVAL");
  }

  @Test
  void a_closed_id_throws_and_a_channel_with_ids_does_not_close() {
    CmId id = spi.id(PortSpace.TCP);
    assertThat(spi.channel.liveIds()).isEqualTo(1);
    assertThatThrownBy(spi.channel::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1 cm ids");

    id.close();
    id.close();

    assertThat(id.isClosed()).isTrue();
    assertThat(spi.channel.liveIds()).isZero();
    List.<Runnable>of(
            id::disconnect,
            () -> id.listen(1),
            () -> id.bind(Spi.at("127.0.0.1", 0)),
            () -> id.resolveRoute(1),
            () -> id.connect(ConnParam.ZERO),
            () -> id.accept(ConnParam.ZERO),
            () -> id.reject(null),
            () -> id.setOption(CmOption.TOS, 1),
            id::device,
            id::localAddress,
            id::remoteAddress,
            id::port,
            () -> id.migrate(spi.channel))
        .forEach(
            call ->
                assertThatThrownBy(call::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed"));
    assertThat(device("127.0.0.1").isOpen()).isFalse();
  }

  @Test
  void events_of_a_closed_id_are_dropped() {
    CmId id = spi.id(PortSpace.TCP);
    id.resolveAddress(null, Spi.at("127.0.0.1", 4711), 100);

    id.close();

    assertThat(spi.channel.poll()).isNull();
  }

  @Test
  void an_id_moves_to_another_channel_with_its_events() {
    Spi other = new Spi(provider);
    CmId id = spi.id(PortSpace.TCP);
    id.resolveAddress(null, Spi.at("127.0.0.1", 4711), 100);

    id.migrate(other.channel);

    assertThat(spi.channel.poll()).isNull();
    assertThat(spi.channel.liveIds()).isZero();
    assertThat(other.channel.liveIds()).isEqualTo(1);
    assertThat(other.next(CmEventType.ADDR_RESOLVED).id()).isSameAs(id);
    id.resolveRoute(1);
    other.next(CmEventType.ROUTE_RESOLVED);
    CmEventChannel elsewhere = new SoftProvider(options).createEventChannel();
    assertThatThrownBy(() -> id.migrate(elsewhere)).isInstanceOf(IllegalArgumentException.class);
    id.close();
    other.close();
  }

  @Test
  void the_listener_of_a_channel_is_called_when_it_becomes_readable_and_when_more_is_left() {
    int[] calls = {0};
    spi.channel.setReadableListener(() -> calls[0]++);
    CmId first = spi.id(PortSpace.TCP);
    CmId second = spi.id(PortSpace.TCP);
    first.resolveAddress(null, Spi.at("127.0.0.1", 4711), 100);
    second.resolveAddress(null, Spi.at("127.0.0.1", 4711), 100);
    assertThat(calls[0]).isEqualTo(1);

    assertThat(spi.channel.poll()).isNotNull();
    assertThat(calls[0]).as("one more waits").isEqualTo(2);
    assertThat(spi.channel.poll()).isNotNull();
    assertThat(spi.channel.poll()).isNull();
    assertThat(calls[0]).isEqualTo(2);
    assertThat(spi.channel.fileDescriptor()).isEqualTo(-1);
  }
}
