package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.ConnectException;
import io.vertxrdma.core.RdmaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class P3_CapabilityBeyondByteTest {

  private static final ConnectionParameters MAXIMUM =
      ConnectionParameters.DEFAULT.withResponderResources(255).withInitiatorDepth(255);

  @ParameterizedTest
  @ValueSource(longs = {255, 256, 65_535, 0x8000_0000L, 0xffff_ffffL})
  void deviceMaximumIsHandedOverAs255(long capability) {
    DeviceLimits limits = DeviceLimits.of(CmTestData.device(capability, capability));

    NegotiatedParameters got = Negotiation.forConnect(MAXIMUM, limits);

    assertThat(limits.maxResponderResources()).isEqualTo(capability);
    assertThat(limits.maxInitiatorDepth()).isEqualTo(capability);
    assertThat(limits.usableResponderResources()).isEqualTo(255);
    assertThat(limits.usableInitiatorDepth()).isEqualTo(255);
    assertThat(got.responderResources()).isEqualTo(255);
    assertThat(got.initiatorDepth()).isEqualTo(255);
    ConnParam handed = got.toConnParam(null, false);
    assertThat(handed.responderResources()).isEqualTo(255);
    assertThat(handed.initiatorDepth()).isEqualTo(255);
    assertThat(got.adjustments()).isEmpty();
    assertThat(got.refusals()).isEmpty();
  }

  @Test
  void deviceMaximumAtAcceptStaysTheSentinelWhereLibrdmacmIsWrongAboutTheDevice() {
    NegotiatedParameters got =
        Negotiation.forAccept(MAXIMUM, new DeviceLimits(256, 256), CmTestData.offer(8, 4));

    assertThat(got.responderResources()).isEqualTo(8);
    assertThat(got.initiatorDepth()).isEqualTo(4);
    assertThat(got.nativeResponderResources()).isEqualTo(255);
    assertThat(got.nativeInitiatorDepth()).isEqualTo(255);
  }

  @Test
  void anExplicitDepthOnADeviceOf256IsExplainedWhenItIsRefused() {
    NegotiatedParameters got =
        Negotiation.forConnect(ConnectionParameters.READ_HEAVY, new DeviceLimits(256, 256));

    assertThat(got.responderResources()).isEqualTo(16);
    assertThat(got.nativeResponderResources()).isEqualTo(16);
    assertThat(got.adjustments()).isEmpty();
    assertThat(got.warnings()).isEmpty();
    assertThat(got.refusals()).hasSize(2);

    RdmaException refused =
        CmFailures.ofCall(RdmaException.ofErrno("rdma_connect", 22), "10.0.0.1:18515", got);

    assertThat(refused)
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("Invalid argument")
        .hasMessageContaining("responderResources 16")
        .hasMessageContaining("initiatorDepth 16")
        .hasMessageContaining("256")
        .hasMessageContaining("ask for 255");
  }

  @Test
  void anAcceptRefusedForItIsNotTakenForAPeerThatIsGone() {
    NegotiatedParameters got =
        Negotiation.forAccept(
            ConnectionParameters.DEFAULT, new DeviceLimits(256, 256), CmTestData.offer(1, 1));

    assertThat(CmFailures.ofCall(RdmaException.ofErrno("rdma_accept", 22), "10.0.0.1:18515", got))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("low byte");
  }

  @Test
  void aDepthThatFitsTheLowByteIsNotSuspected() {
    NegotiatedParameters got =
        Negotiation.forConnect(ConnectionParameters.READ_HEAVY, new DeviceLimits(272, 65_535));

    assertThat(got.nativeResponderResources()).isEqualTo(16);
    assertThat(got.refusals()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Integer.MIN_VALUE, 0x1_0000_0000L})
  void aCapabilityThatIsNoUnsigned32BitValueIsRefused(long value) {
    assertThatThrownBy(() -> new DeviceLimits(value, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxResponderResources")
        .hasMessageContaining(String.valueOf(value));
    assertThatThrownBy(() -> new DeviceLimits(1, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxInitiatorDepth");
  }

  @Test
  void limitsComeFromTheRightAttributes() {
    DeviceLimits limits = DeviceLimits.of(CmTestData.device(7, 9));

    assertThat(limits).isEqualTo(new DeviceLimits(7, 9));
  }
}
