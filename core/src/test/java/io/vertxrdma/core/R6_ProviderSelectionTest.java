package io.vertxrdma.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.ProviderSelection.Selected;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class R6_ProviderSelectionTest {

  private static final String CARD_ADDRESS = "127.0.0.80";
  private static final String OTHER_ADDRESS = "127.0.0.81";

  private final Provider card = new Provider("native", CARD_ADDRESS);
  private final Provider soft = new Provider("soft", CARD_ADDRESS, OTHER_ADDRESS);
  private final Map<String, String> properties = new HashMap<>();
  private final Map<String, String> variables = new HashMap<>();

  /** A provider with one device that has these addresses. */
  private static final class Provider implements RdmaProvider {

    private final String name;
    private final List<String> addresses;
    private Availability availability = Availability.available("1 device");

    Provider(String name, String... addresses) {
      this.name = name;
      this.addresses = List.of(addresses);
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Availability availability() {
      return availability;
    }

    @Override
    public CmEventChannel createEventChannel(Executor eventLoop) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<DeviceContext> devices() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<DeviceContext> deviceFor(InetAddress localAddress) {
      return addresses.contains(localAddress.getHostAddress())
          ? Optional.of(device(name + "0"))
          : Optional.empty();
    }

    private static DeviceContext device(String name) {
      return (DeviceContext)
          Proxy.newProxyInstance(
              DeviceContext.class.getClassLoader(),
              new Class<?>[] {DeviceContext.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("name")) {
                  return name;
                }
                throw new UnsupportedOperationException(method.getName());
              });
    }
  }

  private ProviderSelection among(RdmaProvider... providers) {
    return new ProviderSelection(List.of(providers), properties::get, variables::get);
  }

  private static InetAddress address(String text) {
    try {
      return text == null ? null : InetAddress.getByName(text);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private void withoutCard() {
    card.availability =
        Availability.unavailable(Availability.Cause.NO_DEVICE, "there is no RDMA device");
  }

  @Test
  void anAddressOfAnRdmaDeviceIsServedByTheDevice() {
    Selected selected = among(soft, card).forLocal("auto", address(CARD_ADDRESS));

    assertThat(selected.provider()).isSameAs(card);
    assertThat(selected.reason()).isEqualTo("127.0.0.80 belongs to RDMA device native0");
  }

  @Test
  void anotherAddressIsServedBySoftEvenBesideADevice() {
    Selected selected = among(soft, card).forLocal("auto", address(OTHER_ADDRESS));

    assertThat(selected.provider()).isSameAs(soft);
    assertThat(selected.reason()).isEqualTo("127.0.0.81 belongs to no RDMA device");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"0.0.0.0", "::"})
  void withoutALocalAddressTheDeviceComesFirst(String local) {
    assertThat(among(soft, card).forLocal("auto", address(local)).provider()).isSameAs(card);

    withoutCard();
    Selected selected = among(soft, card).forLocal("auto", address(local));
    assertThat(selected.provider()).isSameAs(soft);
    assertThat(selected.reason()).isEqualTo("native: there is no RDMA device");
  }

  @Test
  void withoutADeviceSoftServesEveryAddressAndSaysWhy() {
    withoutCard();

    Selected selected = among(soft, card).forLocal("auto", address(CARD_ADDRESS));

    assertThat(selected.provider()).isSameAs(soft);
    assertThat(selected.reason()).isEqualTo("native: there is no RDMA device");
  }

  @Test
  void aPeerIsReachedFromTheAddressTheRouteGives() {
    // A host reaches its own addresses from themselves.
    assertThat(among(soft, card).forPeer("auto", address(CARD_ADDRESS)).provider()).isSameAs(soft);
    assertThat(
            among(soft, new Provider("native", "127.0.0.1")).forPeer("auto", address("127.0.0.1")))
        .extracting(selected -> selected.provider().name())
        .isEqualTo("native");
  }

  @ParameterizedTest
  @CsvSource({
    "soft,  native, native, soft,   as asked",
    "auto,  soft,   native, soft,   by system property vertx.rdma.provider",
    "auto,  auto,   native, native, '127.0.0.80 belongs to RDMA device native0'",
    "auto,  ' ',    soft,   soft,   by environment variable VERTX_RDMA_PROVIDER",
    "auto,  ,       soft,   soft,   by environment variable VERTX_RDMA_PROVIDER",
    "auto,  ,       '',     native, '127.0.0.80 belongs to RDMA device native0'",
    "native,soft,   soft,   native, as asked"
  })
  void theOptionComesBeforeThePropertyAndThatBeforeTheVariable(
      String option, String property, String variable, String expected, String reason) {
    properties.put(ProviderSelection.PROPERTY, property);
    variables.put(ProviderSelection.VARIABLE, variable);

    Selected selected = among(soft, card).forLocal(option, address(CARD_ADDRESS));

    assertThat(selected.provider().name()).isEqualTo(expected);
    assertThat(selected.reason()).isEqualTo(reason);
  }

  @Test
  void whatWasNamedIsNotReplacedWhenItCannotBeUsed() {
    withoutCard();
    variables.put(ProviderSelection.VARIABLE, "native");

    assertThatThrownBy(() -> among(soft, card).forPeer("auto", address(OTHER_ADDRESS)))
        .isInstanceOf(ProviderUnavailableException.class)
        .hasMessageContaining("the native RDMA provider is not available")
        .hasMessageContaining("there is no RDMA device");
  }

  @Test
  void anUnknownNameSaysWhereItCameFromAndWhatThereIs() {
    properties.put(ProviderSelection.PROPERTY, "infinity");

    assertThatThrownBy(() -> among(soft, card).forLocal("auto", null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "there is no RDMA provider 'infinity' (by system property vertx.rdma.provider), only"
                + " [soft, native]");
  }

  @Test
  void whereNothingWorksEveryReasonIsGiven() {
    withoutCard();
    soft.availability = Availability.unavailable(Availability.Cause.NO_RIGHTS, "not allowed");

    assertThatThrownBy(() -> among(soft, card).forLocal("auto", address(OTHER_ADDRESS)))
        .isInstanceOf(ProviderUnavailableException.class)
        .hasMessageContaining("soft: not allowed; native: there is no RDMA device");
    assertThatThrownBy(() -> among().forLocal("auto", null))
        .isInstanceOf(ProviderUnavailableException.class)
        .hasMessageContaining("no provider is on the class path");
  }
}
