package io.vertxrdma.soft.wire;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ProtocolNumbersTest {

  @Test
  void sequence_numbers_wrap_at_24_bits() {
    assertThat(Psn.add(0xFFFFFF, 1)).isZero();
    assertThat(Psn.add(0, -1)).isEqualTo(0xFFFFFF);
    assertThat(Psn.difference(0, 0xFFFFFF)).isEqualTo(1);
    assertThat(Psn.difference(0xFFFFFF, 0)).isEqualTo(-1);
    assertThat(Psn.compare(5, 5)).isZero();
    assertThat(Psn.compare(0x800000, 0)).isNegative();
    assertThat(Psn.compare(0x7FFFFF, 0)).isPositive();
    assertThat(Psn.within(1, 0xFFFFFE, 4)).isTrue();
    assertThat(Psn.within(2, 0xFFFFFE, 4)).isFalse();
    assertThat(Psn.within(0xFFFFFD, 0xFFFFFE, 4)).isFalse();
  }

  @Property(tries = 2000)
  void difference_undoes_addition(
      @ForAll @IntRange(max = 0xFFFFFF) int psn,
      @ForAll @IntRange(min = -0x800000, max = 0x7FFFFF) int packets) {
    int moved = Psn.add(psn, packets);
    assertThat(moved).isBetween(0, 0xFFFFFF);
    assertThat(Psn.difference(moved, psn)).isEqualTo(packets);
  }

  @Test
  void syndromes_fall_into_their_kinds() {
    assertThat(Aeth.isAck(Aeth.ACK)).isTrue();
    assertThat(Aeth.isAck(0)).isTrue();
    assertThat(Aeth.rnrNak(12)).isEqualTo(0x2C);
    assertThat(Aeth.isRnrNak(0x2C)).isTrue();
    assertThat(Aeth.rnrTimer(0x2C)).isEqualTo(12);
    assertThat(Aeth.isNak(Aeth.NAK_REMOTE_ACCESS)).isTrue();
    for (int reserved : new int[] {0x40, 0x5F, 0x80, 0x9F, 0xE0, 0xFF}) {
      assertThat(Aeth.isAck(reserved) || Aeth.isRnrNak(reserved) || Aeth.isNak(reserved)).isFalse();
    }
  }

  @Test
  void timer_codes_have_the_times_of_the_man_page() {
    assertThat(RnrTimer.nanos(0)).isEqualTo(655_360_000L);
    assertThat(RnrTimer.nanos(1)).isEqualTo(10_000L);
    assertThat(RnrTimer.nanos(12)).isEqualTo(640_000L);
    assertThat(RnrTimer.nanos(25)).isEqualTo(61_440_000L);
    assertThat(RnrTimer.nanos(31)).isEqualTo(491_520_000L);
    for (int code = 2; code < 32; code++) {
      assertThat(RnrTimer.nanos(code)).isGreaterThan(RnrTimer.nanos(code - 1));
    }
  }

  @Test
  void acknowledgement_timeouts_double_and_0_means_none() {
    assertThat(RnrTimer.ackTimeoutNanos(0)).isZero();
    assertThat(RnrTimer.ackTimeoutNanos(1)).isEqualTo(8_192);
    assertThat(RnrTimer.ackTimeoutNanos(17)).isEqualTo(536_870_912L);
    assertThat(RnrTimer.ackTimeoutNanos(31)).isEqualTo(4_096L << 31);
  }
}
