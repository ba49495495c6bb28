package io.vertxrdma.cm;

import static io.vertxrdma.cm.PrivateDataLimits.Operation.CONNECT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.cm.PrivateDataLimits.Advice;
import io.vertxrdma.core.PortSpace;
import io.vertxrdma.core.TransportType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class D1_RequestPrivateDataLimitTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 56})
  void upTo56BytesPass(int length) {
    assertThatCode(
            () ->
                PrivateDataLimits.check(
                    CONNECT, TransportType.ROCE, PortSpace.TCP, new byte[length]))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(ints = {57, 100, 255, 256, 300})
  void moreIsRefusedNamingLimitAndLength(int length) {
    assertThatThrownBy(
            () ->
                PrivateDataLimits.check(
                    CONNECT, TransportType.ROCE, PortSpace.TCP, new byte[length]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("private data for connect is limited to 56 bytes on ROCE, got " + length);
  }

  @ParameterizedTest
  @EnumSource(
      value = TransportType.class,
      names = {"INFINIBAND", "ROCE", "OTHER"})
  void datagramRequestsHold180(TransportType transport) {
    assertThat(PrivateDataLimits.limit(CONNECT, transport, PortSpace.TCP)).isEqualTo(56);
    assertThat(PrivateDataLimits.limit(CONNECT, transport, PortSpace.UDP)).isEqualTo(180);
    assertThatThrownBy(
            () -> PrivateDataLimits.check(CONNECT, transport, PortSpace.UDP, new byte[181]))
        .hasMessage(
            "private data for connect is limited to 180 bytes on "
                + transport
                + " (port space UDP), got 181");
  }

  @Test
  void iwarpHoldsMoreButNeverWhatALengthByteCannotSay() {
    assertThat(PrivateDataLimits.limit(CONNECT, TransportType.IWARP, PortSpace.TCP)).isEqualTo(252);
    assertThatThrownBy(
            () ->
                PrivateDataLimits.check(CONNECT, TransportType.IWARP, PortSpace.TCP, new byte[253]))
        .hasMessage("private data for connect is limited to 252 bytes on IWARP, got 253");
  }

  @Test
  void noneIsNoData() {
    assertThatCode(() -> PrivateDataLimits.check(CONNECT, TransportType.ROCE, PortSpace.TCP, null))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"0,NONE", "64,NONE", "65,LARGE", "128,LARGE", "129,TOO_LARGE", "252,TOO_LARGE"})
  void longDataIsAdvisedAgainst(int length, Advice advice) {
    assertThat(PrivateDataLimits.advice(length)).isEqualTo(advice);
    assertThat(advice.text().isEmpty()).isEqualTo(advice == Advice.NONE);
  }
}
