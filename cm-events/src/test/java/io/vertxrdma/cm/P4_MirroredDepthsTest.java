package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnParam;
import org.junit.jupiter.api.Test;

class P4_MirroredDepthsTest {

  private static final DeviceLimits WIDE = new DeviceLimits(128, 128);

  /** connect(responderResources=5, initiatorDepth=3) is seen as 3/5 (rdma_get_cm_event(3)). */
  private static final PeerOffer SEEN =
      PeerOffer.of(
          CmTestData.event(
              CmEventType.CONNECT_REQUEST, 0, new ConnParam(null, 3, 5, 9, 2, 1, true, 0xabc)));

  @Test
  void theOfferKeepsTheEventsTermsAndNamesThePeersOwn() {
    assertThat(SEEN.responderResources()).isEqualTo(3);
    assertThat(SEEN.initiatorDepth()).isEqualTo(5);
    assertThat(SEEN.peerInitiatorDepth()).isEqualTo(3);
    assertThat(SEEN.peerResponderResources()).isEqualTo(5);
    assertThat(SEEN.flowControl()).isEqualTo(9);
    assertThat(SEEN.retryCount()).isEqualTo(2);
    assertThat(SEEN.rnrRetryCount()).isEqualTo(1);
    assertThat(SEEN.sharedReceiveQueue()).isTrue();
    assertThat(SEEN.queuePairNumber()).isEqualTo(0xabc);
  }

  @Test
  void negotiationDoesNotSwapThemAgain() {
    NegotiatedParameters got = Negotiation.forAccept(ConnectionParameters.READ_HEAVY, WIDE, SEEN);

    assertThat(got.responderResources()).isEqualTo(3);
    assertThat(got.initiatorDepth()).isEqualTo(5);
  }

  @Test
  void countsAreNotEchoedFromTheRequest() {
    NegotiatedParameters got =
        Negotiation.forAccept(ConnectionParameters.READ_HEAVY.withRnrRetryCount(4), WIDE, SEEN);

    assertThat(got.rnrRetryCount()).isEqualTo(4);
    assertThat(got.flowControl()).isZero();
    assertThat(got.retryCount()).as("accept has no say in it").isEqualTo(2);
  }

  @Test
  void theReplyIsReadInTheReadersTermsToo() {
    NegotiatedParameters asked = Negotiation.forConnect(ConnectionParameters.READ_HEAVY, WIDE);

    NegotiatedParameters got =
        Negotiation.forReply(asked, new PeerOffer(2, 6, 0, 0, 7, false, 1, 0));

    assertThat(got.responderResources()).isEqualTo(2);
    assertThat(got.initiatorDepth()).isEqualTo(6);
    assertThat(got.retryCount()).isEqualTo(7);
    assertThat(got.clamped()).isTrue();
    assertThat(got.adjustments())
        .containsExactly(
            new Adjustment(
                "initiatorDepth",
                16,
                6,
                "the peer's responder resources are 6",
                Adjustment.Severity.WARN));
  }

  @Test
  void aReplyThatClaimsMoreThanWasOfferedIsToldOf() {
    NegotiatedParameters asked = Negotiation.forConnect(ConnectionParameters.DEFAULT, WIDE);

    NegotiatedParameters got = Negotiation.forReply(asked, CmTestData.offer(9, 9));

    assertThat(got.responderResources()).isEqualTo(1);
    assertThat(got.initiatorDepth()).isEqualTo(1);
    assertThat(got.warnings()).singleElement().asString().contains("initiator depth 9 exceeds");
  }
}
