package io.vertxrdma.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class DriverQuirksTest {

  private static final DeviceLimits WIDE = new DeviceLimits(128, 128);
  private static final DriverQuirks RXE = DriverQuirks.forDriver("rxe");

  @ParameterizedTest
  @ValueSource(strings = {"rxe", "RXE", "rdma_rxe"})
  void rxeHasThemAll(String driver) {
    DriverQuirks quirks = DriverQuirks.forDriver(driver);

    assertThat(quirks.maxRetryCount()).isEqualTo(6);
    assertThat(quirks.solicitedOnlyWorks()).isFalse();
    assertThat(quirks.flushesReceivesPostedInError()).isFalse();
    assertThat(quirks.readWithDepthZeroHangs()).isTrue();
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(strings = {"mlx5", "siw"})
  void othersHaveNone(String driver) {
    DriverQuirks quirks = DriverQuirks.forDriver(driver);

    assertThat(quirks.maxRetryCount()).isEqualTo(7);
    assertThat(quirks.solicitedOnlyWorks()).isTrue();
    assertThat(quirks.flushesReceivesPostedInError()).isTrue();
    assertThat(quirks.readWithDepthZeroHangs()).isFalse();
  }

  @Test
  void theSoftProviderSwallowsReceivesInTheErrorStateLikeRxeAndIsStandardOtherwise() {
    assertThat(DriverQuirks.forDriver("soft"))
        .isEqualTo(new DriverQuirks("soft", 7, true, false, false));
  }

  @Test
  void sevenRetriesBecomeSixOnRxeAndStrictDoesNotMind() {
    ConnectionParameters wanted =
        ConnectionParameters.DEFAULT.withNegotiation(NegotiationMode.STRICT);

    NegotiatedParameters got = Negotiation.forConnect(wanted, WIDE, RXE);

    assertThat(got.retryCount()).isEqualTo(6);
    assertThat(got.toConnParam(null, false).retryCount()).isEqualTo(6);
    assertThat(got.rnrRetryCount()).as("7 is right there").isEqualTo(7);
    assertThat(got.clamped()).isFalse();
    assertThat(got.adjustments())
        .singleElement()
        .hasToString("retryCount: wanted 7, used 6 (driver rxe never gives up with a higher one)");
  }

  @ParameterizedTest
  @CsvSource({"rxe,6", "rxe,0", "mlx5,7"})
  void otherRetryCountsStay(String driver, int count) {
    NegotiatedParameters got =
        Negotiation.forConnect(
            ConnectionParameters.DEFAULT.withRetryCount(count),
            WIDE,
            DriverQuirks.forDriver(driver));

    assertThat(got.retryCount()).isEqualTo(count);
    assertThat(got.adjustments()).isEmpty();
  }

  @Test
  void aPeersSevenOnRxeCannotBeChangedAndIsToldOf() {
    NegotiatedParameters got =
        Negotiation.forAccept(ConnectionParameters.DEFAULT, WIDE, CmTestData.offer(1, 1), RXE);

    assertThat(got.retryCount()).isEqualTo(7);
    assertThat(got.findings())
        .filteredOn(found -> found.kind() == AlignmentFinding.Kind.RETRY_COUNT_HIGHEST)
        .singleElement()
        .asString()
        .contains("retry count 7", "rxe", "never gives up");
    assertThat(got.warnings()).isEmpty();
  }

  @Test
  void aReadWithDepthZeroIsRefusedBeforeAnyCall() {
    ConnectionParameters none = ConnectionParameters.DEFAULT.withInitiatorDepth(0);

    assertThatIllegalStateException()
        .isThrownBy(() -> Negotiation.forConnect(none, WIDE, RXE).checkRead())
        .withMessageContaining("initiator depth is 0");
    Negotiation.forConnect(none.withInitiatorDepth(1), WIDE, RXE).checkRead();
  }

  @Test
  void eachQuirkIsToldInWordsAndADriverWithoutThemSaysNothing() {
    assertThat(RXE.text().split("; "))
        .hasSize(4)
        .anySatisfy(line -> assertThat(line).contains("retry counts above 6", "6 is used"))
        .anySatisfy(line -> assertThat(line).contains("solicited-only", "all completions"))
        .anySatisfy(line -> assertThat(line).contains("receives posted in the error state"))
        .anySatisfy(line -> assertThat(line).contains("READ with initiator depth 0"));
    assertThat(DriverQuirks.NONE.text()).isEmpty();
  }
}
