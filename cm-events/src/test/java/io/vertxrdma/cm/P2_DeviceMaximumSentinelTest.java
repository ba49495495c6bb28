package io.vertxrdma.cm;

import static io.vertxrdma.cm.CmTestData.requestFrom;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class P2_DeviceMaximumSentinelTest {

  private static final DeviceLimits SIXTEEN = new DeviceLimits(16, 16);
  private static final ConnectionParameters MAXIMUM =
      ConnectionParameters.DEFAULT.withResponderResources(255).withInitiatorDepth(255);

  @Test
  void bothSidesGetSixteenWithoutAWarning() {
    NegotiatedParameters client = Negotiation.forConnect(MAXIMUM, SIXTEEN);
    NegotiatedParameters server = Negotiation.forAccept(MAXIMUM, SIXTEEN, requestFrom(client));

    for (NegotiatedParameters side : new NegotiatedParameters[] {client, server}) {
      assertThat(side.responderResources()).isEqualTo(16);
      assertThat(side.initiatorDepth()).isEqualTo(16);
      assertThat(side.adjustments()).isEmpty();
      assertThat(side.warnings()).isEmpty();
      assertThat(side.clamped()).isFalse();
    }
  }

  @Test
  void strictIsSatisfiedByTheDeviceMaximum() {
    ConnectionParameters strict = MAXIMUM.withNegotiation(NegotiationMode.STRICT);

    assertThat(Negotiation.forConnect(strict, SIXTEEN).initiatorDepth()).isEqualTo(16);
    assertThat(Negotiation.forAccept(strict, SIXTEEN, CmTestData.offer(2, 0)).initiatorDepth())
        .isZero();
  }

  @Test
  void aJavaByteOfMinusOneIs255() {
    ConnectionParameters fromBytes =
        ConnectionParameters.DEFAULT
            .withResponderResources((byte) -1)
            .withInitiatorDepth((byte) 0xff);

    assertThat(ConnectionParameters.octet((byte) -1)).isEqualTo(255);
    assertThat(ConnectionParameters.octet(Byte.MIN_VALUE)).isEqualTo(128);
    assertThat(fromBytes).isEqualTo(MAXIMUM);
    assertThat(fromBytes.responderResources()).isEqualTo(255);
    assertThat(fromBytes.initiatorDepth()).isEqualTo(255);
  }

  @Test
  void oneBelowTheSentinelIsAnOrdinaryWish() {
    NegotiatedParameters got = Negotiation.forConnect(MAXIMUM.withInitiatorDepth(254), SIXTEEN);

    assertThat(got.initiatorDepth()).isEqualTo(16);
    assertThat(got.adjustments()).extracting(Adjustment::field).containsExactly("initiatorDepth");
  }
}
