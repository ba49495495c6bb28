package io.vertxrdma.cm;

import static io.vertxrdma.cm.CmTestData.offer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.vertxrdma.cm.Adjustment.Severity;
import io.vertxrdma.core.ConnParam;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class P1_DepthAboveDeviceLimitTest {

  private static final ConnectionParameters WANTED =
      ConnectionParameters.DEFAULT.withResponderResources(32).withInitiatorDepth(32);

  @ParameterizedTest
  @ValueSource(ints = {16, 1, 0})
  void connectIsClampedToTheDevice(int maximum) {
    NegotiatedParameters got = Negotiation.forConnect(WANTED, new DeviceLimits(maximum, maximum));

    assertThat(got.responderResources()).isEqualTo(maximum);
    assertThat(got.initiatorDepth()).isEqualTo(maximum);
    assertThat(got.clamped()).isTrue();
    assertThat(got.adjustments())
        .extracting(Adjustment::field, Adjustment::wanted, Adjustment::used, Adjustment::severity)
        .containsExactlyInAnyOrder(
            tuple("responderResources", 32, maximum, Severity.WARN),
            tuple("initiatorDepth", 32, maximum, Severity.WARN));
    ConnParam handed = got.toConnParam(null, false);
    assertThat(handed.responderResources()).isEqualTo(maximum);
    assertThat(handed.initiatorDepth()).isEqualTo(maximum);
  }

  @Test
  void acceptIsClampedToTheDevice() {
    NegotiatedParameters got =
        Negotiation.forAccept(WANTED, new DeviceLimits(16, 16), offer(16, 16));

    assertThat(got.responderResources()).isEqualTo(16);
    assertThat(got.initiatorDepth()).isEqualTo(16);
    assertThat(got.adjustments())
        .hasSize(2)
        .allMatch(a -> a.severity() == Severity.WARN)
        .allMatch(a -> a.wanted() == 32 && a.used() == 16)
        .allMatch(a -> a.reason().startsWith("device maximum"));
  }

  @Test
  void eachDepthHasItsOwnDeviceLimit() {
    NegotiatedParameters got = Negotiation.forConnect(WANTED, new DeviceLimits(4, 8));

    assertThat(got.responderResources()).isEqualTo(4);
    assertThat(got.initiatorDepth()).isEqualTo(8);
    assertThat(got.adjustments().toString()).contains("max_qp_rd_atom is 4");
    assertThat(got.adjustments().toString()).contains("max_qp_init_rd_atom is 8");
  }

  @Test
  void theLineOfAnAdjustmentNamesFieldWantedAndUsed() {
    NegotiatedParameters got = Negotiation.forConnect(WANTED, new DeviceLimits(16, 255));

    assertThat(got.adjustments()).hasSize(1);
    assertThat(got.adjustments().get(0))
        .hasToString(
            "responderResources: wanted 32, used 16 (device maximum max_qp_rd_atom is 16)");
  }

  @Test
  void nothingIsAdjustedWithinTheLimits() {
    NegotiatedParameters got = Negotiation.forConnect(WANTED, new DeviceLimits(32, 32));

    assertThat(got.adjustments()).isEmpty();
    assertThat(got.clamped()).isFalse();
    assertThat(got.responderResources()).isEqualTo(32);
    assertThat(got.initiatorDepth()).isEqualTo(32);
  }

  @Test
  void strictRefusesAndNamesFieldWantedAndLimit() {
    ConnectionParameters strict = WANTED.withNegotiation(NegotiationMode.STRICT);

    assertThatThrownBy(() -> Negotiation.forConnect(strict, new DeviceLimits(16, 64)))
        .isInstanceOfSatisfying(
            NegotiationException.class,
            e -> {
              assertThat(e.operation()).isEqualTo("rdma_connect");
              assertThat(e.field()).isEqualTo("responderResources");
              assertThat(e.wanted()).isEqualTo(32);
              assertThat(e.limit()).isEqualTo(16);
            })
        .hasMessageContaining("responderResources 32 is above the limit 16");
    assertThatThrownBy(() -> Negotiation.forAccept(strict, new DeviceLimits(64, 16), offer(64, 64)))
        .isInstanceOf(NegotiationException.class)
        .hasMessageContaining("rdma_accept")
        .hasMessageContaining("initiatorDepth 32 is above the limit 16");
  }

  @Test
  void everyFieldIsWritten() {
    ConnectionParameters wanted =
        ConnectionParameters.DEFAULT
            .withResponderResources(3)
            .withInitiatorDepth(5)
            .withFlowControl(200)
            .withRetryCount(2)
            .withRnrRetryCount(1);

    ConnParam handed =
        Negotiation.forConnect(wanted, new DeviceLimits(16, 16))
            .toConnParam(new byte[] {1, 2}, true);

    assertThat(handed).isEqualTo(new ConnParam(new byte[] {1, 2}, 3, 5, 200, 2, 1, true, 0));
  }
}
