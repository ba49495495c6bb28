package io.vertxrdma.cm;

import static io.vertxrdma.cm.CmTestData.offer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.cm.Adjustment.Severity;
import org.junit.jupiter.api.Test;

class P5_AcceptingMoreThanOfferedTest {

  private static final DeviceLimits WIDE = new DeviceLimits(128, 128);
  private static final ConnectionParameters DEEP =
      ConnectionParameters.DEFAULT.withInitiatorDepth(16).withResponderResources(16);

  @Test
  void aPeerThatServesNothingGivesDepthZeroAndAWarning() {
    NegotiatedParameters got = Negotiation.forAccept(DEEP, WIDE, offer(16, 0));

    assertThat(got.initiatorDepth()).isZero();
    assertThat(got.nativeInitiatorDepth()).isZero();
    assertThat(got.clamped()).isTrue();
    assertThat(got.adjustments())
        .containsExactly(
            new Adjustment(
                "initiatorDepth", 16, 0, "the peer's responder resources are 0", Severity.WARN));
  }

  @Test
  void zeroOnBothSidesIsAnOrdinaryConnection() {
    ConnectionParameters none =
        ConnectionParameters.DEFAULT.withInitiatorDepth(0).withResponderResources(0);
    NegotiatedParameters client = Negotiation.forConnect(none, WIDE);
    NegotiatedParameters server = Negotiation.forAccept(none, WIDE, CmTestData.requestFrom(client));

    assertThat(client.adjustments()).isEmpty();
    assertThat(server.adjustments()).isEmpty();
    assertThat(server.warnings()).isEmpty();
    assertThat(server.responderResources()).isZero();
    assertThat(server.initiatorDepth()).isZero();
  }

  @Test
  void theDefaultAgainstAPeerThatNeverReadsIsNoNews() {
    NegotiatedParameters got =
        Negotiation.forAccept(ConnectionParameters.DEFAULT, WIDE, offer(0, 0));

    assertThat(got.responderResources()).isZero();
    assertThat(got.initiatorDepth()).isZero();
    assertThat(got.clamped()).isFalse();
    assertThat(got.warnings()).isEmpty();
    assertThat(got.adjustments()).hasSize(2).allMatch(a -> a.severity() == Severity.INFO);
  }

  @Test
  void responderResourcesAreNoMoreThanThePeerNeeds() {
    NegotiatedParameters got = Negotiation.forAccept(DEEP, WIDE, offer(4, 16));

    assertThat(got.responderResources()).isEqualTo(4);
    assertThat(got.clamped()).isFalse();
    assertThat(got.adjustments())
        .containsExactly(
            new Adjustment("responderResources", 16, 4, "the peer needs 4", Severity.INFO));
  }

  @Test
  void aPeerThatMeansToReadMoreThanWeServeIsWarnedOf() {
    NegotiatedParameters got =
        Negotiation.forAccept(ConnectionParameters.DEFAULT, WIDE, offer(128, 128));

    assertThat(got.responderResources()).isEqualTo(1);
    assertThat(got.warnings())
        .singleElement()
        .asString()
        .contains("peer's initiator depth 128 exceeds our responder resources 1");
  }

  @Test
  void theLowerOfDeviceAndOfferHolds() {
    assertThat(Negotiation.forAccept(DEEP, new DeviceLimits(8, 8), offer(128, 4)).adjustments())
        .extracting(Adjustment::toString)
        .containsExactly(
            "responderResources: wanted 16, used 8 (device maximum max_qp_rd_atom is 8)",
            "initiatorDepth: wanted 16, used 4 (the peer's responder resources are 4)");
    assertThat(Negotiation.forAccept(DEEP, new DeviceLimits(8, 8), offer(2, 128)).adjustments())
        .extracting(Adjustment::toString)
        .containsExactly(
            "responderResources: wanted 16, used 2 (device maximum max_qp_rd_atom is 8, and the"
                + " peer needs 2)",
            "initiatorDepth: wanted 16, used 8 (device maximum max_qp_init_rd_atom is 8)");
  }

  @Test
  void strictRefusesADepthThePeerDoesNotServeButNotOneItDoesNotNeed() {
    ConnectionParameters strict = DEEP.withNegotiation(NegotiationMode.STRICT);

    assertThatThrownBy(() -> Negotiation.forAccept(strict, WIDE, offer(16, 0)))
        .isInstanceOf(NegotiationException.class)
        .hasMessageContaining("initiatorDepth 16 is above the limit 0");
    assertThat(Negotiation.forAccept(strict, WIDE, offer(2, 16)).responderResources()).isEqualTo(2);
  }

  @Test
  void aMinimumRefusesAPeerThatServesLessButNotOneThatNeedsLess() {
    ConnectionParameters demanding = DEEP.withMinInitiatorDepth(4).withMinResponderResources(4);

    assertThatThrownBy(() -> Negotiation.forAccept(demanding, WIDE, offer(16, 3)))
        .isInstanceOf(NegotiationException.class)
        .hasMessageContaining("minInitiatorDepth 4 is above the limit 3")
        .hasMessageContaining("peer's responder resources are 3");
    assertThatThrownBy(() -> Negotiation.forConnect(demanding, new DeviceLimits(2, 16)))
        .isInstanceOf(NegotiationException.class)
        .hasMessageContaining("minResponderResources 4 is above the limit 2");
    assertThat(Negotiation.forAccept(demanding, WIDE, offer(0, 4)).initiatorDepth()).isEqualTo(4);
  }

  @Test
  void aReplyThatServesTooLittleIsRefusedByMinimumAndByStrict() {
    NegotiatedParameters demanding = Negotiation.forConnect(DEEP.withMinInitiatorDepth(4), WIDE);
    NegotiatedParameters strict =
        Negotiation.forConnect(DEEP.withNegotiation(NegotiationMode.STRICT), WIDE);

    assertThat(Negotiation.forReply(demanding, offer(1, 4)).initiatorDepth()).isEqualTo(4);
    assertThatThrownBy(() -> Negotiation.forReply(demanding, offer(1, 3)))
        .isInstanceOf(NegotiationException.class)
        .hasMessageContaining("rdma_connect")
        .hasMessageContaining("minInitiatorDepth 4");
    assertThatThrownBy(() -> Negotiation.forReply(strict, offer(1, 15)))
        .isInstanceOf(NegotiationException.class)
        .hasMessageContaining("initiatorDepth 16 is above the limit 15");
  }
}
